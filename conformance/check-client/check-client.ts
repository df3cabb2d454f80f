import type { Choices } from '../../mock/options/mock-options.js';
import { prepareVirtualTime } from '../../mock/virtual-time/virtual-run.js';
import { loadLibrary } from '../../scenarios/format/library/library.js';
import type { Scenario } from '../../scenarios/format/types.js';
import { uniqueBy } from '../../spec/lists.js';

import type { CheckResult } from '../causes/check-result.js';
import { type GeneratedScenario, generateConversations } from '../client/generate/generate-scenario.js';
import { recordSentFields } from '../client/judge/create.js';
import {
  CHECKS_OF_A_RUN,
  createRunChecks,
  createUnplayedCheck,
  hasPassedEvidence,
} from '../client/judge/run-checks.js';
import { judgeRun } from '../client/judge/verdict.js';
import { ClientRunner } from '../client/run/adapter/client-runner.js';
import {
  excludeScenarios,
  formatClientName,
  formatRepeatCommand,
  type GivenClient,
  type GivenScenarios,
  resolveClient,
  resolveScenarios,
} from '../client/run/client-options.js';
import { findStartupCrash } from '../client/run/first-error.js';
import { explainUnplayable } from '../client/run/job.js';
import { loadPairs } from '../client/run/pairs.js';
import type { PlayOptions } from '../client/run/play.js';
import { listExchanges, RunNumbers } from '../client/run/recording.js';
import {
  checkUnknownScenario,
  UNKNOWN_SCENARIO,
  UNKNOWN_SCENARIO_CHECK,
} from '../client/run/unknown-scenario.js';
import type { Client, ClientRun } from '../client/types.js';
import { readCommandName } from '../common/command-name.js';
import { parseLack } from '../common/lacks.js';
import { runInOrder } from '../common/run-in-order.js';
import { checkShard, countOfShard, isOfShard, type Shard, selectShard } from '../common/shard.js';
import { formatCount } from '../common/text.js';
import {
  type ConformEvent,
  type ConformReport,
  createReport,
  describeRunTime,
  measureCoverage,
} from '../service/runner/result.js';
import { mergeTries } from '../service/runner/verdicts.js';
import { ConversationReproducer, type FoundConversation } from './conversation-reproducer.js';
import { addLacks, type RunPart, RunParts } from './results.js';

export interface CheckClientOptions {
  client: GivenClient;
  /** Scenarios to play. Default: the whole library. */
  scenarios?: GivenScenarios;
  /** Decides everything random. Default 1. */
  seed?: number;
  /** Deadline of the client for one scenario, ms on its own clock. */
  deadlineMs?: number | undefined;
  /** Number of generated conversations that are played in addition. `seed` decides which. */
  search?: number | undefined;
  /** Real time after which no further conversation is generated or minimized, ms. Default: no limit. */
  searchTimeMs?: number | undefined;
  /** Plays only this part of the scenarios and of the generated conversations. */
  shard?: Shard | undefined;
  /** Directory that the caller writes the failure files to. It appears in the commands that repeat them. */
  out?: string | undefined;
  /** Scenarios that run at the same time. Default 8 in real time, 4 in virtual time; functions run one by one. */
  jobs?: number;
  dialect?: Choices;
  /** Features that the client lacks, named as for `--lacks`: scenarios that need them are skipped and not generated. */
  lacks?: readonly string[] | undefined;
  /** Globs of the names of scenarios to leave out. */
  exclude?: readonly string[] | undefined;
  /** How often a scenario with a failed check is repeated. A check that then passes is flaky. Default 0. */
  retries?: number | undefined;
  /** First play a scenario that does not exist. Default true. */
  unknownScenario?: boolean;
  /** Ends the run early: the report has the results so far. */
  signal?: AbortSignal;
}

/** In real time a client is idle most of the time. */
const JOBS = { command: 8, node: 4, adapter: 4, function: 1 } as const satisfies Record<
  Client['kind'],
  number
>;

/** Each run has its own mock, on its own port. */
const BASE_URL = 'http://127.0.0.1';

/** `plan`: of a generated scenario. */
type PlannedScenario = { scenario: Scenario } & Partial<GeneratedScenario>;

