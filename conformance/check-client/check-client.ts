import { prepareVirtualTime } from '../../mock/virtual-time/virtual-run.js';
import type { Scenario } from '../../scenarios/format/types.js';
import type { CheckResult } from '../causes/check-result.js';
import { recordSentFields } from '../client/judge/create.js';
import { CHECKS_OF_A_RUN, createUnplayedCheck } from '../client/judge/run-checks.js';
import { ClientRunner } from '../client/run/adapter/client-runner.js';
import { excludeScenarios, resolveClient } from '../client/run/client-options.js';
import { findStartupCrash } from '../client/run/first-error.js';
import { explainUnplayable } from '../client/run/job.js';
import { loadPairs } from '../client/run/pairs.js';
import type { PlayOptions } from '../client/run/play.js';
import { RunNumbers } from '../client/run/recording.js';
import {
  checkUnknownScenario,
  UNKNOWN_SCENARIO,
  UNKNOWN_SCENARIO_CHECK,
} from '../client/run/unknown-scenario.js';
import type { Client, ClientRun } from '../client/types.js';
import { parseLack } from '../common/lacks.js';
import { runInOrder } from '../common/run-in-order.js';
import { checkShard, countOfShard, selectShard } from '../common/shard.js';
import type { ConformEvent, ConformReport } from '../service/runner/result.js';
import type { CheckClientOptions } from './options.js';
import { loadClientScenarios, type PlannedScenario, PlannedScenarios } from './planned-scenarios.js';
import { BASE_URL, createClientReport, type RunPart, RunParts } from './results.js';
import { ScenarioJudge } from './scenario-judge.js';

/** In real time a client is idle most of the time. */
const JOBS = { command: 8, node: 4, adapter: 4, function: 1 } as const satisfies Record<
  Client['kind'],
  number
>;

/** The runs of a scenario, or the check of one that could not be played. */
type PlayOutcome = ClientRun[] | CheckResult;

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
  readonly #sentFields = new Map<string, string>();
  #done = 0;
  readonly #startMs = performance.now();
  /** Checks in total, as far as known. */
  #total: number;
  /** Scenarios to play, including generated ones. */
  readonly #tasks: number;
  readonly #planned: PlannedScenarios;
  readonly #judge: ScenarioJudge;

  constructor(
    private readonly options: CheckClientOptions & { client: Client },
    private readonly scenarios: readonly Scenario[],
    pairs: readonly Scenario[],
    private readonly onEvent: (event: ConformEvent) => void,
  ) {
    const { seed = 1, deadlineMs, dialect, signal, unknownScenario = true } = options;
    this.#playOptions = { seed, deadlineMs, dialect, signal };
    this.#runner = new ClientRunner(options.client, (text) => onEvent({ type: 'note', text }));
    this.#tasks = scenarios.length + countOfShard(options.search ?? 0, options.shard);
    this.#total = this.#tasks * CHECKS_OF_A_RUN + (unknownScenario ? 1 : 0);
    this.#planned = new PlannedScenarios({
      ...{ options, seed, scenarios, pairs },
      canDoOtherJob: () => this.#runner.canDoOtherJob,
      onChange: (checks, text) => {
        this.#total += checks;
        onEvent({ type: 'note', text, ...(checks > 0 && { checks }) });
      },
    });
    this.#judge = new ScenarioJudge({
      readClient: () => this.#runner.client,
      ...{ seed, out: options.out ?? 'taskdouble-races', scenarios, numbers: this.#numbers, onEvent },
      play: (scenario) => this.#run(scenario),
      playSmaller: (scenario) => this.#runner.play(scenario, { ...this.#playOptions, skipsWaits: true }),
      isStopped: () => this.#isAborted,
      isSearchOver: () => this.#planned.isSearchOver,
    });
  }

  async run(): Promise<ConformReport> {
    const started = new Date();
    const { seed } = this.#playOptions;
    const { unknownScenario = true } = this.options;
    this.onEvent({ type: 'start', baseUrl: BASE_URL, seed, checks: this.#total, tasks: this.#tasks });
    if (unknownScenario && !this.#isAborted) await this.#runUnknownScenario();
    const open = this.#planned.list();
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

  get #isAborted(): boolean {
    return this.options.signal?.aborted === true;
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
      this.#add(await this.#judge.judge(turn, runs), CHECKS_OF_A_RUN);
      for (const run of runs) recordSentFields(run, this.#sentFields);
    } catch (error) {
      addUnplayed(createUnplayedCheck(scenario, 'error', this.#noteFault(scenario.name, error)));
    }
  }

  #createUntriedCheck(scenario: Scenario): CheckResult {
    return createUnplayedCheck(scenario, 'inconclusive', `not tried: ${this.#notStarted}`);
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
    while (
      runs.length <= retries &&
      this.#notStarted === undefined &&
      !this.#isAborted &&
      this.#judge.isOpen(runs)
    )
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
    const stopped = this.#isAborted ? 'interrupted' : this.#notStarted;
    return createClientReport(this.#runner, this.#parts, {
      ...{ seed: this.#playOptions.seed, started, duration_ms, scenarios: this.scenarios },
      isPartial: scenarios !== undefined,
      ...(shard && { shard }),
      ...(stopped !== undefined && { stopped }),
    });
  }
}
