import type { World } from '../engine/world.js';
import type { About } from './about.js';
import type { ActiveRule } from './rule.js';

/** What a request or an answer waits for. */
export interface Wait {
  /** ms: it is let go then, whatever happens. */
  latest: number;
  /** True once it has come about; absent where only time is waited for. */
  over?: () => boolean;
  /** Told of every request that arrives meanwhile. */
  arrived?: (about: About) => void;
  /** Told of every answer that leaves meanwhile. */
  answered?: (about: About) => void;
}

/**
 * Why it was let go: what it waited for came about, the time is over, the client has gone, or the rule was taken away.
 */
export type Ending = 'over' | 'time' | 'gone' | 'cleared';

interface Entry {
  rule: ActiveRule;
  wait: Wait;
  go: (ending: Ending) => void;
  /** Decided from outside. */
  ending?: Ending;
  wake: () => void;
  unlisten: () => void;
}

/**
 * Requests and answers that wait. Whoever comes due by time goes on at once and at that time, in the middle of a long
 * jump of the clock too. All others go on after the change that lets them go is complete: as due work of the same
 * instant, or right after the code that brought the change about.
 */
export class Held {
  #entries = new Set<Entry>();
  #asked = false;

  /** `onHold` is told each time that somebody begins to wait. */
  constructor(
    private readonly world: () => World,
    private readonly onHold: () => void = () => {},
  ) {}

  get size(): number {
    return this.#entries.size;
  }

  /**
   * Keeps `go` until the wait ends; false, without keeping it, when there is nothing to wait for. `go` is never called
   * before this returns.
   */
  hold(rule: ActiveRule, wait: Wait, signal: AbortSignal | undefined, go: (ending: Ending) => void): boolean {
    const world = this.world();
    if (world.closed || wait.latest <= world.now || signal?.aborted || wait.over?.()) return false;
    const entry: Entry = {
      rule,
      wait,
      go,
      wake: () => this.#release(entry, entry.ending ?? 'time'),
      unlisten: () => {},
    };
    this.#entries.add(entry);
    rule.waiting++;
    if (signal) {
      const onAbort = () => {
        entry.ending = 'gone';
        this.review();
      };
      signal.addEventListener('abort', onAbort, { once: true });
      entry.unlisten = () => signal.removeEventListener('abort', onAbort);
    }
    world.plan(wait.latest, entry.wake);
    this.onHold();
    return true;
  }

  /** Those who are held now and wait for requests to arrive: call it to tell them of one. */
  hearing(): (about: About) => void {
    if (this.#entries.size === 0) return () => {};
    const entries = [...this.#entries];
    return (about) => {
      for (const entry of entries) entry.wait.arrived?.(about);
      this.review();
    };
  }

  /** An answer has left; `review` is called after it. */
  answered(about: About): void {
    for (const entry of this.#entries) entry.wait.answered?.(about);
  }

  /** Lets go what these rules hold. */
  clear(concerns: (rule: ActiveRule) => boolean): void {
    for (const entry of this.#entries) if (concerns(entry.rule)) entry.ending = 'cleared';
    this.review();
  }

  /** Has everybody looked at again soon. Safe at any moment, also in the middle of a timeline's step. */
  review(): void {
    if (this.#asked || this.#entries.size === 0) return;
    this.#asked = true;
    const world = this.world();
    world.plan(world.now, this.#look);
    queueMicrotask(() => {
      // The schedule may have been emptied meanwhile: then there is nothing to catch up with, but still to look.
      world.catchUp();
      this.#look();
    });
  }

  #look = (): void => {
    if (!this.#asked) return;
    this.#asked = false;
    for (const entry of [...this.#entries]) {
      const ending = entry.ending ?? (entry.wait.over?.() ? 'over' : undefined);
      if (ending) this.#release(entry, ending);
    }
  };

  #release(entry: Entry, ending: Ending): void {
    if (!this.#entries.delete(entry)) return;
    entry.rule.waiting--;
    if (ending === 'time' && entry.wait.over) entry.rule.gave_up++;
    entry.unlisten();
    if (ending !== 'time') this.world().unplan(entry.wake);
    entry.go(ending);
  }
}
