import { AsyncLocalStorage } from 'node:async_hooks';
import type { Random } from '../generate/random.js';
import type { RequestTracker } from './request-tracker.js';
import type { SocketTimeouts } from './socket-timeouts.js';
import type { VirtualClock } from './virtual-clock.js';

/** The part of a run that the patched platform uses: its time, and the tracker of its requests. */
export interface VirtualTimeRun {
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly requests: RequestTracker;
  readonly socketTimeouts: SocketTimeouts;
  readonly isOver: boolean;
  /** Number of responses that its client has received. */
  responses: number;
  /** Reports an error that would end a process. */
  crash(error: unknown): void;
}

/** The run to which the executing code belongs. */
interface RunContext {
  readonly run: VirtualTimeRun;
  /** Set inside of a `fetch`: internal work of the platform or MSW for this call is in real time. */
  readonly call?: object;
}

const storage = new AsyncLocalStorage<RunContext>();
/** Set while all code of this process belongs to one run: async contexts slow every promise down. */
let processContext: RunContext | undefined;

export function setProcessRun(run: VirtualTimeRun | undefined): void {
  processContext = run && { run };
}

export function isWholeProcess(): boolean {
  return processContext !== undefined;
}

export function enterRun<T>(context: RunContext, body: () => T): T {
  return processContext ? body() : storage.run(context, body);
}

export function findCurrentContext(): RunContext | undefined {
  return processContext ?? storage.getStore();
}

/** The run whose client is executing; undefined outside of runs and inside of a `fetch`. */
export function findCurrentRun(): VirtualTimeRun | undefined {
  const context = processContext ?? storage.getStore();
  return context?.call ? undefined : context?.run;
}

export function findCurrentClock(): VirtualClock | undefined {
  return findCurrentRun()?.clock;
}

/** Async contexts slow promises down. */
export function disableContexts(): void {
  storage.disable();
}
