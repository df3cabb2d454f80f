import { AsyncResource } from 'node:async_hooks';

type Callback = (...args: unknown[]) => void;

/** Longest delay of Node's timers, ms; a longer one becomes 1 ms. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;
/** Ids of virtual timers are far above those of Node's own, so that an id shows its origin. */
export const FIRST_ID = 2 ** 40;

/** A delay as Node's timers read it: at least 1 ms. */
function readDelay(delay: unknown): number {
  const ms = Number(delay);
  return ms >= 1 && ms <= LONGEST_DELAY_MS ? Math.trunc(ms) : 1;
}

/** A time that moves only when it is set, and its timers. Times are ms. After it is closed no timer fires. */
export class VirtualClock {
  /** Increases with every timer that is set, cleared or fired. */
  changes = 0;
  onChange: (() => void) | undefined;
  #isClosed = false;
  #ids = 0;
  readonly #byId = new Map<number, VirtualTimeout>();
  /** Latest first; at the same time, the last set first: removing the next timer moves no others. A client has a handful. */
  #timers: VirtualTimeout[] = [];

  constructor(
    readonly start: number,
    public now = start,
  ) {}

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** True while a timer is set that keeps a process alive. */
  get holds(): boolean {
    return this.#timers.some((timer) => timer.hasRef());
  }

  /** Number of timers that never stop by themselves: that repeat, or keep a process alive. */
  countLasting(): number {
    return this.#timers.filter((timer) => timer.repeats || timer.hasRef()).length;
  }

  /** When the next timer fires; Infinity if none is set. */
  next(): number {
    return this.#timers.at(-1)?.at ?? Infinity;
  }

  set(callback: Callback, delay?: unknown, args: unknown[] = [], repeats = false): VirtualTimeout {
    const timer = new VirtualTimeout(this, callback, readDelay(delay), args, repeats);
    this.plan(timer);
    return timer;
  }

  /** Schedules `timer` after its delay from now on, instead of its previous time. */
  plan(timer: VirtualTimeout): void {
    if (this.#isClosed) return;
    this.#remove(timer);
    timer.at = this.now + timer.delay;
    let index = this.#timers.length;
    while (index > 0 && this.#timers[index - 1]!.at <= timer.at) index--;
    if (index === this.#timers.length) this.#timers.push(timer);
    else this.#timers.splice(index, 0, timer);
    this.reportChange();
  }

  /** Clears a timer: the object, or its number as `Number(timer)` returned it. */
  clear(which: VirtualTimeout | number): void {
    const timer = typeof which === 'number' ? this.#byId.get(which) : which;
    if (!timer) return;
    timer.isOver = true;
    this.#byId.delete(timer.id);
    this.#remove(timer);
    this.reportChange();
  }

  /** Fires the first timer that is due now; false if none is. Throws the error of its callback. */
  fireOne(): boolean {
    if (this.next() > this.now) return false;
    const timer = this.#timers.pop()!;
    if (!timer.repeats) this.#byId.delete(timer.id);
    try {
      timer.fire();
    } finally {
      if (timer.repeats && !timer.isOver && timer.at <= this.now) this.plan(timer);
      this.reportChange();
    }
    return true;
  }

  close(): void {
    this.#isClosed = true;
    this.#timers = [];
    this.#byId.clear();
    this.reportChange();
  }

  identify(timer: VirtualTimeout): number {
    const id = FIRST_ID + ++this.#ids;
    this.#byId.set(id, timer);
    return id;
  }

  reportChange(): void {
    this.changes++;
    this.onChange?.();
  }

  #remove(timer: VirtualTimeout): void {
    const index = this.#timers.lastIndexOf(timer);
    if (index !== -1) this.#timers.splice(index, 1);
  }
}

/** The result of `setTimeout` and `setInterval` on virtual time, with all members of Node's `Timeout`. */
export class VirtualTimeout {
  at = 0;
  isOver = false;
  id = 0;
  #hasRef = true;
  /** Fires the timer in the async context in which it was set. */
  readonly #context = new AsyncResource('VirtualTimeout');

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
    return this.#hasRef;
  }

  refresh(): this {
    if (!this.isOver) this.clock.plan(this);
    return this;
  }

  close(): this {
    this.clock.clear(this);
    return this;
  }

  [Symbol.toPrimitive](): number {
    if (this.id === 0) this.id = this.clock.identify(this);
    return this.id;
  }

  #setRef(hasRef: boolean): this {
    this.#hasRef = hasRef;
    this.clock.reportChange();
    return this;
  }
}

// Only in later versions of Node.js.
const { dispose } = Symbol as { dispose?: symbol };
if (dispose)
  Object.defineProperty(VirtualTimeout.prototype, dispose, { value: VirtualTimeout.prototype.close });
