import type { Choices } from '../../mock/options/mock-options.js';
import { loadLibrary } from '../../scenarios/format/library/library.js';
import type { Scenario } from '../../scenarios/format/types.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { KeptBodies } from '../report/kept-bodies.js';
import { coverageOf } from '../service/runner/coverage.js';
import {
  type Advice,
  type CheckResult,
  type ConformEvent,
  type ConformReport,
  summaryOf,
  type TimeOfRuns,
} from '../service/runner/result.js';
import { VERSION } from '../version.js';
import { CHECKS_OF_A_RUN, checksOf, unplayedCheck } from './judge/run-checks.js';
import { findingsOf } from './judge/verdict.js';
import {
  clientFrom,
  type GivenScenarios,
  nameOf,
  repeatLine,
  scenariosFrom,
  type WithClient,
} from './run/client-options.js';
import { whyUnplayable } from './run/job.js';
import { play } from './run/play.js';
import { renumber } from './run/renumber.js';
import type { PlayOptions } from './run/run-plan.js';
import { playUnknownScenario } from './run/unknown-scenario.js';
import type { Client, ClientRun } from './types.js';

export interface CheckClientOptions extends WithClient {
  /** What is played; the whole library unless given. */
  scenarios?: GivenScenarios;
  /** Decides everything random. Default 1. */
  seed?: number;
  /** Until the client has to be through with a scenario, ms on its own clock. */
  deadlineMs?: number | undefined;
  /** Scenarios at a time. Default 4; functions run one by one. */
  jobs?: number;
  dialect?: Choices;
  /** Ask first for a scenario that does not exist. Default true. */
  unknownScenario?: boolean;
  /** Ends the run early: the report shows what is known so far. */
  signal?: AbortSignal;
}

/** A run's report, and what a report has no place for. */
export interface ClientChecked extends ConformReport {
  /** Why the client could not be started; undefined when it could. Nothing was tested then. */
  notStarted?: string;
  /** Faults of the harness itself. */
  faults: string[];
}

/** Each run has a mock of its own, on a port of its own. */
const BASE_URL = 'http://127.0.0.1';

const UNKNOWN_SCENARIO: Pick<CheckResult, 'id' | 'case' | 'suite' | 'title' | 'covers'> = {
  id: 'unknown-scenario#CLIENT-10',
  case: 'unknown-scenario',
  suite: 'unknown-scenario',
  title: 'A client that cannot do what it was asked for says so',
  covers: ['CLIENT-10'],
};

/** Exchanges that a report keeps of runs without findings. */
const MOST_OF_GOOD_RUNS = 2000;
/** Exchanges that a report keeps of one run: its beginning and its end, where there are more. */
const MOST_OF_A_RUN = 200;

/** What one run adds to the report. */
interface RunPart {
  checks: CheckResult[];
  advice: Advice[];
  exchanges: Exchange[];
}

const TIME: Readonly<Record<Client['kind'], TimeOfRuns>> = {
  function: 'virtual (in process)',
  node: 'virtual (Node.js)',
  command: 'real',
};

/** Judges a client by scenarios. Nothing that the client does is thrown. */
export async function checkClient(
  options: CheckClientOptions,
  onEvent: (event: ConformEvent) => void = () => {},
): Promise<ClientChecked> {
  const scenarios = options.scenarios ? await scenariosFrom(options.scenarios) : await loadLibrary();
  return new ClientCheck({ ...options, client: clientFrom(options) }, scenarios, onEvent).run();
}

class ClientCheck {
  readonly #parts = new Map<number, RunPart>();
  readonly #bodies = new KeptBodies();
  readonly #faults: string[] = [];
  readonly #seed: number;
  readonly #asksUnknown: boolean;
  #notStarted: string | undefined;
  /** The greatest `seq` so far. */
  #exchanges = 0;
  #left: number;
  #done = 0;

