import { setMaxListeners } from 'node:events';
import type { RequirementId } from '../../../spec/generated/documents.js';
import type { Exchange } from '../../../spec/vocabulary.js';
import type { Rule } from '../../rules/rule.js';
import { HttpClient } from '../http-client/http-client.js';
import { ExchangeRecorder, Stream } from '../http-client/recorder.js';
import { NoResponse } from '../http-client/response.js';
import type { Target } from '../http-client/target.js';
import { ALLOWANCES, type Allowance, type Settings, type TestCase } from '../test-case/test-case.js';
import { CaseEnded, TestContext } from '../test-case/test-context.js';
import { Cleanup, trackResources } from './cleanup.js';
import { Interruption } from './interruption.js';
import type { CheckResult } from './result.js';
import { runSmokeCheck, type SmokeCheck } from './smoke-check.js';
import { type Ending, Verdicts } from './verdicts.js';

export interface RunOptions {
  target: Target;
  cases: readonly TestCase[];
  rules: readonly Rule[];
  settings: Settings;
  allow?: readonly Allowance[];
  /** Cases at a time. */
  concurrency: number;
  /** Begins the names of what is created, so that no two runs meet. */
  runId: string;
  signal?: AbortSignal;
}

export interface RunResult {
  checks: CheckResult[];
  exchanges: Exchange[];
  /** Exchanges with a body that was shortened. */
  shortened: number;
  dialect: Record<string, string | number>;
  /** Why it ended before its end. */
  stopped?: string;
  /** The target never answered, or refused to be tested: nothing was. */
  unreachable: boolean;
  /** What could not be removed from the target. */
  left: string[];
  /** Cases that failed themselves: faults of ours. */
  faults: string[];
}

export interface RunEvents {
  onCase?(testCase: TestCase, running: boolean): void;
  onChecks?(checks: CheckResult[]): void;
  onNote?(text: string): void;
}

/** Runs cases against a target. Throws nothing for what the target does. */
export async function runCases(options: RunOptions, events: RunEvents = {}): Promise<RunResult> {
  return new ServiceRun(options, events).run();
}

class ServiceRun {
  readonly #recorder = new ExchangeRecorder();
  readonly #cleanup = new Cleanup();
  readonly #dialect = new Map<string, string | number>();
  readonly #checks: CheckResult[] = [];
  readonly #faults: string[] = [];
  readonly #allowed: ReadonlySet<Allowance>;
  #names = 0;
  #stopped: string | undefined;
  #unreachable = false;
  readonly #interruption: Interruption;

  constructor(
    private readonly options: RunOptions,
    private readonly events: RunEvents,
  ) {
    this.#allowed = new Set(options.allow);
    // All requests under way listen to it.
    if (options.signal) setMaxListeners(0, options.signal);
    this.#interruption = new Interruption(options.signal);
  }

