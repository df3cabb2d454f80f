import { setMaxListeners } from 'node:events';
import { createRandom } from '../../../mock/generate/random.js';
import type { OperationId } from '../../../spec/generated/operations.js';
import { truncateText } from '../../../spec/show.js';
import type { CheckResult } from '../../causes/check-result.js';
import { explainLack } from '../../common/lacks.js';
import type { Rule } from '../../rules/rule.js';
import { ExchangeRecorder, ExchangeStream } from '../http-client/exchanges.js';
import { HttpClient, type Interruption } from '../http-client/http-client.js';
import { NoResponse } from '../http-client/response.js';
import type { ServiceTarget } from '../http-client/target.js';
import {
  ALLOWANCES,
  type Allowance,
  findMissingOption,
  type Settings,
  type TestCase,
} from '../test-case/test-case.js';
import { CaseEndError, TestContext } from '../test-case/test-context.js';
import { Cleanup, trackResources } from './cleanup.js';
import { explainAbsence, findAbsentOperations } from './presence.js';
import type { ConformEvent, ConformReport } from './result.js';
import { smokeCheck } from './smoke-check.js';
import { Refusals, reportResent, reportServerError } from './valid-requests.js';
import { type CaseCompletion, mergeTries, type TryResult, Verdicts } from './verdicts.js';

interface ServiceRunOptions {
  target: ServiceTarget;
  /** `lacking`: a feature that the case needs and the target does not have. */
  cases: readonly (TestCase & { lacking?: string | undefined })[];
  rules: readonly Rule[];
  settings: Settings;
  allow?: readonly Allowance[];
  /** Concurrent cases. */
  concurrency: number;
  /** Prefix for the names of created resources, unique per run. */
  runId: string;
  /** Decides which values the cases send. Default 1. */
  seed?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Number of retries of a failed case, and of a read that got a server error. Default 0. */
  retries?: number | undefined;
}

export interface RunRemarks {
  /** The target never responded as a service of this API: nothing was tested. */
  unreachable: boolean;
  /** What could not be removed from the target. */
  left: string[];
  /** Checks that crashed: defects of taskdouble. */
  faults: string[];
}

type RecordedFields = 'checks' | 'exchanges' | 'shortened' | 'dialect' | 'stopped';
export type RunResult = RunRemarks & Pick<ConformReport, RecordedFields>;

type RunEvent = Extract<ConformEvent, { type: 'case' | 'note' }> | { type: 'check'; check: CheckResult };

/** Runs cases against a target. Never throws because of the target's behavior. */
export async function runCases(
  options: ServiceRunOptions,
  onEvent: (event: RunEvent) => void = () => {},
): Promise<RunResult> {
  return new ServiceRun(options, onEvent).run();
}

interface CaseTry extends TryResult {
  ending: CaseCompletion;
}

/**
 * Whether another try shows the requirement of a failed check to be met: the check passed, or it is not a check of the case and
 * no failure was found.
 */
function isKept({ id }: CheckResult, { checks, ending }: CaseTry): boolean {
  const same = checks.find((check) => check.id === id);
  return same ? same.outcome === 'passed' || same.outcome === 'flaky' : ending.kind === 'whole';
}

/** Subject of findings about removals after all cases. */
const REMOVAL = {
  id: 'resources/removal',
  title: 'The resources of the run are removed at its end',
  covers: [],
};
/** Subject of findings about valid requests that are refused once and accepted before, in any case. */
const REFUSALS = {
  id: 'resources/refusals',
  title: 'Requests that were accepted are accepted again',
  covers: [],
};

class ServiceRun {
  readonly #refusals = new Refusals();
  readonly #recorder = new ExchangeRecorder((exchange) => this.#refusals.observe(exchange));
  readonly #cleanup = new Cleanup();
  readonly #dialect = new Map<string, string | number>();
  readonly #checks: CheckResult[] = [];
  readonly #faults: string[] = [];
  /** `seq` of exchanges that show a failure, flaky or not. */
  readonly #shown = new Set<number>();
  readonly #interruption: Interruption;
  #absent: ReadonlyMap<OperationId, number> = new Map();
  #names = 0;
  #stopped: string | undefined;

  constructor(
    private readonly options: ServiceRunOptions,
    private readonly onEvent: (event: RunEvent) => void,
  ) {
    const { signal } = options;
    // All pending requests listen to it.
    if (signal) setMaxListeners(0, signal);
    this.#interruption = { signal };
  }

