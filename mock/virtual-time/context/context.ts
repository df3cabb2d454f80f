import { AsyncLocalStorage } from 'node:async_hooks';
import type { RealTimer } from '../real-timers.js';
import type { VirtualClock } from '../virtual-clock.js';
import type { Beside } from './beside.js';
import type { Call, ClientRequests } from './client-requests.js';
import type { ClientSockets } from './sockets.js';

/** What belongs to one run, wherever its asynchronous context leads. */
export interface Running {
  readonly clock: VirtualClock;
  readonly requests: ClientRequests;
  readonly sockets: ClientSockets;
  /** Timers of the platform's own that its client has made. */
  readonly realTimers: RealTimer[];
  readonly beside: Beside;
  /** Runs of other mocks inside of it. */
  inner: number;
  /** True once nothing of it may go on. */
  isOver: boolean;
  /** Told of what would end a process. */
  crashed(error: unknown): void;
}

/** Where code runs that a run has led to. */
export interface Place {
  readonly run: Running;
  /** Set beyond a `fetch`: what the platform, or who stands in for it, does for this call is in real time. */
  readonly call?: Call;
}

const storage = new AsyncLocalStorage<Place>();

export function enter<T>(place: Place, body: () => T): T {
  return storage.run(place, body);
}

export function placeNow(): Place | undefined {
  return storage.getStore();
}

/** The run whose client is at work now; undefined beyond its requests. */
export function clientNow(): Running | undefined {
  const place = storage.getStore();
  return place?.call ? undefined : place?.run;
}

/** To be called when no run is under way: asynchronous contexts cost nothing from then on. */
export function disableContexts(): void {
  storage.disable();
}
