import type { ControlledMock } from '../control/controlled-mock.js';
import type { ClockMode } from '../engine/clock.js';
import type { NetworkedOrganisation } from '../network/network.js';
import { getService, type MockService } from '../service.js';

/** Counts tasks, their changes, and the changes that clients have received. */
function countProgress(organisation: NetworkedOrganisation): number {
  let progress = organisation.taskCount;
  for (const task of organisation.tasks.values()) {
    progress += task.version + task.shown_version + task.shown + (task.actions?.size ?? 0);
    if (task.calls) for (const call of task.calls.values()) if (call.reply) progress++;
  }
  return progress;
}

/**
 * The common time of all organisations of a mock, including those opened later: until `release`, only this class moves their clocks, in any
 * mode. All times are ms of the same clock.
 */
export class MockServiceTime {
  readonly #service: MockService;
  #now: number;
  /** Modes to restore. */
  readonly #modes = new Map<NetworkedOrganisation, ClockMode>();

  /** All clocks begin at the latest time of any of them, so that none moves backwards. */
  constructor(mock: ControlledMock) {
    this.#service = getService(mock);
    const { organisations } = this.#service;
    for (const organisation of organisations.values()) organisation.catchUp();
    this.#now = this.#findLatest() ?? mock.clock.now();
    for (const organisation of organisations.values()) this.#alignClock(organisation);
    organisations.onOpened.push(this.#alignClock);
  }

  /** Each organisation continues in its own mode from its current time. */
  release(): void {
    const service = this.#service;
    const { onOpened } = service.organisations;
    onOpened.splice(onOpened.indexOf(this.#alignClock), 1);
    for (const [organisation, before] of this.#modes) {
      if (organisation.closed || before === 'manual') continue;
      // A test may have set the mode during the run.
      if (organisation.clock.mode === 'manual') organisation.clock.set({ mode: before });
      service.wakeUpTimer.arm(organisation);
      service.advanceIfIdle(organisation);
    }
  }

  /** Later than the time set here if a test moves a clock. */
  now(): number {
    return Math.max(this.#now, this.#findLatest() ?? 0);
  }

  /** When the next planned event happens; Infinity if nothing is planned. */
  next(): number {
    let next = Infinity;
    for (const { schedule } of this.#service.organisations.values()) next = Math.min(next, schedule.next());
    return next;
  }

  /** Moves to `at` and performs due work in order. Settles when the released responses were delivered. */
  async advanceTo(at: number): Promise<void> {
    this.#now = at;
    for (const organisation of this.#service.organisations.values()) organisation.advanceTo(at);
  }

  countArrived(): number {
    return this.#sum(({ journal }) => journal.seq);
  }

  /** How many of these have a response (including responses that a rule lost). */
  countResponded(): number {
    return this.#sum(({ journal, inFlight }) => journal.seq - inFlight);
  }

  /** How many of these are pending. */
  countWaiting(): number {
    return this.#sum(({ network, waiting }) => network.waiting + waiting);
  }

  /** Changes with all progress of the conversation; polls without new information do not change it. */
  countProgress(): number {
    return this.#sum(countProgress);
  }

  #sum(of: (organisation: NetworkedOrganisation) => number): number {
    let sum = 0;
    for (const organisation of this.#service.organisations.values()) sum += of(organisation);
    return sum;
  }

  #findLatest(): number | undefined {
    let latest: number | undefined;
    for (const { now } of this.#service.organisations.values()) latest = Math.max(latest ?? 0, now);
    return latest;
  }

  readonly #alignClock = (organisation: NetworkedOrganisation): void => {
    const { clock } = organisation;
    this.#modes.set(organisation, clock.mode);
    if (clock.mode !== 'manual') clock.set({ mode: 'manual' });
    if (organisation.now < this.#now) organisation.advanceTo(this.#now);
    else organisation.restoreTime(this.#now);
  };
}
