import type { Organisation } from '../engine/organisation.js';
import type { Mock } from '../mock.js';
import { serviceOf } from '../service.js';
import type { ServiceTime } from './service-time.js';

/**
 * The time of the organisation that `key` opens, as what plays virtual time moves it. Its clock has to be a manual one.
 * Goes on with the new organisation where the old one has been reset.
 */
export function serviceTimeOf(mock: Mock, key: string): ServiceTime {
  const { organisations } = serviceOf(mock);
  const own = (): Organisation => organisations.open(key);
  return {
    now: () => own().world.now,
    next: () => own().world.schedule.next(),
    advanceTo: (at) => own().world.advanceTo(at),
    arrived: () => own().journal.seq,
    answered: () => {
      const { journal, inFlight } = own();
      return journal.seq - inFlight;
    },
    waiting: () => {
      const organisation = own();
      return organisation.network.waiting + organisation.waiting;
    },
    progress: () => progressOf(own()),
  };
}

/** Grows with every task, and with everything that happens to one or that a client does to it or learns of it. */
export function progressOf({ world }: Organisation): number {
  let progress = world.taskCount;
  for (const task of world.tasks.values()) {
    progress += task.version + task.shown_version + task.shown + (task.actions?.size ?? 0);
    if (task.calls) for (const call of task.calls.values()) if (call.reply) progress++;
  }
  return progress;
}
