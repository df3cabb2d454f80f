import { AsyncResource } from 'node:async_hooks';
import { TimerQueue } from './timer-queue.js';

/** Longest delay that Node's timers take, ms; beyond it they take 1. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

/** A delay as Node's timers read it: at least 1 ms. */
function readDelay(delay: unknown): number {
  const ms = Number(delay);
  return ms >= 1 && ms <= LONGEST_DELAY_MS ? Math.trunc(ms) : 1;
}

type Callback = (...args: unknown[]) => void;

/**
 * A time that moves only when it is told to, and the timers that wait for it. Times are ms. Once it is closed nothing
 * fires any more: whoever is left over waits for ever.
 */
export class VirtualClock {
  readonly queue = new TimerQueue<VirtualTimeout>();
  /** Raised by every timer that is set, taken back or fired. */
  changes = 0;
  /** Told when the first timer is set that keeps a process alive, and when the last such one is gone. */
  onHolding: ((holds: boolean) => void) | undefined;
  #closed = false;
  #byId = new Map<number, VirtualTimeout>();
  #ids = 0;
  #holds = false;

  constructor(
    readonly start: number,
    public now = start,
  ) {}

  get closed(): boolean {
    return this.#closed;
  }

  /** True while a timer is set that keeps a process alive (known where `onHolding` is set). */
  get holds(): boolean {
    return this.#holds;
  }

  /** When the next timer fires; Infinity when none is set. */
  next(): number {
    return this.queue.next();
  }

  set(callback: Callback, delay: unknown, args: unknown[], repeats = false): VirtualTimeout {
    const timer = new VirtualTimeout(this, callback, readDelay(delay), args, repeats);
    this.plan(timer);
    return timer;
  }

  plan(timer: VirtualTimeout): void {
    if (this.#closed) return;
    timer.at = this.now + timer.delay;
    this.queue.add(timer);
    this.changed();
  }

  /** Takes a timer back: the object, or its number as `Number(timer)` gave it. */
  clear(which: VirtualTimeout | number): void {
    const timer = typeof which === 'number' ? this.#byId.get(which) : which;
    if (!timer) return;
    timer.over = true;
    this.#byId.delete(timer.id);
    this.queue.remove(timer);
    this.changed();
  }

  /** Fires the first timer that is due now; false when none is. What it throws is thrown here. */
  fireOne(): boolean {
    const timer = this.queue.take(this.now);
    if (!timer) return false;
    if (!timer.repeats) this.#byId.delete(timer.id);
    try {
      timer.fire();
    } finally {
      if (timer.repeats && !timer.over && timer.at <= this.now) this.plan(timer);
      this.changed();
    }
    return true;
  }

  close(): void {
    this.#closed = true;
    this.queue.clear();
    this.#byId.clear();
    this.changed();
  }

  identify(timer: VirtualTimeout): number {
    // Far above what Node's own timers get to, so that a number tells whose it is.
    const id = FIRST_ID + ++this.#ids;
    this.#byId.set(id, timer);
    return id;
  }

  changed(): void {
    this.changes++;
    if (!this.onHolding) return;
    const holds = this.queue.some((timer) => timer.hasRef());
    if (holds === this.#holds) return;
    this.#holds = holds;
    this.onHolding(holds);
  }
}

export const FIRST_ID = 2 ** 40;

/** What `setTimeout` and `setInterval` give on virtual time: has everything that Node's `Timeout` has. */
export class VirtualTimeout {
  at = 0;
  over = false;
  id = 0;
  /** Nothing in Node's own lists has to be taken away. */
  readonly _destroyed = true;
  #refed = true;
  /** So that it fires in the asynchronous context in which it was set. */
  readonly #context = new AsyncResource('Timeout');

  constructor(
    readonly clock: VirtualClock,
    private readonly callback: Callback,
    readonly delay: number,
    private readonly args: unknown[],
    readonly repeats: boolean,
  ) {}

  fire(): void {
    this.#context.runInAsyncScope(this.callback, this, ...this.args);
  }

  ref(): this {
    return this.#setRef(true);
  }

  unref(): this {
    return this.#setRef(false);
  }

  hasRef(): boolean {
    return this.#refed;
  }

  refresh(): this {
    if (this.over) return this;
    this.clock.queue.remove(this);
    this.clock.plan(this);
    return this;
  }

  close(): this {
    this.clock.clear(this);
    return this;
  }

  /** Where Node's own `clearTimeout` finds what a timer calls, and takes it away: so it takes this one back as well. */
  get _onTimeout(): Callback | null {
    return this.over ? null : this.callback;
  }

  set _onTimeout(callback: Callback | null) {
    if (callback === null) this.close();
  }

  [Symbol.toPrimitive](): number {
    if (this.id === 0) this.id = this.clock.identify(this);
    return this.id;
  }

  #setRef(refed: boolean): this {
    this.#refed = refed;
    this.clock.changed();
    return this;
  }
}

// Only later versions of Node.js have it.
const { dispose } = Symbol as { dispose?: symbol };
if (dispose)
  Object.defineProperty(VirtualTimeout.prototype, dispose, { value: VirtualTimeout.prototype.close });
