import type { Organisation } from '../engine/organisation.js';
import type { MockService } from '../mock.js';

export interface Health {
  status: 'ok';
  seed: string | number;
  /** Where the mock says it is reached. */
  origin: string;
  organisations: number;
  tasks: number;
  active_tasks: number;
  /** Exchanges kept in all journals. */
  exchanges: number;
  /** Requests under way, those included that the network holds. */
  in_flight: number;
}

export function viewHealth({ seed, origin }: MockService, all: readonly Organisation[]): Health {
  const sum = (count: (organisation: Organisation) => number) =>
    all.reduce((total, each) => total + count(each), 0);
  return {
    status: 'ok',
    seed,
    origin,
    organisations: all.length,
    tasks: sum(({ world }) => world.tasks.size),
    active_tasks: sum(({ world }) => world.activeTasks),
    exchanges: sum(({ journal }) => journal.size),
    in_flight: sum(({ inFlight }) => inFlight),
  };
}
