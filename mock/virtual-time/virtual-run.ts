import { awaitMillisecond, awaitTurn, real } from '../clock/real.js';
import { createRandom, type Random } from '../generate/random.js';
import {
  type BackgroundWork,
  countBackgroundWork,
  countOpenConnections,
  type OpenConnections,
  workPatches,
} from './background-work.js';
import {
  disableContexts,
  enterRun,
  findCurrentRun,
  isWholeProcess,
  setProcessRun,
  type VirtualTimeRun,
} from './current-run.js';
import { isFetchingModules } from './internals.js';
import { isPatched, Patches } from './patches.js';
import { randomPatches } from './random-patches.js';
import { RequestTracker, trackConnections } from './request-tracker.js';
import { handOver, runPatches } from './run-patches.js';
import { SocketTimeouts, socketPatches } from './socket-timeouts.js';
import { timePatches } from './time-patches.js';
import { type EndReason, type ServiceTime, type TimeLimits, TimePolicy } from './time-policy.js';
import { VirtualClock, type VirtualTimeout } from './virtual-clock.js';

interface VirtualRunOptions {
  service: ServiceTime;
  patience: TimeLimits;
  /** Seed of the random numbers that the client draws. Default 1. */
  seed?: string | number;
  /** Ends the run from outside. */
  signal?: Pick<AbortSignal, 'aborted'> | undefined;
  baseUrl?: () => string;
  /**
   * Only calls of the client are on virtual time, and everything else in this process keeps its own. Otherwise the whole process is on
   * virtual time, which is much faster.
   */
  isContained?: boolean;
  /** How long a leftover timer of the client may continue after the client's end, ms. Default 0. */
  leftoversMs?: number;
}

export interface ClientHandle {
  readonly isOver: boolean;
  /** Aborted when the run is over. */
  readonly signal: AbortSignal;
  /** Wraps `fetch` for the client: once the run is over, no response arrives. */
  connect<F extends typeof fetch>(fetch: F): F;
}

interface RunCompletion<T> {
  ended: EndReason;
  value?: T;
  error?: unknown;
  /** `error` was not caught (thrown in a timer, or an unhandled rejection): it would end a process. */
  unhandled: boolean;
}

export interface VirtualOutcome<T> extends RunCompletion<T> {
  /** When it ended, ms of the virtual clock. */
  at: number;
  /** When its next timer would have fired; Infinity without one. */
  nextTimer: number;
  /** What it has left behind, by number. */
  left: OpenConnections & { timers: number };
  /** Other possible reasons why it did not end, in sentences; empty if it has ended. */
  hints: string[];
}

/**
 * Turns of the event loop without activity after which a client counts as waiting: if other code runs in the process, if the client has an
 * open resource (a socket, whose bytes take turns), and otherwise.
 */
const QUIET_TURNS = { contained: 4, open: 3, closed: 0 };
/** The same limit while immediates are set repeatedly. */
const QUIET_IMMEDIATES = 200;
/** Turns of waiting for a response after which the loop pauses between turns. */
const QUICK_TURNS = 2_000;
/** Longest work of one run without time (files, compression, imports), ms of real time. */
const LONGEST_WORK_MS = 10_000;
/** How long code outside of the run may still trigger an event when nothing else can happen, ms of real time. */
const LAST_WAIT_MS = 1_000;
/** Turns in which leftovers of a run may come to a halt. */
const LAST_TURNS = 3;
const NESTED =
  'mock.time.run cannot be called within a run: it would wait for its end. Run several clients in one: mock.time.run(() => Promise.all([one(), other()])).';

const PATCHES: readonly Patches[] = [timePatches, workPatches, randomPatches, socketPatches, runPatches];
let holders = 0;
let restorePlatform = () => {};

/** Installs the patches before a client is loaded, so that platform functions that its modules store are virtual too. */
export function prepareVirtualTime(): () => void {
  if (holders++ === 0) {
    const undo = Patches.apply(PATCHES);
    const endTracking = trackConnections();
    restorePlatform = () => {
      undo();
      endTracking();
    };
  }
  let isHeld = true;
  return () => {
    if (isHeld && --holders === 0) restorePlatform();
    isHeld = false;
  };
}

let last: Promise<unknown> = Promise.resolve();

/** Runs one at a time in a process. A run within a run would wait forever. */
export function queueRun<T>(run: () => Promise<T>): Promise<T> {
  if (!isWholeProcess() && findCurrentRun()?.isOver === false) return Promise.reject(new Error(NESTED));
  const outcome = last.then(run);
  last = outcome.catch(() => {});
  return outcome;
}

/**
 * Runs `client` on its own time, which it shares with the service: whenever it is waiting, time moves to the next due event, of the service
 * first. Call it within `queueRun`. Rejects only for an internal error of the service.
 */
export function runVirtually<T>(
  client: (run: ClientHandle) => T | Promise<T>,
  options: VirtualRunOptions,
): Promise<VirtualOutcome<T>> {
  return new VirtualRun(client, options).run();
}

