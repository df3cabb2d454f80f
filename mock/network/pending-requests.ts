import type { World } from '../engine/world.js';
import type { ActiveRule } from './active-rule.js';
import type { WaitCondition } from './conditions.js';
import type { NetworkRequest } from './network-request.js';

/** What a request or response waits for: time, or a condition. */
export interface Wait extends Partial<WaitCondition> {
  /** ms: it is released then, whatever happens. */
  latest: number;
}

/** Why it was released: the condition is met, the time is over, the client has gone, or the rule was taken away. */
export type Release = 'met' | 'time' | 'gone' | 'cleared';

interface PendingEntry {
  rule: ActiveRule;
  wait: Wait;
  go: (release: Release) => void;
  /** Decided from outside. */
  release?: Release;
  wake: () => void;
  unlisten: () => void;
}

/**
 * Requests and responses that wait. One that is due by time goes on at that time, in the middle of a long jump of the
 * clock too. All others go on after the change that releases them is complete: as due work of the same instant, or
 * right after the code that made the change.
 */
export class PendingRequests {
  #entries = new Set<PendingEntry>();
  #isReviewPlanned = false;

  /** `onHold` is called each time that something begins to wait. */
  constructor(
    private readonly network: { readonly world: World },
    private readonly onHold: () => void = () => {},
  ) {}

  get size(): number {
    return this.#entries.size;
  }

  /**
   * Keeps `go` until the wait ends; false, without keeping it, when there is nothing to wait for. `go` is never called
   * before this returns.
   */
  hold(
    rule: ActiveRule,
    wait: Wait,
    signal: AbortSignal | undefined,
    go: (release: Release) => void,
  ): boolean {
    const world = this.network.world;
    if (world.closed || wait.latest <= world.now || signal?.aborted || wait.isMet?.()) return false;
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
    world.plan(wait.latest, entry.wake);
    this.onHold();
    return true;
  }

  /** For those that wait now: call the function with a request that has arrived. */
  listeners(): (request: NetworkRequest) => void {
    if (this.#entries.size === 0) return () => {};
    const entries = [...this.#entries];
    return (request) => {
      for (const entry of entries) entry.wait.hear?.('arrive', request);
      this.review();
    };
  }

  /** A response has left; `review` is called after it. */
  answered(request: NetworkRequest): void {
    for (const entry of this.#entries) entry.wait.hear?.('answer', request);
  }

  /** Releases what these rules hold. */
  clear(concerns: (rule: ActiveRule) => boolean): void {
    for (const entry of this.#entries) if (concerns(entry.rule)) entry.release = 'cleared';
    this.review();
  }

  /** Looks soon which can be released. Safe at any moment, also in the middle of a timeline's step. */
  review(): void {
    if (this.#isReviewPlanned || this.#entries.size === 0) return;
    this.#isReviewPlanned = true;
    const world = this.network.world;
    world.plan(world.now, this.#releaseMet);
    queueMicrotask(() => {
      // The schedule may have been emptied meanwhile: then there is nothing to catch up with, but still to look.
      world.catchUp();
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

  #release(entry: PendingEntry, release: Release): void {
    if (!this.#entries.delete(entry)) return;
    entry.rule.waiting--;
    if (release === 'time' && entry.wait.isMet) entry.rule.gave_up++;
    entry.unlisten();
    if (release !== 'time') this.network.world.unplan(entry.wake);
    entry.go(release);
  }
}