/** The runs of a scenario, or the check of one that could not be played. */
type PlayOutcome = ClientRun[] | CheckResult;

/** The scenarios that a client plays with these options: a function also plays pairs. Throws UnknownName and InvalidFile. */
export async function loadClientScenarios({
  client,
  scenarios,
  exclude = [],
}: CheckClientOptions): Promise<Scenario[]> {
  const pairs = resolveClient(client).kind === 'function' ? await loadPairs() : [];
  const given = scenarios ? await resolveScenarios(scenarios, pairs) : [...(await loadLibrary()), ...pairs];
  return excludeScenarios(given, exclude);
}

/** Judges a client by scenarios. It never throws because of what the client does. */
export async function checkClient(
  options: CheckClientOptions,
  onEvent: (event: ConformEvent) => void = () => {},
): Promise<ConformReport> {
  const { exclude = [], lacks = [], shard } = options;
  checkShard(shard);
  for (const each of lacks) parseLack(each);
  const client = setTimeOfAdapter(resolveClient(options.client), options.search !== undefined);
  const scenarios = selectShard(await loadClientScenarios(options), shard);
  const isFunction = client.kind === 'function';
  const pairs = options.scenarios || isFunction ? [] : excludeScenarios(await loadPairs(), exclude);
  const more = selectShard(pairs, shard);
  // Installed once: installing it takes longer than a run.
  const restoreTime = client.kind === 'function' ? prepareVirtualTime() : () => {};
  try {
    return await new ClientCheck({ ...options, client }, scenarios, more, onEvent).run();
  } finally {
    restoreTime();
  }
}

/** A search needs many runs: an adapter that can follow virtual time does so, unless the caller decides. */
function setTimeOfAdapter(client: Client, isSearch: boolean): Client {
  return client.kind === 'command' && isSearch ? { timeOfAdapter: 'virtual', ...client } : client;
}

class ClientCheck {
  readonly #runner: ClientRunner;
  readonly #parts = new RunParts();
  readonly #playOptions: PlayOptions & { seed: number };
  /** Why the client cannot be tested. */
  #notStarted: string | undefined;
  #hasRun = false;
  readonly #numbers = new RunNumbers();
  /** By the name of the scenario. */
  readonly #isPassed = new Map<string, boolean>();
  readonly #sentFields = new Map<string, string>();
  #done = 0;
  readonly #startMs = performance.now();
  /** Checks in total, as far as known. */
  #total: number;
  /** Scenarios to play, including generated ones. */
  readonly #tasks: number;
  readonly #reproducer: ConversationReproducer;
  /** Start of the search, as `#elapsedMs`. */
  #searchedFromMs: number | undefined;