/** A class, because a getter on the object itself would keep the run in memory for long. */
class LazyClientHandle implements ClientHandle {
  /** Created only for clients that use it: it costs more than the rest of a short run. */
  #abort: AbortController | undefined;

  constructor(private readonly run: VirtualTimeRun) {}

  get isOver(): boolean {
    return this.run.isOver;
  }

  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    if (this.run.isOver) this.end();
    return this.#abort.signal;
  }

  readonly connect = <F extends typeof fetch>(fetch: F): F =>
    ((...args: Parameters<F>) => {
      if (this.run.isOver) return new Promise(() => {});
      return handOver((fetch as (...args: Parameters<F>) => Promise<unknown>)(...args), this.run);
    }) as F;

  end(): void {
    if (!this.#abort) return;
    runOver ??= new DOMException('The run is over.', 'AbortError');
    this.#abort.abort(runOver);
  }
}

/** Shared by all runs: creating a DOMException is slow. Created on demand: the first access to the class changes the global. */
let runOver: DOMException | undefined;

class VirtualRun<T> implements VirtualTimeRun {
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly requests: RequestTracker;
  readonly socketTimeouts: SocketTimeouts;
  isOver = false;
  responses = 0;
  #outcome: RunCompletion<T> | undefined;
  /** Set if the client has ended, and timers of it have not. */
  #ended: { outcome: RunCompletion<T>; at: number } | undefined;
  /** Ends the time of the client's leftovers. */
  #leftoversEnd: VirtualTimeout | undefined;
  readonly #given = new LazyClientHandle(this);
  readonly #policy: TimePolicy;
  /** The client waits for a timer of the platform's own: virtual time passes along with real time. */
  #isInRealTime = false;
  /** ms of real time that the client has been working without virtual time. */
  #worked_ms = 0;
  readonly #before = countBackgroundWork();
  readonly #openBefore = countOpenConnections();
  /** Since when no event can happen, ms of real time, and the activity at that time. */
  #idle: { since: number; activity: number } | undefined;

  constructor(
    private readonly client: (run: ClientHandle) => T | Promise<T>,
    private readonly options: VirtualRunOptions,
  ) {
    const { service, patience, seed = 1, baseUrl = () => 'http://127.0.0.1:1' } = options;
    this.clock = new VirtualClock(service.now());
    this.random = createRandom(seed);
    this.requests = new RequestTracker(baseUrl);
    this.socketTimeouts = new SocketTimeouts(this.clock);
    this.#policy = new TimePolicy(service, patience);
  }

  crash(error: unknown): void {
    this.#end({ ended: 'by-itself', error, unhandled: true });
  }

