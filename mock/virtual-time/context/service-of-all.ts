import type { ClockMode } from '../../engine/clock.js';
import type { Organisation } from '../../engine/organisation.js';
import type { Mock } from '../../mock.js';
import { serviceOf } from '../../service.js';
import { progressOf } from '../service-of.js';
import type { ServiceTime } from '../service-time.js';

/**
 * The time of all organisations of a mock together, those opened later included: from `take` to `giveBack` their clocks
 * move only when this moves them, whatever mode they have.
 */
export class ServiceOfAll implements ServiceTime {
  #now = 0;
  /** Modes to give back. */
  #modes = new Map<Organisation, ClockMode>();
  #later: { mode: ClockMode; startMs: number | undefined } | undefined;

  constructor(private readonly mock: Mock) {}

  /** All begin at the latest time that one of them shows: none goes back. */
  take(): void {
    const { organisations } = serviceOf(this.mock);
    const { mode, startMs } = organisations.clock;
    const all = [...organisations.all()];
    for (const { world } of all) world.catchUp();
    this.#now = all.length > 0 ? Math.max(...all.map(({ world }) => world.now)) : this.mock.clock.now();
    for (const organisation of all) this.#rule(organisation, organisation.world.setup.clock.mode);
    this.#later = { mode, startMs };
    organisations.setClock({ mode: 'manual', startMs: this.#now });
  }

  /** Each goes on in its own mode from where it is. */
  giveBack(): void {
    if (!this.#later) return;
    const service = serviceOf(this.mock);
    this.#ruleAll();
    const { mode } = service.organisations.clock;
    // Somebody may have set it meanwhile.
    service.organisations.setClock({ ...this.#later, ...(mode === 'manual' ? {} : { mode }) });
    for (const [organisation, before] of this.#modes) {
      const { world } = organisation;
      if (world.closed) continue;
      if (world.setup.clock.mode === 'manual') world.setup.clock.set({ mode: before });
      service.wakeUpTimer.wake(organisation);
      service.goOn(organisation);
    }
    this.#modes.clear();
    this.#later = undefined;
  }

  /** Where somebody moves a clock by hand, time is there for all. */
  now(): number {
    let now = this.#now;
    for (const { world } of this.#all()) if (world.now > now) now = world.now;
    return now;
  }

  next(): number {
    let next = Infinity;
    for (const { world } of this.#all()) next = Math.min(next, world.schedule.next());
    return next;
  }

  advanceTo(at: number): void {
    this.#now = at;
    serviceOf(this.mock).organisations.setClock({ startMs: at });
    this.#ruleAll();
    for (const { world } of this.#all()) world.advanceTo(at);
  }

  arrived(): number {
    return this.#sum(({ journal }) => journal.seq);
  }

  answered(): number {
    return this.#sum(({ journal, inFlight }) => journal.seq - inFlight);
  }

  waiting(): number {
    return this.#sum(({ network, waiting }) => network.waiting + waiting);
  }

  progress(): number {
    return this.#sum(progressOf);
  }

  #all(): Iterable<Organisation> {
    return serviceOf(this.mock).organisations.all();
  }

  #sum(count: (organisation: Organisation) => number): number {
    let sum = 0;
    for (const organisation of this.#all()) sum += count(organisation);
    return sum;
  }

  #ruleAll(): void {
    for (const organisation of this.#all())
      if (!this.#modes.has(organisation)) this.#rule(organisation, this.#later?.mode ?? 'manual');
  }

  #rule(organisation: Organisation, mode: ClockMode): void {
    this.#modes.set(organisation, mode);
    organisation.world.setup.clock.set({ mode: 'manual' });
    if (organisation.world.now < this.#now) organisation.world.advanceTo(this.#now);
  }
}
