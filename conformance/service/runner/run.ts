import { setMaxListeners } from 'node:events';
import type { RequirementId } from '../../../spec/generated/documents.js';
import type { Exchange } from '../../../spec/vocabulary.js';
import type { Rule } from '../../rules/rule.js';
import { ALLOWANCES, type Allowance, type Probe, type Settings } from '../cases/test-case.js';
import { createProbing, Ended } from '../cases/test-context.js';
import { Talker } from '../http-client/http-client.js';
import { Recorder, Stream } from '../http-client/recorder.js';
import { Unanswered } from '../http-client/response.js';
import type { Target } from '../http-client/target.js';
import { Cleanup } from './cleanup.js';
import { Interruption } from './interruption.js';
import type { CheckResult } from './result.js';
import { tryGate } from './smoke-check.js';
import { type Ending, Verdicts } from './verdicts.js';

export interface RunOptions {
  target: Target;
  probes: readonly Probe[];
  rules: readonly Rule[];
  settings: Settings;
  allow?: readonly Allowance[];
  /** Probes at a time. */
  concurrency: number;
  /** Begins the names of what is created, so that no two runs meet. */
  run_id: string;
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
  /** Probes that failed themselves: faults of ours. */
  faults: string[];
}

export interface RunEvents {
  onProbe?(probe: Probe, running: boolean): void;
  onChecks?(checks: CheckResult[]): void;
  onNote?(text: string): void;
}

/** Runs probes against a target. Throws nothing for what the target does. */
export async function runProbes(options: RunOptions, events: RunEvents = {}): Promise<RunResult> {
  return new Run(options, events).whole();
}

class Run {
  readonly #recorder = new Recorder();
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

  async whole(): Promise<RunResult> {
    const { probes, target, signal } = this.options;
    const gate = await tryGate(target, this.#recorder, signal).catch((error) => {
      if (signal?.aborted)
        return { open: false as const, closed: 'interrupted', answers: true, evidence: [] };
      throw error;
    });
    if (!gate.open) {
      this.#stopped = gate.closed;
      this.#unreachable = true;
      if ('broken' in gate && gate.broken !== undefined) this.#add([firstTasks(gate.broken, gate)]);
      for (const probe of probes) {
        const why = `not tried: ${gate.closed}`;
        this.#add(new Verdicts().checks(probe, { kind: 'inconclusive', why }));
      }
    } else {
      await this.#all();
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

  /** Probes that change the account go last and alone: the others must not see it change. Before them, those that ask for it. */
  async #all(): Promise<void> {
    const { probes, concurrency } = this.options;
    const harmless = probes.filter(({ allow }) => allow === undefined);
    await this.#some(
      harmless.filter(({ alone }) => !alone),
      concurrency,
    );
    await this.#some(
      harmless.filter(({ alone }) => alone),
      1,
    );
    await this.#some(
      probes.filter(({ allow }) => allow !== undefined),
      1,
    );
  }

  async #some(probes: readonly Probe[], concurrency: number): Promise<void> {
    const next = probes.values();
    const worker = async () => {
      for (const probe of next) await this.#one(probe);
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
  }

  async #one(probe: Probe): Promise<void> {
    const verdicts = new Verdicts();
    const missing = this.#missing(probe);
    if (missing) return this.#add(verdicts.checks(probe, missing));
    this.events.onProbe?.(probe, true);
    const stream = new Stream(this.#recorder, this.options.rules);
    const ending = await this.#perform(probe, verdicts, stream);
    const checks = verdicts.checks(probe, this.#judge(probe, verdicts, stream) ?? ending);
    stream.close(new Set(checks.flatMap(({ outcome, evidence }) => (outcome === 'failed' ? evidence : []))));
    this.#add(checks);
    this.events.onProbe?.(probe, false);
  }

  /** What keeps the probe from being tried. */
  #missing({ allow, keys }: Probe): Ending | undefined {
    const skipped = (why: string): Ending => ({ kind: 'skipped', why });
    if (this.#stopped !== undefined) return { kind: 'interrupted', why: `not tried: ${this.#stopped}` };
    if (this.options.signal?.aborted) return { kind: 'interrupted', why: 'not tried: interrupted' };
    if (allow !== undefined && !this.#allowed.has(allow))
      return skipped(`changes the account: --allow ${allow} lets it run (${ALLOWANCES.join(', ')})`);
    const lacking = keys?.find((key) => this.options.target.keys[key] === undefined);
    return lacking && skipped(`needs another key: --key ${lacking}=KEY`);
  }

  async #perform(probe: Probe, verdicts: Verdicts, stream: Stream): Promise<Ending> {
    const { target, settings, signal, run_id } = this.options;
    const interruption = this.#interruption;
    const talker = new Talker(target, stream, interruption);
    const probing = createProbing({
      target,
      talker,
      verdicts,
      cleanup: this.#cleanup,
      settings,
      allowed: this.#allowed,
      unique: () => `td-${run_id}-${++this.#names}`,
      observed: (point, choice) => this.#dialect.set(point, choice),
      get signal() {
        return interruption.signal;
      },
    });
    try {
      await probe.run(probing);
      return { kind: 'whole' };
    } catch (error) {
      if (error instanceof Ended) return { kind: error.kind, why: error.message };
      if (signal?.aborted) return { kind: 'interrupted', why: 'interrupted' };
      if (error instanceof Unanswered) return this.#unanswered(error);
      return this.#fault(probe, error);
    }
  }

  /** Takes over what the rules saw. A rule that crashes is a fault of ours as well. */
  #judge(probe: Probe, verdicts: Verdicts, stream: Stream): Ending | undefined {
    try {
      verdicts.take(stream.judge, this.options.rules);
      return undefined;
    } catch (error) {
      return this.#fault(probe, error);
    }
  }

  #fault({ id }: Probe, error: unknown): Ending {
    const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const stack = error instanceof Error && process.env.TASKDOUBLE_DEBUG === '1' ? error.stack : undefined;
    this.#faults.push(`${id}: ${stack ?? why}`);
    return { kind: 'fault', why: `the check itself crashed, which is a fault of taskdouble (${why})` };
  }

  /** One request without an answer is the request's fault if others get theirs, else the target is gone. */
  async #unanswered(error: Unanswered): Promise<Ending> {
    if (this.#stopped !== undefined) return { kind: 'interrupted', why: this.#stopped };
    const talker = new Talker(this.options.target, new Stream(this.#recorder, []), this.#interruption);
    for (const operation of ['getUsage', 'listTasks'] as const) {
      try {
        await talker.send(operation);
        return { kind: 'unanswered', why: error.message, seq: error.seq };
      } catch {
        // The next one says more.
      }
    }
    this.#stopped ??= `the target does not answer any more: ${error.message}`;
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
  { closed, evidence }: { closed: string; evidence: number[] },
): CheckResult {
  return {
    id: `polling/first-tasks#${requirement}`,
    suite: 'polling',
    title: 'Two tasks are made and told apart, without which nothing else can be tried',
    covers: [requirement],
    outcome: 'failed',
    message: closed,
    evidence,
  };
}