  async run(): Promise<RunResult> {
    const { cases, target, signal } = this.options;
    const smoke = await runSmokeCheck(target, this.#recorder, signal).catch((error): SmokeCheck => {
      if (signal?.aborted) return { isPassed: false, why: 'interrupted', evidence: [] };
      throw error;
    });
    if (smoke.isPassed) {
      await this.#all();
    } else {
      this.#stopped = smoke.why;
      this.#unreachable = true;
      if (smoke.broken !== undefined) this.#add([firstTasks(smoke.broken, smoke)]);
      const ending = { kind: 'inconclusive', why: `not tried: ${smoke.why}` } as const;
      for (const testCase of cases) this.#add(new Verdicts().checks(testCase, ending));
    }
    if (signal?.aborted) this.#stopped ??= 'interrupted';
    this.#interruption.lift();
    const left = await this.#cleanup.run(this.options.concurrency);
    const result: RunResult = {
      checks: this.#checks,
      exchanges: this.#recorder.exchanges,
      shortened: this.#recorder.bodies.shortened,
      dialect: Object.fromEntries([...this.#dialect].sort(([one], [other]) => (one < other ? -1 : 1))),
      unreachable: this.#unreachable,
      left,
      faults: this.#faults,
    };
    if (this.#stopped !== undefined) result.stopped = this.#stopped;
    return result;
  }

  /** Cases that change the account go last and alone: the others must not see it change. Before them, those that ask for it. */
  async #all(): Promise<void> {
    const { cases, concurrency } = this.options;
    const harmless = cases.filter(({ allow }) => allow === undefined);
    await this.#some(
      harmless.filter(({ alone }) => !alone),
      concurrency,
    );
    await this.#some(
      harmless.filter(({ alone }) => alone),
      1,
    );
    await this.#some(
      cases.filter(({ allow }) => allow !== undefined),
      1,
    );
  }

  async #some(cases: readonly TestCase[], concurrency: number): Promise<void> {
    const next = cases.values();
    const worker = async () => {
      for (const testCase of next) await this.#one(testCase);
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
  }

  async #one(testCase: TestCase): Promise<void> {
    const verdicts = new Verdicts();
    const missing = this.#missing(testCase);
    if (missing) return this.#add(verdicts.checks(testCase, missing));
    this.events.onCase?.(testCase, true);
    const stream = new Stream(this.#recorder, this.options.rules);
    const ending = await this.#perform(testCase, verdicts, stream);
    const checks = verdicts.checks(testCase, this.#judge(testCase, verdicts, stream) ?? ending);
    stream.close(new Set(checks.flatMap(({ outcome, evidence }) => (outcome === 'failed' ? evidence : []))));
    this.#add(checks);
    this.events.onCase?.(testCase, false);
  }

  /** What keeps the case from being tried. */
  #missing({ allow, keys }: TestCase): Ending | undefined {
    const skipped = (why: string): Ending => ({ kind: 'skipped', why });
    if (this.#stopped !== undefined) return { kind: 'interrupted', why: `not tried: ${this.#stopped}` };
    if (this.options.signal?.aborted) return { kind: 'interrupted', why: 'not tried: interrupted' };
    if (allow !== undefined && !this.#allowed.has(allow))
      return skipped(`changes the account: --allow ${allow} lets it run (${ALLOWANCES.join(', ')})`);
    const lacking = keys?.find((key) => this.options.target.keys[key] === undefined);
    return lacking && skipped(`needs another key: --key ${lacking}=KEY`);
  }

  async #perform(testCase: TestCase, verdicts: Verdicts, stream: Stream): Promise<Ending> {
    const { target, settings, signal, runId } = this.options;
    const interruption = this.#interruption;
    const client = new HttpClient(target, stream, interruption);
    const t = new TestContext({
      target,
      client,
      verdicts,
      cleanup: this.#cleanup,
      settings,
      unique: () => `td-${runId}-${++this.#names}`,
      observe: (point, choice) => this.#dialect.set(point, choice),
      interruption,
    });
    try {
      await trackResources(t, (tracked) => testCase.run(tracked));
      return { kind: 'whole' };
    } catch (error) {
      if (error instanceof CaseEnded) return { kind: error.kind, why: error.message };
      if (signal?.aborted) return { kind: 'interrupted', why: 'interrupted' };
      if (error instanceof NoResponse) return this.#unanswered(error);
      return this.#fault(testCase, error);
    }
  }

  /** Takes over what the rules saw. A rule that crashes is a fault of ours as well. */
  #judge(testCase: TestCase, verdicts: Verdicts, stream: Stream): Ending | undefined {
    try {
      verdicts.take(stream.judge, this.options.rules);
      return undefined;
    } catch (error) {
      return this.#fault(testCase, error);
    }
  }

  #fault({ id }: TestCase, error: unknown): Ending {
    const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const stack = error instanceof Error && process.env.TASKDOUBLE_DEBUG === '1' ? error.stack : undefined;
    this.#faults.push(`${id}: ${stack ?? why}`);
    return { kind: 'fault', why: `the check itself crashed, which is a fault of taskdouble (${why})` };
  }

  /** One request without an response is the request's fault if others get theirs, else the target is gone. */
  async #unanswered(error: NoResponse): Promise<Ending> {
    if (this.#stopped !== undefined) return { kind: 'interrupted', why: this.#stopped };
    const client = new HttpClient(this.options.target, new Stream(this.#recorder, []), this.#interruption);
    for (const operation of ['getUsage', 'listTasks'] as const) {
      try {
        await client.send(operation);
        return { kind: 'unanswered', why: error.message, seq: error.seq };
      } catch {
        // The next one says more.
      }
    }
    this.#stopped ??= `the target has stopped responding: ${error.message}`;
    this.events.onNote?.(this.#stopped);
    return { kind: 'interrupted', why: this.#stopped };
  }

  #add(checks: CheckResult[]): void {
    this.#checks.push(...checks);
    this.events.onChecks?.(checks);
  }
}

/** The check of what comes before all others, there only when it fails. */
function firstTasks(
  requirement: RequirementId,
  { why, evidence }: { why: string; evidence: number[] },
): CheckResult {
  return {
    id: `polling/first-tasks#${requirement}`,
    case: 'polling/first-tasks',
    suite: 'polling',
    title: 'Two tasks are made and told apart, without which nothing else can be tried',
    covers: [requirement],
    outcome: 'failed',
    message: why,
    evidence,
  };
}
