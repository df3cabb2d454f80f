import type { Choices } from '../../mock/options/mock-options.js';
import { prepareVirtualTime } from '../../mock/virtual-time/virtual-run.js';
import { loadLibrary } from '../../scenarios/format/library/library.js';
import type { Scenario } from '../../scenarios/format/types.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { causesOf } from '../report/causes.js';
import { KeptBodies } from '../report/kept-bodies.js';
import {
  type Advice,
  type CheckResult,
  type ConformEvent,
  type ConformReport,
  coverageOf,
  summaryOf,
  timeOf,
} from '../service/runner/result.js';
import { VERSION } from '../version.js';
import { type GeneratedScenario, generateConversation } from './generate/generate-scenario.js';
import { CHECKS_OF_A_RUN, checksOf, unplayedCheck } from './judge/run-checks.js';
import { findingsOf } from './judge/verdict.js';
import {
  clientFrom,
  type GivenClient,
  type GivenScenarios,
  nameOf,
  repeatLine,
  scenariosFrom,
} from './run/client-options.js';
import { crashedAtOnce } from './run/first-error.js';
import { whyUnplayable } from './run/job.js';
import { type PlayOptions, play } from './run/play.js';
import { renumber } from './run/recording.js';
import { checkUnknownScenario, UNKNOWN_SCENARIO, UNKNOWN_SCENARIO_CHECK } from './run/unknown-scenario.js';
import { ConversationReproducer } from './search/conversation-reproducer.js';
import type { Client, ClientRun } from './types.js';

export interface CheckClientOptions {
  client: GivenClient;
  /** What is played; the whole library unless given. */
  scenarios?: GivenScenarios;
  /** Decides everything random. Default 1. */
  seed?: number;
  /** Until the client has to be through with a scenario, ms on its own clock. */
  deadlineMs?: number | undefined;
  /** So many generated conversations are played beside the scenarios. `seed` decides which. */
  search?: number | undefined;
  /** The directory that the caller writes the failures of a search to, for the lines that show them again. */
  out?: string | undefined;
  /** Scenarios at a time. Default 4; functions run one by one. */
  jobs?: number;
  dialect?: Choices;
  /** Ask first for a scenario that does not exist. Default true. */
  unknownScenario?: boolean;
  /** Ends the run early: the report shows what is known so far. */
  signal?: AbortSignal;
}

/** Each run has a mock of its own, on a port of its own. */
const BASE_URL = 'http://127.0.0.1';

/** Exchanges that a report keeps of one run: its beginning and its end, and what its checks refer to. */
const MOST_OF_A_RUN = 200;

/** Where the failures of a search are written to. */
const FAILURES = 'taskdouble-races';

/** A scenario that is played, with its place in the report; `plan`: of a generated one. */
type Turn = { at: number; scenario: Scenario } & Partial<GeneratedScenario>;

/** What one run adds to the report. */
interface RunPart {
  checks: CheckResult[];
  advice?: Advice[];
  exchanges?: Exchange[];
}

/** Judges a client by scenarios. It never throws for what the client does. */
export async function checkClient(
  options: CheckClientOptions,
  onEvent: (event: ConformEvent) => void = () => {},
): Promise<ConformReport> {
  const scenarios = options.scenarios ? await scenariosFrom(options.scenarios) : await loadLibrary();
  const client = clientFrom(options.client);
  // Put in place once: putting it in place takes longer than a run.
  const restoreTime = client.kind === 'function' ? prepareVirtualTime() : () => {};
  try {
    return await new ClientCheck({ ...options, client }, scenarios, onEvent).run();
  } finally {
    restoreTime();
  }
}

class ClientCheck {
  /** Place 0 is that of the unknown scenario. */
  readonly #parts: RunPart[] = [];
  readonly #bodies = new KeptBodies();
  readonly #playOptions: PlayOptions & { seed: number };
  /** Why nothing can be tested. */
  #notStarted: string | undefined;
  /** A scenario was played, whatever came of it. */
  #hasRun = false;
  /** The greatest `seq` so far. */
  #lastSeq = 0;
  #done = 0;
  readonly #startMs = performance.now();
  /** Checks in all, as far as they can be foreseen. */
  #total: number;
  /** Scenarios to play, with those that are generated. */
  readonly #tasks: number;
  readonly #reproducer: ConversationReproducer;