  constructor(
    private readonly options: Omit<CheckClientOptions, 'client'> & { client: Client },
    private readonly scenarios: readonly Scenario[],
    private readonly onEvent: (event: ConformEvent) => void,
  ) {
    this.#seed = options.seed ?? 1;
    this.#asksUnknown = options.unknownScenario !== false;
    this.#left = scenarios.length * CHECKS_OF_A_RUN + (this.#asksUnknown ? 1 : 0);
  }

  async run(): Promise<ClientChecked> {
    const started = new Date();
    const from = performance.now();
    const { length: tasks } = this.scenarios;
    this.onEvent({ type: 'start', baseUrl: BASE_URL, seed: this.#seed, checks: this.#left, tasks });
    if (this.#asksUnknown && !this.#isAborted) await this.#askUnknown();
    await this.#playAll();
    const report = this.#report(started, Math.round(performance.now() - from));
    this.onEvent({ type: 'end', report });
    const checked: ClientChecked = { ...report, faults: this.#faults };
    if (this.#notStarted !== undefined) checked.notStarted = this.#notStarted;
    return checked;
  }

  get #isAborted(): boolean {
    return this.options.signal?.aborted === true;
  }

  async #playAll(): Promise<void> {
    const open = [...this.scenarios.entries()];
    const jobs = this.options.client.kind === 'function' ? 1 : Math.max(1, this.options.jobs ?? 4);
    const work = async () => {
      for (let next = open.shift(); next && !this.#isAborted; next = open.shift()) await this.#play(...next);
    };
    await Promise.all(Array.from({ length: Math.min(jobs, open.length) }, work));
  }

  /** Place 0 of the report is that of the unknown scenario. */
  async #play(at: number, scenario: Scenario): Promise<void> {
    const unplayed = (...[outcome, message]: [Parameters<typeof unplayedCheck>[1], string]) =>
      this.#add(at + 1, { checks: [unplayedCheck(scenario, outcome, message)] }, CHECKS_OF_A_RUN);
    const why = whyUnplayable(scenario);
    if (why !== undefined) return unplayed('skipped', why);
    if (this.#notStarted !== undefined) return unplayed('inconclusive', `not tried: ${this.#notStarted}`);
    this.onEvent({ type: 'case', case: scenario.name, running: true });
    try {
      const run = this.#numbered(await play(scenario, this.options.client, this.#playOptions()));
      if (run.end === 'not-started') this.#notStarted ??= run.error ?? 'the client could not be started';
      if (run.end !== 'aborted') {
        const again = repeatLine(this.options.client, scenario, this.#seed);
        const { exchanges } = run;
        this.#add(at + 1, { ...checksOf(run, findingsOf(run), again), exchanges }, CHECKS_OF_A_RUN);
      }
    } catch (error) {
      unplayed('error', this.#addFault(scenario.name, error));
    } finally {
      this.onEvent({ type: 'case', case: scenario.name, running: false });
    }
  }

  async #askUnknown(): Promise<void> {
    try {
      const {
        outcome,
        message,
        run: played,
      } = await playUnknownScenario(this.options.client, this.#playOptions());
      if (played.end === 'aborted') return;
      if (played.end === 'not-started') {
        this.#notStarted = played.error ?? 'the client could not be started';
        this.#left--;
        return;
      }
      const { exchanges } = this.#numbered(played);
      const evidence = exchanges.slice(0, 3).map(({ seq }) => seq);
      this.#add(0, { checks: [{ ...UNKNOWN_SCENARIO, outcome, message, evidence }], exchanges }, 1);
    } catch (error) {
      const message = this.#addFault(UNKNOWN_SCENARIO.suite, error);
      this.#add(0, { checks: [{ ...UNKNOWN_SCENARIO, outcome: 'error', message, evidence: [] }] }, 1);
    }
  }

  #playOptions(): PlayOptions {
    const { deadlineMs, dialect, signal } = this.options;
    return { seed: this.#seed, deadlineMs, dialect, signal };
  }

  /** No number stands for two exchanges of the report. */
  #numbered(run: ClientRun): ClientRun {
    const numbered = renumber(run, this.#exchanges);
    this.#exchanges = numbered.exchanges.at(-1)?.seq ?? this.#exchanges;
    return numbered;
  }

  /** Returns the message of the check. */
  #addFault(where: string, error: unknown): string {
    const text = error instanceof Error ? error.message : String(error);
    this.#faults.push(`${where}: ${text}`);
    this.onEvent({ type: 'note', text: `${where}: taskdouble itself failed: ${text}` });
    return `the check itself crashed, which is a fault of taskdouble (${text})`;
  }

  #add(at: number, given: Partial<RunPart> & Pick<RunPart, 'checks'>, planned: number): void {
    const part: RunPart = { advice: [], exchanges: [], ...given };
    const exchanges = keptExchanges(part);
    const failed = new Set(
      part.checks.flatMap(({ outcome, evidence }) => (outcome === 'failed' ? evidence : [])),
    );
    for (const [index, { seq }] of exchanges.entries())
      this.#bodies.add(exchanges, index, failed.has(seq) ? 'failed' : 'passed');
    this.#parts.set(at, { ...part, exchanges });
    this.#left -= planned;
    for (const [n, check] of part.checks.entries()) {
      const total = this.#done + (part.checks.length - n) + this.#left;
      this.onEvent({ type: 'check', check, done: ++this.#done, total });
    }
  }

  #report(started: Date, duration_ms: number): ConformReport {
    const { client } = this.options;
    const parts = [...this.#parts].sort(([one], [other]) => one - other).map(([, part]) => part);
    const { checks, advice, exchanges } = join(parts);
    const report: ConformReport = {
      taskdouble: VERSION,
      target: { base_url: BASE_URL, client: nameOf(client), time: TIME[client.kind] },
      seed: this.#seed,
      started: started.toISOString(),
      duration_ms,
      summary: summaryOf(checks),
      checks,
      advice,
      exchanges,
      dialect: {},
      requirements: coverageOf('client', checks, () => 'no scenario that was played gave the occasion'),
    };
    if (this.#bodies.shortened > 0) report.shortened = this.#bodies.shortened;
    if (this.#isAborted) report.stopped = 'interrupted';
    else if (this.#notStarted !== undefined) report.stopped = this.#notStarted;
    return report;
  }
}

function keptExchanges({ checks, advice, exchanges }: RunPart): Exchange[] {
  if (exchanges.length <= MOST_OF_A_RUN) return exchanges;
  const shown = new Set([...checks, ...advice].flatMap(({ evidence }) => evidence));
  const half = MOST_OF_A_RUN / 2;
  return exchanges.filter(({ seq }, at) => at < half || at >= exchanges.length - half || shown.has(seq));
}

/** All parts in one. Where there are very many exchanges, those of runs without findings are left out. */
function join(parts: readonly RunPart[]): RunPart {
  const all: RunPart = { checks: [], advice: [], exchanges: [] };
  let good = 0;
  for (const { checks, advice, exchanges } of parts) {
    const isGood = advice.length === 0 && checks.every(({ outcome }) => outcome !== 'failed');
    const kept = isGood && good >= MOST_OF_GOOD_RUNS ? [] : exchanges;
    if (isGood) good += kept.length;
    const seqs = new Set(kept.map(({ seq }) => seq));
    const withKept = <T extends { evidence: number[] }>(each: T): T => ({
      ...each,
      evidence: each.evidence.filter((seq) => seqs.has(seq)),
    });
    all.checks.push(...checks.map(withKept));
    all.advice.push(...advice.map(withKept));
    all.exchanges.push(...kept);
  }
  all.exchanges.sort((one, other) => one.seq - other.seq);
  return all;
}
