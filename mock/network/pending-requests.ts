import { isCreateTarget } from '../../scenarios/verbs/target.js';
import type { HoldCondition } from '../../scenarios/verbs/verb.js';
import type { Organisation } from '../engine/organisation.js';
import type { Run, Task } from '../engine/tasks/task.js';
import type { ActiveRule } from './active-rule.js';
import type { Network } from './network.js';
import { isMatch, type NetworkRequest } from './network-request.js';
import type { RequestCounts } from './request-counts.js';

/** The time or condition for which a pending request or response waits. */
interface Wait extends Partial<WaitCondition> {
  /** Time of the release if the condition is not met, ms. */
  latest: number;
  task: Task | undefined;
  /** `seq` of the exchange. */
  exchange: number;
  /** The gate that meets the condition, if it is one. */
  gate: string | undefined;
}

/** A request that a network rule holds, or whose response it holds. */
export interface HeldExchange {
  /** `seq` of the exchange. */
  exchange: number;
  /** Id of the rule. */
  rule: string;
  /** The gate that releases it, if it waits for one. */
  gate?: string;
  since: number;
  /** When it is released at the latest, ms. */
  latest: number;
}

/** Why it was released: the condition was met, the time was over, the client disconnected, or the rule was removed. */
export type ReleaseReason = 'met' | 'time' | 'disconnected' | 'cleared';

interface PendingEntry {
  rule: ActiveRule;
  wait: Wait;
  /** ms. */
  since: number;
  go: (release: ReleaseReason) => void;
  /** Set by `clear` or by the client's abort signal. */
  release?: ReleaseReason;
  wake: () => void;
  unlisten: () => void;
}

/**
 * Requests and responses that wait. One with a due time resumes at that time, also in the middle of a long clock jump. All others resume
 * after the change that releases them is complete: as due work of the same instant, or right after the code that made the change.
 */
export class PendingRequests {
  #entries = new Set<PendingEntry>();
  #isReviewPlanned = false;

  /** `onHold` is called when a wait begins. */
  constructor(
    private readonly organisation: Organisation,
    private readonly onHold: () => void = () => {},
  ) {}

  get size(): number {
    return this.#entries.size;
  }

  /**
   * Calls `go` when the wait ends, but never before this function returns. Returns false, and does not call it, if there is nothing to wait
   * for.
   */
  hold(
    rule: ActiveRule,
    wait: Wait,
    signal: AbortSignal | undefined,
    go: (release: ReleaseReason) => void,
  ): boolean {
    const { organisation } = this;
    if (organisation.closed || wait.latest <= organisation.now || signal?.aborted || wait.isMet?.())
      return false;
    const entry: PendingEntry = {
      rule,
      wait,
      since: organisation.now,
      go,
      wake: () => this.#release(entry, entry.release ?? 'time'),
      unlisten: () => {},
    };
    this.#entries.add(entry);
    rule.waiting++;
    if (signal) {
      const onAbort = () => {
        entry.release = 'disconnected';
        this.review();
      };
      signal.addEventListener('abort', onAbort, { once: true });
      entry.unlisten = () => signal.removeEventListener('abort', onAbort);
    }
    organisation.plan(wait.latest, entry.wake);
    this.onHold();
    return true;
  }

  isHolding(rule: ActiveRule, task: Task | undefined): boolean {
    return [...this.#entries].some((entry) => entry.rule === rule && entry.wait.task === task);
  }

  /** Those of a task. */
  list(task: Task): HeldExchange[] {
    return [...this.#entries].flatMap(({ rule, since, wait: { exchange, gate, latest, task: its } }) =>
      its === task ? [{ exchange, rule: rule.id, since, latest, ...(gate !== undefined && { gate }) }] : [],
    );
  }

  createArrivalReporter(): (request: NetworkRequest) => void {
    if (this.#entries.size === 0) return () => {};
    const entries = [...this.#entries];
    return (request) => {
      for (const entry of entries) entry.wait.onRequest?.('arrive', request);
      this.review();
    };
  }

  /** The caller must call `review` afterwards. */
  reportResponse(request: NetworkRequest): void {
    for (const entry of this.#entries) entry.wait.onRequest?.('response', request);
  }

  clear(concerns: (rule: ActiveRule) => boolean): void {
    for (const entry of this.#entries) if (concerns(entry.rule)) entry.release = 'cleared';
    this.review();
  }

  /** Schedules a check for requests to release. Safe at any time, also during a timeline's step. */
  review(): void {
    if (this.#isReviewPlanned || this.#entries.size === 0) return;
    this.#isReviewPlanned = true;
    const { organisation } = this;
    organisation.plan(organisation.now, this.#releaseMet);
    queueMicrotask(() => {
      // A reset may have emptied the schedule: check the requests anyway.
      organisation.catchUp();
      this.#releaseMet();
    });
  }

  #releaseMet = (): void => {
    if (!this.#isReviewPlanned) return;
    this.#isReviewPlanned = false;
    for (const entry of [...this.#entries]) {
      const release = entry.release ?? (entry.wait.isMet?.() ? 'met' : undefined);
      if (release) this.#release(entry, release);
    }
  };

  #release(entry: PendingEntry, release: ReleaseReason): void {
    if (!this.#entries.delete(entry)) return;
    entry.rule.waiting--;
    if (release === 'time' && entry.wait.isMet) entry.rule.gave_up++;
    entry.unlisten();
    if (release !== 'time') this.organisation.cancelWakeUp(entry.wake);
    entry.go(release);
  }
}

/** The condition for which a request, a response or a step waits. */
export interface WaitCondition {
  isMet: () => boolean;
  /** Called for every request that arrives, and again when its response has left; true if this meets the condition. */
  onRequest?: (what: 'arrive' | 'response', request: NetworkRequest) => boolean;
}

export function createCondition(
  until: HoldCondition,
  task: Task | undefined,
  run: Run | undefined,
  { organisation, counts }: Network,
  isInitiallyMet = hasOccurred(until, task, counts),
): WaitCondition {
  if ('gate' in until)
    return {
      isMet: () => (task ? organisation.isGateOpen(until.gate, task) : organisation.gates.has(until.gate)),
    };
  if ('step' in until) return { isMet: () => run?.happened.has(until.step) === true };
  const target = 'response' in until ? until.response : until.arrive;
  let isMet = isInitiallyMet;
  const onRequest = (what: 'arrive' | 'response', request: NetworkRequest) => {
    // A timeline's rule can match requests of its own task, and creates.
    const canMean = task === undefined || request.task === task || isCreateTarget(target);
    const isMeant = what in until && canMean && isMatch(target, request, run);
    isMet ||= isMeant;
    return isMeant;
  };
  return { isMet: () => isMet, onRequest };
}

/** True if the n-th request has already arrived (or its response has left) when the wait begins. */
function hasOccurred(until: HoldCondition, task: Task | undefined, counts: RequestCounts): boolean {
  const target = 'response' in until ? until.response : 'arrive' in until ? until.arrive : {};
  for (const kind of ['create', 'poll', 'cancel'] as const) {
    const wanted = target[kind];
    if (typeof wanted !== 'number') continue;
    if (counts.count(kind, task) < wanted) return false;
    return !('response' in until) || !counts.isUnderWay(kind, wanted, task);
  }
  return false;
}