  constructor(
    private readonly options: CheckClientOptions & { client: Client },
    private readonly scenarios: readonly Scenario[],
    /** Played in addition if the client is an adapter that can do two jobs in one process. */
    private readonly pairs: readonly Scenario[],
    private readonly onEvent: (event: ConformEvent) => void,
  ) {
    const { seed = 1, deadlineMs, dialect, signal, unknownScenario = true } = options;
    this.#playOptions = { seed, deadlineMs, dialect, signal };
    this.#runner = new ClientRunner(options.client, (text) => onEvent({ type: 'note', text }));
    this.#tasks = scenarios.length + countOfShard(options.search ?? 0, options.shard);
    this.#total = this.#tasks * CHECKS_OF_A_RUN + (unknownScenario ? 1 : 0);
    this.#reproducer = new ConversationReproducer({
      play: (scenario) => this.#runner.play(scenario, { ...this.#playOptions, skipsWaits: true }),
      commandLine:
        this.#formatRepeatCommand('FILE') ?? `${readCommandName()} client --scenario FILE -- COMMAND`,
      isStopped: () => this.#isAborted,
      isOver: () => this.#isSearchOver,
    });
  }

  async run(): Promise<ConformReport> {
    const started = new Date();
    const { seed } = this.#playOptions;
    const { unknownScenario = true } = this.options;
    this.onEvent({ type: 'start', baseUrl: BASE_URL, seed, checks: this.#total, tasks: this.#tasks });
    if (unknownScenario && !this.#isAborted) await this.#runUnknownScenario();
    const open = this.#listScenarios();
    // Not in parallel: a client that crashes at startup does so in every scenario.
    for (const each of open) {
      if (this.#isAborted) break;
      await this.#finish(each, await this.#start(each));
      if (this.#hasRun || this.#notStarted !== undefined) break;
    }
    const { kind } = this.#runner.client;
    await runInOrder(
      open,
      kind === 'function' ? 1 : Math.max(1, this.options.jobs ?? JOBS[kind]),
      (turn) => this.#start(turn),
      (turn, outcome) => this.#finish(turn, outcome),
      () => this.#isAborted,
    );
    await this.#runner.close();
    const report = this.#createReport(started, this.#elapsedMs);
    this.onEvent({ type: 'end', report });
    return report;
  }

  get #elapsedMs(): number {
    return Math.round(performance.now() - this.#startMs);
  }

  get #out(): string {
    return this.options.out ?? 'taskdouble-races';
  }

  get #isAborted(): boolean {
    return this.options.signal?.aborted === true;
  }

  get #isSearchOver(): boolean {
    const { searchTimeMs = Number.POSITIVE_INFINITY } = this.options;
    return this.#searchedFromMs !== undefined && this.#elapsedMs - this.#searchedFromMs >= searchTimeMs;
  }

  /** Whether the next generated conversation, `number`, is played: false once the time of the search is over. */
  #canPlay(number: number): boolean {
    this.#searchedFromMs ??= this.#elapsedMs;
    if (!this.#isSearchOver) return true;
    this.#endSearch(number, 'the time of the search is over');
    return false;
  }

  /** `number`: the first conversation that is not played. */
  #endSearch(number: number, why: string): void {
    const { search, shard } = this.options;
    const most = countOfShard(search!, shard);
    const played = countOfShard(number - 1, shard);
    this.#total -= (most - played) * CHECKS_OF_A_RUN;
    const text = `${why}: ${played} of ${formatCount(most, 'generated conversation')} were played`;
    this.onEvent({ type: 'note', text });
  }

  /** Generated scenarios are created on demand. All consumers share one iterator. */
  #listScenarios(): Iterable<PlannedScenario> {
    const { scenarios, options } = this;
    const { seed } = this.#playOptions;
    const canPlay = (number: number) => this.#canPlay(number);
    const listPairs = () => this.#listPairs();
    const endSearch = (number: number) =>
      this.#endSearch(number, 'no generated conversation is left that does without what the client lacks');
    function* yieldScenarios(): Generator<PlannedScenario> {
      for (const scenario of scenarios) yield { scenario };
      for (const scenario of listPairs()) yield { scenario };
      const drawn = generateConversations(seed, options.lacks);
      for (let number = 1; number <= (options.search ?? 0); number++) {
        const isOwn = isOfShard(number, options.shard);
        if (isOwn && !canPlay(number)) return;
        const next = drawn.next();
        if (next.done) return endSearch(number);
        if (isOwn) yield next.value;
      }
    }
    const iterator = yieldScenarios();
    // A loop that ends early must not end it for the other consumers.
    return { [Symbol.iterator]: () => ({ next: () => iterator.next() }) };
  }

  #listPairs(): readonly Scenario[] {
    const { pairs } = this;
    if (pairs.length === 0 || !this.#runner.canDoOtherJob) return [];
    const checks = pairs.length * CHECKS_OF_A_RUN;
    this.#total += checks;
    const text = `${formatCount(pairs.length, 'pair')} of scenarios are played in addition, each in one process`;
    this.onEvent({ type: 'note', text, checks });
    return pairs;
  }

  /** Plays a scenario. It changes no results, so that several can run at the same time. */
  async #start({ scenario, plan }: PlannedScenario): Promise<PlayOutcome> {
    const why = explainUnplayable(scenario, this.options.lacks, this.#runner.canDoOtherJob);
    if (why !== undefined) return createUnplayedCheck(scenario, 'skipped', why);
    if (this.#notStarted !== undefined) return this.#createUntriedCheck(scenario);
    this.onEvent({ type: 'case', case: scenario.name, running: true });
    try {
      return await this.#runUntilPassed(scenario, plan !== undefined);
    } catch (error) {
      return createUnplayedCheck(scenario, 'error', this.#noteFault(scenario.name, error));
    } finally {
      this.onEvent({ type: 'case', case: scenario.name, running: false });
    }
  }

  /** Judges a run. Called in the order of the scenarios: the first failure does not depend on the number of jobs. */
  async #finish(turn: PlannedScenario, outcome: PlayOutcome): Promise<void> {
    const { scenario } = turn;
    const addUnplayed = (check: CheckResult) => this.#add({ checks: [check] }, CHECKS_OF_A_RUN);
    if (!Array.isArray(outcome)) return addUnplayed(outcome);
    try {
      const runs = outcome.filter(({ end }) => end !== 'aborted').map((run) => this.#numbers.renumber(run));
      const last = runs.at(-1);
      if (!last) return;
      if (!this.#hasRun) this.#notStarted ??= findStartupCrash(last);
      if (this.#notStarted !== undefined) return addUnplayed(this.#createUntriedCheck(scenario));
      this.#hasRun = true;
      // A failure of a generated conversation has to show with its file alone.
      if (!turn.plan) for (const run of runs) run.sentFields = new Map(this.#sentFields);
      this.#add(await this.#judge(turn, runs), CHECKS_OF_A_RUN);
      for (const run of runs) recordSentFields(run, this.#sentFields);
    } catch (error) {
      addUnplayed(createUnplayedCheck(scenario, 'error', this.#noteFault(scenario.name, error)));
    }
  }

  /** The job of a pair that fails alone, too: the pair shows nothing about two jobs. */
  async #findFailingJob({ other_job: other, ...own }: Scenario): Promise<string | undefined> {
    if (!other) return undefined;
    for (const job of [...(await resolveScenarios([other.scenario])), { ...own, name: 'its second job' }]) {
      // As played before: by now the first of two jobs may have spoiled the process.
      const played = this.scenarios.find(({ file, other_job }) => !other_job && file === (job.file ?? ''));
      const isPassed = played && this.#isPassed.get(played.name);
      if (isPassed ?? !judgeRun(await this.#run(job)).some(({ level }) => level === 'must')) continue;
      return played?.name ?? job.name;
    }
    return undefined;
  }

  #createUntriedCheck(scenario: Scenario): CheckResult {
    return createUnplayedCheck(scenario, 'inconclusive', `not tried: ${this.#notStarted}`);
  }

  /** For a generated conversation, each newly broken rule is reported with the smallest conversation that breaks it. */
  async #judge({ scenario, plan }: PlannedScenario, runs: readonly ClientRun[]): Promise<RunPart> {
    const tries = runs.map((run) => this.#check(run));
    const { checks } = mergeTries(tries, hasPassedEvidence);
    const advice = uniqueBy(
      tries.flatMap((each) => each.advice),
      ({ id }) => id,
    );
    const hasFailed = checks.some(({ outcome }) => outcome === 'failed');
    this.#isPassed.set(scenario.name, !hasFailed);
    const failing = hasFailed ? await this.#findFailingJob(scenario) : undefined;
    if (failing !== undefined) {
      const message = `${failing} fails alone: correct that first.`;
      return { checks: [createUnplayedCheck(scenario, 'inconclusive', message)] };
    }
    const checked = { checks, advice };
    const all = runs.flatMap(listExchanges);
    if (!plan) return { ...checked, exchanges: all };
    const failed = new Set(checks.flatMap(({ outcome, rule }) => (outcome === 'failed' ? [rule] : [])));
    const found: FoundConversation[] = [];
    for (const run of runs) {
      const findings = judgeRun(run).filter(({ rule }) => failed.has(rule));
      found.push(...(await this.#reproducer.reproduce({ plan, scenario }, run, findings)));
    }
    const shown = new Set([...checks, ...advice].flatMap(({ evidence }) => evidence));
    const isPassed = checks.every(({ outcome }) => outcome === 'passed');
    const exchanges = isPassed ? all.filter(({ seq }) => shown.has(seq)) : all;
    for (const { name, rule, yaml, markdown, run: itsRun } of found) {
      this.onEvent({ type: 'failure', name, yaml, markdown });
      const small = this.#numbers.renumber(itsRun);
      const finding = judgeRun(small).find((each) => each.rule === rule);
      const check = checked.checks.find((each) => each.rule === rule);
      if (!finding || !check) continue;
      const again = this.#formatRepeatCommand(`${name}.yaml`);
      Object.assign(
        check,
        { message: finding.message, evidence: finding.evidence, shrunk: true },
        again !== undefined && { again, file: `${this.#out}/${name}.yaml` },
      );
      exchanges.push(...small.exchanges);
    }
    return { ...checked, exchanges };
  }

  #check(run: ClientRun): ReturnType<typeof createRunChecks> {
    return createRunChecks(
      run,
      judgeRun(run),
      formatRepeatCommand(this.#runner.client, run.scenario, run.seed),
    );
  }

  /** The command that plays a failure file. */
  #formatRepeatCommand(file: string): string | undefined {
    const { seed = 1 } = this.options;
    return formatRepeatCommand(this.#runner.client, { name: file, file: `${this.#out}/${file}` }, seed);
  }

  async #runUnknownScenario(): Promise<void> {
    try {
      const run = this.#numbers.renumber(await this.#run(UNKNOWN_SCENARIO));
      // A client that cannot be started is inconclusive in each scenario.
      if (run.end === 'not-started') this.#total--;
      else if (run.end !== 'aborted')
        this.#add({ checks: [checkUnknownScenario(run)], exchanges: run.exchanges }, 1);
    } catch (error) {
      const message = this.#noteFault(UNKNOWN_SCENARIO_CHECK.case, error);
      const check = { ...UNKNOWN_SCENARIO_CHECK, outcome: 'error' as const, message, evidence: [] };
      this.#add({ checks: [check] }, 1);
    }
  }

  /** Repeats a scenario as long as another run may show that a failure is flaky. */
  async #runUntilPassed(scenario: Scenario, skipsWaits: boolean): Promise<ClientRun[]> {
    const { retries = 0 } = this.options;
    const runs = [await this.#run(scenario, skipsWaits)];
    const isOpen = () =>
      mergeTries(
        runs.map((run) => this.#check(run)),
        hasPassedEvidence,
      ).isOpen;
    while (runs.length <= retries && this.#notStarted === undefined && !this.#isAborted && isOpen())
      runs.push(await this.#run(scenario, skipsWaits));
    return runs;
  }

  async #run(scenario: Scenario, skipsWaits = false): Promise<ClientRun> {
    const run = await this.#runner.play(scenario, {
      ...this.#playOptions,
      ids: scenario.name,
      skipsWaits,
    });
    if (run.end === 'not-started') this.#notStarted ??= run.error ?? 'the client could not be started';
    return run;
  }

  /** Returns the message of the check. */
  #noteFault(where: string, error: unknown): string {
    const text = error instanceof Error ? error.message : String(error);
    this.onEvent({ type: 'note', text: `${where}: taskdouble itself failed: ${text}` });
    return `the check itself crashed, which is a fault of taskdouble (${text})`;
  }

  /** `planned`: the number of checks expected for this part. */
  #add(part: RunPart, planned: number): void {
    this.#parts.add(part);
    this.#total += part.checks.length - planned;
    const elapsedMs = this.#elapsedMs;
    for (const check of part.checks)
      this.onEvent({ type: 'check', check, done: ++this.#done, total: this.#total, elapsedMs });
  }

  #createReport(started: Date, duration_ms: number): ConformReport {
    const { scenarios, shard } = this.options;
    const { client, adapter } = this.#runner;
    const parts = this.#parts.read();
    const { checks } = parts;
    const stopped = this.#isAborted ? 'interrupted' : this.#notStarted;
    const report = createReport({
      target: {
        base_url: BASE_URL,
        client: formatClientName(client),
        time: describeRunTime(client.kind),
        ...(adapter !== undefined && { adapter }),
      },
      seed: this.#playOptions.seed,
      ...(shard && { shard }),
      started,
      duration_ms,
      ...parts,
      requirements: measureCoverage('client', checks, () => 'no scenario that was played gave the occasion', {
        isPartial: scenarios !== undefined,
      }),
      ...(stopped !== undefined && { stopped }),
    });
    return { ...report, causes: addLacks(report.causes, this.scenarios, checks) };
  }
}
