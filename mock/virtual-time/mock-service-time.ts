import type { ControlledMock } from '../control/controlled-mock.js';
import type { ClockMode } from '../engine/clock.js';
import type { NetworkedOrganisation } from '../network/network.js';
import { type MockService, serviceOf } from '../service.js';

/** A count of tasks, their changes, and the changes that clients have seen. */
function progressOf(organisation: NetworkedOrganisation): number {
  let progress = organisation.taskCount;
  for (const task of organisation.tasks.values()) {
    progress += task.version + task.shown_version + task.shown + (task.actions?.size ?? 0);
    if (task.calls) for (const call of task.calls.values()) if (call.reply) progress++;
  }
  return progress;
}

/**
 * The time of all organisations of a mock together, also of those opened later: until `release` their clocks move only when
 * this moves them, whatever their mode is. All times are ms of one and the same clock.
 */
export class MockServiceTime {
  readonly #service: MockService;
  #now: number;
  /** Modes to restore. */
  readonly #modes = new Map<NetworkedOrganisation, ClockMode>();

  /** All begin at the latest time that one of them shows: none goes back. */
  constructor(mock: ControlledMock) {
    this.#service = serviceOf(mock);
    const { organisations } = this.#service;
    for (const organisation of organisations.all()) organisation.catchUp();
    this.#now = this.#latest() ?? mock.clock.now();
    for (const organisation of organisations.all()) this.#take(organisation);
    organisations.onOpened.push(this.#take);
  }

  /** Each organisation goes on in its own mode from where it is. */
  release(): void {
    const service = this.#service;
    const { onOpened } = service.organisations;
    onOpened.splice(onOpened.indexOf(this.#take), 1);
    for (const [organisation, before] of this.#modes) {
      if (organisation.closed || before === 'manual') continue;
      // A test may have set the mode during the run.
      if (organisation.clock.mode === 'manual') organisation.clock.set({ mode: before });
      service.wakeUpTimer.wake(organisation);
      service.goOn(organisation);
    }
  }

  /** Later than what this has set where a test moves a clock. */
  now(): number {
    return Math.max(this.#now, this.#latest() ?? 0);
  }

  /** When something will happen there by itself; Infinity when nothing is planned. */
  next(): number {
    let next = Infinity;
    for (const { schedule } of this.#service.organisations.all()) next = Math.min(next, schedule.next());
    return next;
  }

  /** Moves on to `at`: what is due happens, in order. When it settles, the responses that this releases have been delivered. */
  async advanceTo(at: number): Promise<void> {
    this.#now = at;
    for (const organisation of this.#service.organisations.all()) organisation.advanceTo(at);
  }

  /** Requests that have arrived so far. */
  arrived(): number {
    return this.#sum(({ journal }) => journal.seq);
  }

  /** Of these, requests with a response (also one that a rule lost). */
  responded(): number {
    return this.#sum(({ journal, inFlight }) => journal.seq - inFlight);
  }

  /** Of these, pending requests. */
  waiting(): number {
    return this.#sum(({ network, waiting }) => network.waiting + waiting);
  }

  /** Changes with everything that brings the conversation forward; polls that learn nothing do not change it. */
  progress(): number {
    return this.#sum(progressOf);
  }

  #sum(of: (organisation: NetworkedOrganisation) => number): number {
    let sum = 0;
    for (const organisation of this.#service.organisations.all()) sum += of(organisation);
    return sum;
  }

  #latest(): number | undefined {
    let latest: number | undefined;
    for (const { now } of this.#service.organisations.all()) latest = Math.max(latest ?? 0, now);
    return latest;
  }

  readonly #take = (organisation: NetworkedOrganisation): void => {
    const { clock } = organisation;
    this.#modes.set(organisation, clock.mode);
    if (clock.mode !== 'manual') clock.set({ mode: 'manual' });
    if (organisation.now < this.#now) organisation.advanceTo(this.#now);
    else organisation.restoreTime(this.#now);
  };
}
