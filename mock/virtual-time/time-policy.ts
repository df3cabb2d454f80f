import type { MockServiceTime } from './mock-service-time.js';

/** The part of the client's service that virtual time uses. */
export type ServiceTime = Omit<MockServiceTime, 'release'>;

/** One time for several services. All of them begin at the same time. */
export function combineServiceTimes(services: readonly ServiceTime[]): ServiceTime {
  const sum = (count: (service: ServiceTime) => number) =>
    services.reduce((total, service) => total + count(service), 0);
  return {
    now: () => Math.max(...services.map((service) => service.now())),
    next: () => Math.min(...services.map((service) => service.next())),
    advanceTo: async (at) => {
      await Promise.all(services.map((service) => service.advanceTo(at)));
    },
    countArrived: () => sum((service) => service.countArrived()),
    countResponded: () => sum((service) => service.countResponded()),
    countWaiting: () => sum((service) => service.countWaiting()),
    countProgress: () => sum((service) => service.countProgress()),
  };
}

/** When a run on virtual time is over although the client has not ended. */
export interface TimeLimits {
  /** From the beginning, ms. */
  deadlineMs: number;
  /** Without any progress, ms. */
  stalledMs: number;
}

/** How a run on virtual time ended. `idle`: no event is left that could happen. */
export type EndReason = 'by-itself' | 'deadline' | 'stalled' | 'idle' | 'aborted';

type TimeStep =
  | { to: number; whose: 'service' | 'client' }
  /** The run is over; its clock shows `to` then. */
  | { to: number; ended: EndReason };

/** Requests at one instant after which each takes some time, so that a client that never pauses reaches the limits. More than a client with 32 calls at once sends. */
const REQUESTS_AT_ONCE = 250;
const HURRIED_STEP_MS = 5;

/** Decides where the time of one run moves next, and when a limit for the client is reached. All times are ms. */
export class TimePolicy {
  readonly #start: number;
  #progress: number;
  #progressAt: number;
  #requestsBefore: number;

  constructor(
    private readonly service: ServiceTime,
    private readonly patience: TimeLimits,
  ) {
    this.#progress = service.countProgress();
    this.#start = service.now();
    this.#progressAt = this.#start;
    this.#requestsBefore = service.countArrived();
  }

  /** True if the client sends so many requests that time must advance although it never waits. */
  isHurried(): boolean {
    return this.service.countArrived() - this.#requestsBefore > REQUESTS_AT_ONCE;
  }

  /** The step from `now` if the client's next timer is due at `timer` (Infinity: it has none). */
  next(now: number, timer: number): TimeStep {
    const { service, patience } = this;
    const progress = service.countProgress();
    if (progress !== this.#progress) {
      this.#progress = progress;
      this.#progressAt = now;
    }
    const hurried = this.isHurried();
    const inService = service.next();
    const to = hurried ? now + HURRIED_STEP_MS : Math.max(now, Math.min(inService, timer));
    const deadline = this.#start + patience.deadlineMs;
    const stalled = this.#progressAt + patience.stalledMs;
    const latest = Math.min(deadline, stalled);
    if (to === Infinity) return { to: now, ended: 'idle' };
    if (to > latest)
      return { to: Math.max(now, latest), ended: deadline <= stalled ? 'deadline' : 'stalled' };
    if (hurried) this.#requestsBefore++;
    else this.#requestsBefore = service.countArrived();
    // The service first: its work for this instant is done when the client's timers fire.
    return { to, whose: inService <= to && !(hurried && timer <= to) ? 'service' : 'client' };
  }
}
