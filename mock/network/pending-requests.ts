import type { Organisation } from '../engine/organisation.js';
import type { Task } from '../engine/tasks/task.js';
import type { ActiveRule } from './active-rule.js';
import type { WaitCondition } from './conditions.js';
import type { NetworkRequest } from './network-request.js';

/** What a pending request or response waits for: a time or a condition. */
export interface Wait extends Partial<WaitCondition> {
  /** Time at which it is released in any case, ms. */
  latest: number;
  /** The task of the request. */
  task: Task | undefined;
}

/** Why it was released: the condition was met, the time was over, the client disconnected, or the rule was removed. */
export type ReleaseReason = 'met' | 'time' | 'gone' | 'cleared';

interface PendingEntry {
  rule: ActiveRule;
  wait: Wait;
  go: (release: ReleaseReason) => void;
  /** Set by `clear` or by the client's abort signal. */
  release?: ReleaseReason;
  wake: () => void;
  unlisten: () => void;
}

/**
 * Requests and responses that wait. One with a due time resumes at that time, also in the middle of a long clock
 * jump. All others resume after the change that releases them is complete: as due work of the same instant, or
 * right after the code that made the change.
 */
export class PendingRequests {
  #entries = new Set<PendingEntry>();
  #isReviewPlanned = false;

  /** `onHold` is called each time that a wait begins. */
  constructor(
    private readonly organisation: Organisation,
    private readonly onHold: () => void = () => {},
  ) {}

  get size(): number {
    return this.#entries.size;
  }

  /**
   * Calls `go` when the wait ends. Returns false, and never calls it, when there is nothing to wait for. `go` is not called
   * before this returns.
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
      go,
      wake: () => this.#release(entry, entry.release ?? 'time'),
      unlisten: () => {},
    };
    this.#entries.add(entry);
    rule.waiting++;
    if (signal) {
      const onAbort = () => {
        entry.release = 'gone';
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

  /** Returns a function that reports an arrived request to the requests that are pending now. */
  createArrivalReporter(): (request: NetworkRequest) => void {
    if (this.#entries.size === 0) return () => {};
    const entries = [...this.#entries];
    return (request) => {
      for (const entry of entries) entry.wait.onRequest?.('arrive', request);
      this.review();
    };
  }

  /** Reports that a response has left. The caller then calls `review`. */
  reportResponse(request: NetworkRequest): void {
    for (const entry of this.#entries) entry.wait.onRequest?.('answer', request);
  }

  /** Releases the requests that these rules hold. */
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
      // A reset may have emptied the schedule: check the requests all the same.
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
