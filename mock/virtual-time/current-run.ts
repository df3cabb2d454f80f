import { AsyncLocalStorage } from 'node:async_hooks';
import type { Random } from '../generate/random.js';
import type { RequestTracker } from './request-tracker.js';
import type { SocketTimeouts } from './socket-timeouts.js';
import type { VirtualClock } from './virtual-clock.js';

/** What the patched platform needs of a run: its time, and where its requests are tracked. */
export interface VirtualTimeRun {
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly requests: RequestTracker;
  readonly socketTimeouts: SocketTimeouts;
  readonly isOver: boolean;
  /** Responses that its client has been given. */
  responses: number;
  /** Reports an error that would end a process. */
  crash(error: unknown): void;
}

/** The run to which running code belongs. */
export interface RunContext {
  readonly run: VirtualTimeRun;
  /** Set beyond a `fetch`: what the platform or MSW does for this call is in real time. */
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

/** The run whose client is executing; undefined outside of runs and beyond a `fetch`. */
export function findCurrentRun(): VirtualTimeRun | undefined {
  const context = processContext ?? storage.getStore();
  return context?.call ? undefined : context?.run;
}

export function findCurrentClock(): VirtualClock | undefined {
  return findCurrentRun()?.clock;
}

/** Disables async contexts, which slow down promises. */
export function disableContexts(): void {
  storage.disable();
}