  async run(): Promise<VirtualOutcome<T>> {
    const restore = prepareVirtualTime();
    if (!this.options.isContained) setProcessRun(this);
    try {
      enterRun({ run: this }, () => this.#start());
      let isCalm = false;
      while (!this.#outcome) {
        if (!isCalm) await this.#awaitQuiet();
        if (!this.#outcome) isCalm = await this.#advance();
      }
      const outcome = {
        ...this.#outcome,
        at: this.#ended?.at ?? this.clock.now,
        nextTimer: this.clock.next(),
        hints: this.#outcome.ended === 'by-itself' ? [] : this.#collectHints(),
      };
      this.#leftoversEnd?.close();
      const timers = this.clock.countLasting();
      await this.#finish();
      return { ...outcome, left: { timers, ...this.#countLeftConnections() } };
    } finally {
      this.isOver = true;
      this.clock.close();
      setProcessRun(undefined);
      restore();
      if (this.options.isContained) disableContexts();
    }
  }

  #start(): void {
    // Wraps a synchronous throw as a rejection. Not awaited here.
    const settled = (async () => this.client(this.#given))();
    settled.then(
      (value) => this.#complete({ ended: 'by-itself', value, unhandled: false }),
      (error) => this.#end({ ended: 'by-itself', error, unhandled: false }),
    );
  }

  #complete(outcome: RunCompletion<T>): void {
    const { leftoversMs = 0 } = this.options;
    this.#ended = { outcome, at: this.clock.now };
    if (leftoversMs > 0 && this.clock.next() < Infinity)
      this.#leftoversEnd = this.clock.set(() => this.#end(outcome), leftoversMs);
    else this.#end(outcome);
  }

  #end(outcome: RunCompletion<T>): void {
    this.#outcome ??= this.#ended?.outcome ?? outcome;
  }

  /** Closes the clock and waits until work under way has stopped. */
  async #finish(): Promise<void> {
    this.clock.close();
    this.isOver = true;
    enterRun({ run: this }, () => this.#given.end());
    for (let turn = 0; turn < LAST_TURNS; turn++) {
      const before = this.#countActivity();
      await awaitTurn();
      const isAlone = !this.options.isContained && countBackgroundWork().open <= this.#before.open;
      if (isAlone && before === this.#countActivity()) return;
    }
  }

  #countLeftConnections(): OpenConnections {
    const { sockets, servers } = countOpenConnections();
    // A socket that is ended may take a moment to close.
    const unended = Math.min(sockets - this.#openBefore.sockets, this.requests.countOpenSockets());
    return { sockets: Math.max(0, unended), servers: Math.max(0, servers - this.#openBefore.servers) };
  }

  /** Waits until the client has done everything it can at this time. */
  async #awaitQuiet(): Promise<void> {
    let seen = this.#countActivity();
    let quiet = 0;
    for (let turns = 0; ; turns++) {
      await awaitTurn();
      if (this.options.signal?.aborted) this.#end({ ended: 'aborted', unhandled: false });
      if (this.#outcome) return;
      const activity = this.#countActivity();
      quiet = activity === seen ? quiet + 1 : 0;
      seen = activity;
      if (this.#policy.isHurried()) return;
      if (this.options.isContained && quiet < QUIET_TURNS.contained) continue;
      const work = countBackgroundWork();
      if (quiet < (work.open > this.#before.open ? QUIET_TURNS.open : QUIET_TURNS.closed)) continue;
      if (this.requests.hasInTransit(this.options.service.countWaiting(), activity)) {
        if (turns > QUICK_TURNS) await awaitMillisecond();
        continue;
      }
      if (work.immediates > this.#before.immediates && quiet < QUIET_IMMEDIATES) continue;
      if (await this.#isBusy(work)) continue;
      this.#isInRealTime = !this.options.isContained && this.#hasRealTimers(work) && !this.#hasWorkedLong();
      return;
    }
  }

  /** True, after a short wait, while the process is working for the client or the service. */
  async #isBusy({ tasks, helpers }: BackgroundWork): Promise<boolean> {
    const { service } = this.options;
    const serviceWorks = service.countArrived() - service.countResponded() > service.countWaiting();
    if (tasks === 0 && helpers <= this.#before.helpers && !serviceWorks && !isFetchingModules()) return false;
    if (this.#hasWorkedLong()) return false;
    this.#worked_ms += await awaitMillisecond();
    return true;
  }

  #countActivity(): number {
    const { service } = this.options;
    return this.clock.changes + this.requests.changes + service.countArrived() + service.countResponded();
  }

  /** Advances time to the next due event, and performs it. True if the client cannot have observed it. */
  async #advance(): Promise<boolean> {
    const { clock } = this;
    const { service } = this.options;
    const responded = service.countResponded();
    // A released response arrives a few microtasks later.
    const waiting = service.countWaiting();
    const isAtWork = this.#isInRealTime || this.#policy.isHurried();
    const passed_ms = this.#isInRealTime ? await awaitMillisecond() : Infinity;
    if (this.#isInRealTime) this.#worked_ms += passed_ms;
    this.socketTimeouts.refresh();
    // A test may have moved the mock's clock.
    clock.now = Math.max(clock.now, service.now());
    const move = this.#policy.next(clock.now, Math.min(clock.now + Math.round(passed_ms), clock.next()));
    if ('ended' in move && move.ended === 'idle' && (await this.#awaitOthers())) return false;
    clock.now = move.to;
    await service.advanceTo(move.to);
    if ('ended' in move) {
      this.#end({ ended: move.ended, unhandled: false });
      return false;
    }
    if (move.whose === 'service')
      return !isAtWork && service.countResponded() === responded && service.countWaiting() === waiting;
    try {
      clock.fireOne();
    } catch (error) {
      this.crash(error);
    }
    return false;
  }

  /** Platform functions that a module stored before the patches were installed create such timers. */
  #hasRealTimers({ timers } = countBackgroundWork()): boolean {
    return timers > this.#before.timers;
  }

  #hasWorkedLong(): boolean {
    return this.#worked_ms >= LONGEST_WORK_MS;
  }

  /** True, after a short wait, until code outside of the run has been inactive for long enough. */
  async #awaitOthers(): Promise<boolean> {
    if (!this.options.isContained) return false;
    const activity = this.#countActivity() + this.options.service.now();
    const now = real.performanceNow();
    if (this.#idle?.activity !== activity) this.#idle = { since: now, activity };
    if (now - this.#idle.since >= (this.#hasRealTimers() ? LONGEST_WORK_MS : LAST_WAIT_MS)) return false;
    await awaitMillisecond();
    return true;
  }

  #collectHints(): string[] {
    const hints: string[] = [];
    const elsewhere = this.requests.listPendingOrigins();
    if (elsewhere.length > 0) hints.push(`A request to ${elsewhere.join(', ')} had no response.`);
    if (this.#hasRealTimers())
      hints.push(
        'A timer of real time is pending: if a module of the client kept setTimeout from before the run, put taskdouble/virtual-time first (setupFiles of vitest, --import of Node.js).',
      );
    if (!isPatched(globalThis, 'setTimeout'))
      hints.push(
        'globalThis.setTimeout was replaced during the run, and nothing fires its timers: leave fake timers out of the run.',
      );
    return hints;
  }
}
