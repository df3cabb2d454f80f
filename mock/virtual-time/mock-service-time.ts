import type { ClockMode } from '../engine/clock.js';
import type { Organisation } from '../engine/organisation.js';
import type { Mock } from '../mock.js';
import { serviceOf } from '../service.js';
import type { ServiceTime } from './service-time.js';

/** A count of tasks, their changes, and the changes that clients have seen. */
function progressOf(organisation: Organisation): number {
  let progress = organisation.taskCount;
  for (const task of organisation.tasks.values()) {
    progress += task.version + task.shown_version + task.shown + (task.actions?.size ?? 0);
    if (task.calls) for (const call of task.calls.values()) if (call.reply) progress++;
  }
  return progress;
}

/** The time of the organisation that `key` opens, also after a reset. Its clock has to be a manual one. */
export class OrganisationTime implements ServiceTime {
  constructor(
    protected readonly mock: Mock,
    private readonly key = '',
  ) {}

  protected all(): Organisation[] {
    return [serviceOf(this.mock).organisations.open(this.key)];
  }

  now(): number {
    return Math.max(0, ...this.all().map((organisation) => organisation.now));
  }

  next(): number {
    return Math.min(...this.all().map((organisation) => organisation.schedule.next()));
  }

  advanceTo(at: number): void {
    for (const organisation of this.all()) organisation.advanceTo(at);
  }

  arrived(): number {
    return this.#sum(({ journal }) => journal.seq);
  }

  responded(): number {
    return this.#sum(({ journal, inFlight }) => journal.seq - inFlight);
  }

  waiting(): number {
    return this.#sum(({ network, waiting }) => network.waiting + waiting);
  }

  progress(): number {
    return this.#sum(progressOf);
  }

  #sum(of: (organisation: Organisation) => number): number {
    let sum = 0;
    for (const organisation of this.all()) sum += of(organisation);
    return sum;
  }
}

/**
 * The time of all organisations of a mock together, also of those opened later: from `take` to `giveBack` their clocks move only
 * when this moves them, whatever their mode is.
 */
export class WholeMockTime extends OrganisationTime {
  #now = 0;
  /** Modes to give back. */
  readonly #modes = new Map<Organisation, ClockMode>();

  protected override all(): Organisation[] {
    return [...serviceOf(this.mock).organisations.all()];
  }

  /** All begin at the latest time that one of them shows: none goes back. */
  take(): void {
    const all = this.all();
    for (const organisation of all) organisation.catchUp();
    this.#now = all.length > 0 ? super.now() : this.mock.clock.now();
    for (const organisation of all) this.#take(organisation);
    serviceOf(this.mock).organisations.onOpened.push(this.#take);
  }

  /** Each goes on in its own mode from where it is. */
  giveBack(): void {
    const service = serviceOf(this.mock);
    const { onOpened } = service.organisations;
    onOpened.splice(onOpened.indexOf(this.#take), 1);
    for (const [organisation, before] of this.#modes) {
      if (organisation.closed) continue;
      // A test may have set the mode during the run.
      if (organisation.clock.mode === 'manual') organisation.clock.set({ mode: before });
      service.wakeUpTimer.wake(organisation);
      service.goOn(organisation);
    }
  }

  /** Later than what this has set where a test moves a clock. */
  override now(): number {
    return Math.max(this.#now, super.now());
  }

  override advanceTo(at: number): void {
    this.#now = at;
    super.advanceTo(at);
  }

  #take = (organisation: Organisation): void => {
    this.#modes.set(organisation, organisation.clock.mode);
    organisation.clock.set({ mode: 'manual' });
    if (organisation.now < this.#now) organisation.advanceTo(this.#now);
    else organisation.restoreTime(this.#now);
  };
}
