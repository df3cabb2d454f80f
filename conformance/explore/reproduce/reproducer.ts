import { loadScenarioText } from '../../../scenarios/format/load/load-text.js';
import type { Scenario } from '../../../scenarios/format/types.js';
import type { RunFinding } from '../../client/judge/run-rules.js';
import { renumber } from '../../client/run/recording.js';
import type { ClientRun } from '../../client/types.js';
import { differenceOf } from '../schedule/run-order.js';
import { notTriggered, scheduled } from '../schedule/schedule.js';
import type { SearchSetup } from '../search/schedule-runner.js';
import type { Failure, Schedule } from '../types.js';
import { describeFailure, writeReproduction } from './failure-files.js';
import { shrink } from './shrink.js';

/** A run that shows a failure, and what was found in it. */
interface ShownFailure {
  run: ClientRun;
  finding: RunFinding;
}

/** Runs for one failure at most, before its polls are named. */
const MOST_RUNS = { virtual: 60, real: 12 };

/** The same for findings that are one failure: rule, what it is about, level. */
export function failureKey({ rule, about, level }: RunFinding): string {
  return [rule, about, level === 'advice' ? '(advice)' : ''].filter(Boolean).join(' ');
}

/** Makes a failure of a finding: the smallest schedule that shows it, seen once more, and its files. */
export class Reproducer {
  readonly #names = new Set<string>();
  /** The greatest `seq` so far: no number stands for two exchanges of a report. */
  #lastSeq = 0;

  constructor(
    private readonly setup: Pick<SearchSetup, 'tools' | 'time' | 'seed' | 'signal' | 'commandLine'>,
  ) {}

  async reproduce(schedule: Schedule, run: ClientRun, finding: RunFinding, number: number): Promise<Failure> {
    const { time, seed, commandLine } = this.setup;
    const key = failureKey(finding);
    let last: ShownFailure = { run, finding };
    const shows = async (candidate: Schedule): Promise<boolean> => {
      const shown = await this.#play(scheduled(candidate), key);
      if (shown) last = shown;
      return shown !== undefined;
    };
    const most = time === 'real' ? MOST_RUNS.real : MOST_RUNS.virtual;
    const small = await shrink(schedule, shows, most, () => last.run.trace);
    const found = { schedule: small, key, name: this.#nameOf(key), seed, time, commandLine };
    const yaml = writeReproduction(found);
    // Seen once more from what stands in the file.
    const again = await this.#play(fromFile(yaml, found.name), key);
    const isNondeterministic =
      again === undefined || differenceOf(small, last.run.trace, again.run.trace, time) !== undefined;
    const shown = this.#renumber(again ?? last, key);
    return {
      ...shown.finding,
      key,
      name: found.name,
      scenario: schedule.scenario.name,
      deviations: small.deviations,
      foundWith: schedule.deviations.length,
      schedule: number,
      seen: 1,
      exchanges: shown.run.exchanges,
      yaml,
      markdown: describeFailure({ ...found, ...(again ?? last), isNondeterministic }),
      isNondeterministic,
    };
  }

  /** With the exchanges numbered on from the failure before, in the message too. */
  #renumber({ run: shown, finding }: ShownFailure, key: string): ShownFailure {
    const run = renumber(shown, this.#lastSeq);
    this.#lastSeq = run.exchanges.at(-1)?.seq ?? this.#lastSeq;
    return { run, finding: (run !== shown && this.#find(run, key)) || finding };
  }

  #find(run: ClientRun, key: string): RunFinding | undefined {
    return this.setup.tools.judge(run).find((each) => failureKey(each) === key);
  }

  async #play(scenario: Scenario, key: string): Promise<ShownFailure | undefined> {
    const run = await this.setup.tools.play(scenario, this.setup.signal);
    if (run.end === 'aborted' || notTriggered(run).length > 0) return undefined;
    const finding = this.#find(run, key);
    return finding && { run, finding };
  }

  #nameOf(key: string): string {
    const words = key.toLowerCase().match(/[a-z0-9]+/g) ?? ['failure'];
    const plain = words.join('-').slice(0, 80);
    let name = plain;
    for (let n = 2; this.#names.has(name); n++) name = `${plain}-${n}`;
    this.#names.add(name);
    return name;
  }
}

/** Throws where what was written is no scenario: that is a fault of ours. */
function fromFile(yaml: string, name: string): Scenario {
  const { scenario, problems } = loadScenarioText(yaml, { file: `${name}.yaml`, name });
  if (!scenario) throw new Error(`The file of a failure cannot be read again: ${problems[0]?.message}`);
  return scenario;
}