  async run(): Promise<RunResult> {
    const { signal, concurrency, retries = 0 } = this.options;
    const tries = [await this.#trySmoke()];
    const findComplete = () => tries.find(({ ending }) => ending.kind === 'whole');
    let tried = mergeTries(tries, isKept);
    while ((tried.isOpen || !findComplete()) && tries.length <= retries && !signal?.aborted) {
      tries.push(await this.#trySmoke());
      tried = mergeTries(tries, isKept);
    }
    const { own, ending } = findComplete() ?? tries.at(-1)!;
    if (ending.kind === 'whole') {
      this.#addChecks(tried.checks);
      await this.#runAll();
    } else this.#giveUp(own, ending.why);
    if (signal?.aborted) this.#stopped ??= 'interrupted';
    this.#interruption.signal = undefined;
    this.#reportRefusals();
    const { exchanges, bodies } = this.#recorder;
    const before = exchanges.length;
    const left = await this.#cleanup.run(concurrency);
    const removal = new Verdicts();
    for (const exchange of exchanges.slice(before)) reportServerError(removal, exchange);
    this.#addChecks(removal.createChecks(REMOVAL, { kind: 'whole' }));
    return {
      checks: this.#checks,
      exchanges,
      dialect: Object.fromEntries([...this.#dialect].sort(([one], [other]) => (one < other ? -1 : 1))),
      unreachable: ending.kind !== 'whole',
      left,
      faults: this.#faults,
      ...(bodies.shortened > 0 ? { shortened: bodies.shortened } : {}),
      ...(this.#stopped === undefined ? {} : { stopped: this.#stopped }),
    };
  }

  /** `own`: without the server errors, which are the reason if nothing can be tested. */
  async #trySmoke(): Promise<CaseTry & { own: CheckResult[] }> {
    const verdicts = new Verdicts();
    const stream = new ExchangeStream(this.#recorder);
    const ending = await this.#play(smokeCheck, verdicts, stream);
    const own = verdicts.createChecks(smokeCheck, ending);
    for (const exchange of stream.ended) reportServerError(verdicts, exchange);
    reportResent(verdicts, stream.resent);
    return { checks: verdicts.createChecks(smokeCheck, ending), own, ending };
  }

  #giveUp(own: readonly CheckResult[], why: string): void {
    this.#stopped = why;
    const ending = { kind: 'inconclusive', why: `not tried: ${why}` } as const;
    this.#addChecks(own);
    // Reported in one sentence, without an event per case.
    for (const testCase of this.options.cases)
      this.#checks.push(...new Verdicts().createChecks(testCase, ending));
  }

  #reportRefusals(): void {
    const verdicts = new Verdicts();
    this.#refusals.report(verdicts, (seq) => this.#shown.has(seq));
    this.#addChecks(verdicts.createChecks(REFUSALS, { kind: 'whole' }));
  }

  /**
   * Cases that change the account run last and one by one, since the others must not see the change. Before them come the cases
   * marked `alone`.
   */
  async #runAll(): Promise<void> {
    const { target, cases, concurrency } = this.options;
    const client = new HttpClient(target, new ExchangeStream(this.#recorder), this.#interruption);
    const called = cases.flatMap((each) => (this.#findObstacle(each) ? [] : each.operations));
    this.#absent = await findAbsentOperations((...args) => client.send(...args), target, [
      ...new Set(called),
    ]);
    const harmless = cases.filter(({ allow }) => allow === undefined);
    const others = cases.filter(({ allow }) => allow !== undefined);
    const [together, alone] = [false, true].map((is) => harmless.filter((each) => !!each.alone === is));
    await this.#runSome(together!, concurrency);
    await this.#runSome([...alone!, ...others], 1);
  }

  async #runSome(cases: ServiceRunOptions['cases'], concurrency: number): Promise<void> {
    const next = cases.values();
    const worker = async () => {
      for (const testCase of next) await this.#runCase(testCase);
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
  }

  async #runCase(testCase: ServiceRunOptions['cases'][number]): Promise<void> {
    const missing = this.#findObstacle(testCase);
    if (missing) return this.#addChecks(new Verdicts().createChecks(testCase, missing));
    this.onEvent({ type: 'case', case: testCase.id, running: true });
    const tries = [await this.#tryCase(testCase)];
    let tried = mergeTries(tries, isKept);
    // Operations that cost money are not retried.
    const retries = testCase.allow === 'billing' ? 0 : (this.options.retries ?? 0);
    while (tried.isOpen && tries.length <= retries && this.#findObstacle(testCase) === undefined) {
      tries.push(await this.#tryCase(testCase));
      tried = mergeTries(tries, isKept);
    }
    this.#addChecks(tried.checks);
    this.onEvent({ type: 'case', case: testCase.id, running: false });
  }

  async #tryCase(testCase: TestCase): Promise<CaseTry> {
    const verdicts = new Verdicts();
    const stream = new ExchangeStream(this.#recorder, this.options.rules);
    let ending = await this.#play(testCase, verdicts, stream);
    if (ending.kind === 'unanswered') ending = await this.#checkOthers(ending);
    try {
      verdicts.addJudgeResults(stream.judge, this.options.rules);
    } catch (error) {
      // A crashed rule is a defect of taskdouble as well.
      ending = this.#recordFault(testCase, error);
    }
    for (const exchange of stream.ended) reportServerError(verdicts, exchange);
    reportResent(verdicts, stream.resent);
    const checks = verdicts.createChecks(testCase, ending);
    for (const { outcome, evidence } of checks)
      if (outcome === 'failed' || outcome === 'flaky') for (const seq of evidence) this.#shown.add(seq);
    stream.close(this.#shown);
    return { checks, ending };
  }

  /** The reason why the case cannot run. */
  #findObstacle(testCase: ServiceRunOptions['cases'][number]): CaseCompletion | undefined {
    const { target, signal, allow = [] } = this.options;
    const stopped = this.#stopped ?? (signal?.aborted ? 'interrupted' : undefined);
    if (stopped !== undefined) return { kind: 'interrupted', why: `not tried: ${stopped}` };
    const { lacking } = testCase;
    if (lacking !== undefined) return { kind: 'skipped', why: explainLack(lacking, 'service') };
    const absent = testCase.operations.find((each) => this.#absent.has(each));
    if (absent !== undefined)
      return { kind: 'skipped', why: explainAbsence(absent, this.#absent.get(absent)!) };
    const option = findMissingOption(testCase, { allow, keys: target.keys });
    if (option === undefined) return undefined;
    const why = option.startsWith('--key')
      ? `needs another key: ${option}`
      : `changes the account: ${option} allows it (${ALLOWANCES.join(', ')})`;
    return { kind: 'skipped', why };
  }

  async #play(testCase: TestCase, verdicts: Verdicts, stream: ExchangeStream): Promise<CaseCompletion> {
    const { target, settings, signal, runId, seed = 1, retries } = this.options;
    const t = new TestContext({
      target,
      client: new HttpClient(target, stream, this.#interruption, retries),
      verdicts,
      cleanup: this.#cleanup,
      settings,
      unique: () => `td-${runId}-${++this.#names}`,
      random: createRandom(seed).fork(testCase.id),
      observe: (point, choice) => this.#dialect.set(point, choice),
      interruption: this.#interruption,
    });
    try {
      await trackResources(t, (tracked) => testCase.run(tracked));
      return { kind: 'whole' };
    } catch (error) {
      if (error instanceof CaseEndError) return { kind: error.kind, why: error.message };
      if (signal?.aborted) return { kind: 'interrupted', why: 'interrupted' };
      if (error instanceof NoResponse) return { kind: 'unanswered', why: error.message, seq: error.seq };
      return this.#recordFault(testCase, error);
    }
  }

  #recordFault({ id }: TestCase, error: unknown): CaseCompletion {
    const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const stack = error instanceof Error && process.env.TASKDOUBLE_DEBUG === '1' ? error.stack : undefined;
    this.#faults.push(`${id}: ${stack ?? why}`);
    return { kind: 'fault', why: `the check itself crashed, which is a fault of taskdouble (${why})` };
  }

  /** If other requests get responses, the request without a response is a failure; otherwise the target is gone. */
  async #checkOthers(ending: Extract<CaseCompletion, { kind: 'unanswered' }>): Promise<CaseCompletion> {
    if (this.#stopped !== undefined) return { kind: 'interrupted', why: this.#stopped };
    const client = new HttpClient(
      this.options.target,
      new ExchangeStream(this.#recorder),
      this.#interruption,
    );
    for (const operation of ['getUsage', 'listTasks'] as const) {
      if (await client.send(operation).catch(() => undefined)) return ending;
    }
    this.#stopped ??= `the target has stopped responding: ${ending.why}. ${this.#describeSuspect()}`;
    this.onEvent({ type: 'note', text: this.#stopped });
    return { kind: 'interrupted', why: this.#stopped };
  }

  /** The first request without a response that was not a failure itself. */
  #describeSuspect(): string {
    const judged = new Set(this.#checks.flatMap(({ evidence }) => evidence));
    const first = this.#recorder.exchanges.find(({ seq, response }) => !response && !judged.has(seq));
    if (!first) return 'Check the last requests that it received.';
    const { method, url, body } = first.request;
    const sent = body === undefined ? '' : ` with ${truncateText(body, 200)}`;
    return `The suspect is exchange ${first.seq}, ${method} ${url}${sent}: the first that got no response.`;
  }

  #addChecks(checks: readonly CheckResult[]): void {
    this.#checks.push(...checks);
    for (const check of checks) this.onEvent({ type: 'check', check });
  }
}