  constructor(
    private readonly options: CheckClientOptions & { client: Client },
    private readonly scenarios: readonly Scenario[],
    private readonly onEvent: (event: ConformEvent) => void,
  ) {
    const { seed = 1, deadlineMs, dialect, signal, unknownScenario = true } = options;
    this.#playOptions = { seed, deadlineMs, dialect, signal };
    this.#tasks = scenarios.length + (options.search ?? 0);
    this.#total = this.#tasks * CHECKS_OF_A_RUN + (unknownScenario ? 1 : 0);
    this.#reproducer = new ConversationReproducer({
      play: (scenario) => play(scenario, options.client, this.#playOptions),
      commandLine: this.#againWith('FILE') ?? 'taskdouble client --scenario FILE -- COMMAND',
    });
  }

  async run(): Promise<ConformReport> {
    const started = new Date();
    const { seed } = this.#playOptions;
    const { client, unknownScenario = true, jobs = 4 } = this.options;
    this.onEvent({ type: 'start', baseUrl: BASE_URL, seed, checks: this.#total, tasks: this.#tasks });
    if (unknownScenario && !this.#isAborted) await this.#askUnknown();
    const open = this.#toPlay();
    // By itself: a client that crashes at once does so in every scenario.
    for (const each of open) {
      if (this.#isAborted) break;
      await this.#play(each);
      if (this.#hasRun || this.#notStarted !== undefined) break;
    }
    const work = async () => {
      for (const each of open) {
        if (this.#isAborted) break;
        await this.#play(each);
      }
    };
    await Promise.all(Array.from({ length: client.kind === 'function' ? 1 : Math.max(1, jobs) }, work));
    const report = this.#report(started, this.#elapsedMs);
    this.onEvent({ type: 'end', report });
    return report;
  }

  get #elapsedMs(): number {
    return Math.round(performance.now() - this.#startMs);
  }

  get #isAborted(): boolean {
    return this.options.signal?.aborted === true;
  }

  /** Generated scenarios are made when their turn comes. The iterator is shared by all who take from it. */
  #toPlay(): Iterable<Turn> {
    const { scenarios, options } = this;
    const { seed } = this.#playOptions;
    function* all(): Generator<Turn> {
      for (const [at, scenario] of scenarios.entries()) yield { at, scenario };
      for (let number = 1; number <= (options.search ?? 0); number++)
        yield { at: scenarios.length + number - 1, ...generateConversation(seed, number) };
    }
    const iterator = all();
    // A loop that ends early must not end it for the others.
    return { [Symbol.iterator]: () => ({ next: () => iterator.next() }) };
  }

  async #play(turn: Turn): Promise<void> {
    const { at, scenario } = turn;
    const unplayed = (outcome: 'skipped' | 'inconclusive' | 'error', message: string) =>
      this.#add(at + 1, { checks: [unplayedCheck(scenario, outcome, message)] }, CHECKS_OF_A_RUN);
    const why = whyUnplayable(scenario);
    if (why !== undefined) return unplayed('skipped', why);
    if (this.#notStarted !== undefined) return unplayed('inconclusive', `not tried: ${this.#notStarted}`);
    this.onEvent({ type: 'case', case: scenario.name, running: true });
    try {
      const run = await this.#run(scenario);
      if (run.end === 'aborted') return;
      if (!this.#hasRun) this.#notStarted ??= crashedAtOnce(run);
      if (this.#notStarted !== undefined) return unplayed('inconclusive', `not tried: ${this.#notStarted}`);
      this.#hasRun = true;
      this.#add(at + 1, await this.#judge(turn, run), CHECKS_OF_A_RUN);
    } catch (error) {
      unplayed('error', this.#noteFault(scenario.name, error));
    } finally {
      this.onEvent({ type: 'case', case: scenario.name, running: false });
    }
  }

  /** Of a generated conversation the smallest is reported that breaks a rule for the first time. */
  async #judge({ scenario, plan }: Turn, run: ClientRun): Promise<RunPart> {
    const findings = findingsOf(run);
    const checked = checksOf(run, findings, repeatLine(this.options.client, scenario, run.seed));
    if (!plan) return { ...checked, exchanges: run.exchanges };
    const found = await this.#reproducer.reproduce({ plan, scenario }, run, findings);
    const shown = new Set([...checked.checks, ...checked.advice].flatMap(({ evidence }) => evidence));
    const isPassed = checked.checks.every(({ outcome }) => outcome === 'passed');
    const exchanges = isPassed ? run.exchanges.filter(({ seq }) => shown.has(seq)) : run.exchanges;
    for (const { name, rule, yaml, markdown, run: itsRun } of found) {
      this.onEvent({ type: 'failure', name, yaml, markdown });
      const small = this.#number(itsRun);
      const finding = findingsOf(small).find((each) => each.rule === rule);
      const check = checked.checks.find((each) => each.rule === rule);
      if (!finding || !check) continue;
      const again = this.#againWith(`${name}.yaml`);
      Object.assign(
        check,
        { message: finding.message, evidence: finding.evidence, shrunk: true },
        again !== undefined && { again },
      );
      exchanges.push(...small.exchanges);
    }
    return { ...checked, exchanges };
  }

  /** The line that plays a file of a failure. */
  #againWith(file: string): string | undefined {
    const { client, seed = 1, out = FAILURES } = this.options;
    return repeatLine(client, { name: file, file: `${out}/${file}` }, seed);
  }

  async #askUnknown(): Promise<void> {
    try {
      const run = await this.#run(UNKNOWN_SCENARIO);
      // What cannot be started is inconclusive in each scenario.
      if (run.end === 'not-started') this.#total--;
      else if (run.end !== 'aborted')
        this.#add(0, { checks: [checkUnknownScenario(run)], exchanges: run.exchanges }, 1);
    } catch (error) {
      const message = this.#noteFault(UNKNOWN_SCENARIO_CHECK.case, error);
      const check = { ...UNKNOWN_SCENARIO_CHECK, outcome: 'error' as const, message, evidence: [] };
      this.#add(0, { checks: [check] }, 1);
    }
  }

  /** Each exchange of the report has a number of its own. */
  async #run(scenario: Scenario): Promise<ClientRun> {
    const run = this.#number(await play(scenario, this.options.client, this.#playOptions));
    if (run.end === 'not-started') this.#notStarted ??= run.error ?? 'the client could not be started';
    return run;
  }

  #number(played: ClientRun): ClientRun {
    const run = renumber(played, this.#lastSeq);
    this.#lastSeq = run.exchanges.at(-1)?.seq ?? this.#lastSeq;
    return run;
  }

  /** Returns the message of the check. */
  #noteFault(where: string, error: unknown): string {
    const text = error instanceof Error ? error.message : String(error);
    this.onEvent({ type: 'note', text: `${where}: taskdouble itself failed: ${text}` });
    return `the check itself crashed, which is a fault of taskdouble (${text})`;
  }

  /** `planned`: the checks that were foreseen for it. */
  #add(at: number, part: RunPart, planned: number): void {
    const { checks } = part;
    const exchanges = keptExchanges(part);
    const failed = new Set(checks.flatMap(({ outcome, evidence }) => (outcome === 'failed' ? evidence : [])));
    for (const [index, { seq }] of exchanges.entries())
      this.#bodies.add(exchanges, index, failed.has(seq) ? 'failed' : 'passed');
    this.#parts[at] = { ...part, exchanges };
    this.#total += checks.length - planned;
    const elapsedMs = this.#elapsedMs;
    for (const check of checks)
      this.onEvent({ type: 'check', check, done: ++this.#done, total: this.#total, elapsedMs });
  }

  #report(started: Date, duration_ms: number): ConformReport {
    const { client } = this.options;
    // Some places may be empty.
    const parts = Object.values(this.#parts);
    const checks = parts.flatMap((part) => part.checks);
    const exchanges = parts.flatMap((part) => part.exchanges ?? []).sort((one, other) => one.seq - other.seq);
    const { shortened } = this.#bodies;
    const stopped = this.#isAborted ? 'interrupted' : this.#notStarted;
    return {
      taskdouble: VERSION,
      target: { base_url: BASE_URL, client: nameOf(client), time: timeOf(client.kind) },
      seed: this.#playOptions.seed,
      started: started.toISOString(),
      duration_ms,
      summary: summaryOf(checks),
      checks,
      causes: causesOf(checks, exchanges),
      advice: parts.flatMap(({ advice = [] }) => advice),
      exchanges,
      dialect: {},
      requirements: coverageOf('client', checks, () => 'no scenario that was played gave the occasion', {
        isPartial: this.options.scenarios !== undefined,
      }),
      ...(shortened > 0 && { shortened }),
      ...(stopped !== undefined && { stopped }),
    };
  }
}

function keptExchanges({ checks, advice = [], exchanges = [] }: RunPart): Exchange[] {
  if (exchanges.length <= MOST_OF_A_RUN) return exchanges;
  const shown = new Set([...checks, ...advice].flatMap(({ evidence }) => evidence));
  const half = MOST_OF_A_RUN / 2;
  return exchanges.filter(({ seq }, at) => at < half || at >= exchanges.length - half || shown.has(seq));
}
