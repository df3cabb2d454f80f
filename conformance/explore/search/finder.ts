import { loadScenarioText } from '../../../scenarios/format/load/load-text.js';
import type { Scenario } from '../../../scenarios/format/types.js';
import { renumber } from '../../client/run/recording.js';
import type { ClientRun } from '../../client/types.js';
import { describeFind, reproduce } from '../reproduce/write-finding.js';
import { named } from '../schedule/portable.js';
import { scheduled, unrealised } from '../schedule/schedule.js';
import type { Tools } from '../tools.js';
import type { Bucket, Find, Schedule, TimeOfRuns } from '../types.js';
import { type BucketFinding, bucketOf } from './buckets.js';
import { differenceOf } from './determinism-check.js';
import { shrink } from './shrink.js';

interface Shown {
  run: ClientRun;
  finding: BucketFinding;
}

/** Runs for one find at most. */
const MOST_RUNS = { virtual: 60, real: 12 };

/** Makes a find of a failure: the smallest schedule that shows it, seen once more, and its files. */
export class Finder {
  readonly #names = new Set<string>();
  /** The greatest `seq` in the finds so far: no number stands for two exchanges of a report. */
  #lastSeq = 0;

  constructor(
    private readonly setup: {
      tools: Tools;
      time: TimeOfRuns;
      seed: number;
      signal: AbortSignal;
      commandLine: string | undefined;
    },
  ) {}

  async look(schedule: Schedule, run: ClientRun, finding: BucketFinding, number: number): Promise<Find> {
    const bucket = bucketOf(finding);
    let first: Shown = { run, finding };
    const shows = async (candidate: Schedule): Promise<boolean> => {
      const shown = await this.#show(candidate, bucket);
      if (shown) first = shown;
      return shown !== undefined;
    };
    const { time } = this.setup;
    const shrunk = await shrink(schedule, shows, time === 'real' ? MOST_RUNS.real : MOST_RUNS.virtual);
    const small = await named(shrunk, () => first.run.trace, shows);
    const { seed, commandLine } = this.setup;
    const written = { schedule: small, bucket, name: this.#nameOf(bucket), seed, time, commandLine };
    const { reproduction, yaml } = reproduce(written);
    // Seen once more from what stands in the file.
    const again = await this.#showScenario(fromFile(yaml, reproduction), bucket, small);
    const unsteady =
      again === undefined || differenceOf(small, first.run.trace, again.run.trace, time) !== undefined;
    const shown = again ?? first;
    const numbered = this.#numbered(shown, bucket);
    return {
      bucket,
      name: written.name,
      scenario: schedule.scenario.name,
      deviations: [...small.deviations],
      foundWith: schedule.deviations.length,
      schedule: number,
      seen: 1,
      message: numbered.finding.message,
      evidence: numbered.finding.evidence,
      seed,
      reproduction,
      exchanges: numbered.run.exchanges,
      trace: numbered.run.trace,
      yaml,
      markdown: describeFind({ ...written, ...shown, unsteady }),
      unsteady,
    };
  }

  /** The same with the exchanges numbered on from the find before, in its message too. */
  #numbered({ run: shown, finding }: Shown, bucket: Bucket): Shown {
    const run = renumber(shown, this.#lastSeq);
    this.#lastSeq = run.exchanges.at(-1)?.seq ?? this.#lastSeq;
    return { run, finding: (run !== shown && this.#find(run, bucket)) || finding };
  }

  #find(run: ClientRun, bucket: Bucket): BucketFinding | undefined {
    return this.setup.tools.judge(run).find((each) => bucketOf(each).key === bucket.key);
  }

  #show(schedule: Schedule, bucket: Bucket): Promise<Shown | undefined> {
    return this.#showScenario(scheduled(schedule), bucket, schedule);
  }

  async #showScenario(scenario: Scenario, bucket: Bucket, schedule: Schedule): Promise<Shown | undefined> {
    const { tools, signal } = this.setup;
    const run = await tools.play(scenario, signal);
    if (run.end === 'aborted' || unrealised(schedule, run.rules).length > 0) return undefined;
    const finding = this.#find(run, bucket);
    return finding && { run, finding };
  }

  #nameOf({ key }: Bucket): string {
    const plain =
      key
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, '')
        .slice(0, 80) || 'find';
    let name = plain;
    for (let n = 2; this.#names.has(name); n++) name = `${plain}-${n}`;
    this.#names.add(name);
    return name;
  }
}

/** Throws where what was written is no scenario: that is a fault of ours. */
function fromFile(yaml: string, { name }: Scenario): Scenario {
  const { scenario, problems } = loadScenarioText(yaml, { file: `${name}.yaml`, name });
  if (!scenario) throw new Error(`The file of a find cannot be read again: ${problems[0]?.message}`);
  return scenario;
}
