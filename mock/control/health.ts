import type { Organisation } from '../engine/organisation.js';
import type { MockService } from '../service.js';

export interface Health {
  status: 'ok';
  seed: string | number;
  /** Where the mock says it is reached. */
  origin: string;
  organisations: number;
  tasks: number;
  activeTasks: number;
  /** Exchanges kept in all journals. */
  exchanges: number;
  /** Requests under way, those included that the network holds. */
  inFlight: number;
}

export function viewHealth({ seed, origin, organisations }: MockService): Health {
  const all = [...organisations.all()];
  const sum = (count: (organisation: Organisation) => number) =>
    all.reduce((total, each) => total + count(each), 0);
  return {
    status: 'ok',
    seed,
    origin,
    organisations: all.length,
    tasks: sum(({ world }) => world.tasks.size),
    activeTasks: sum(({ world }) => world.activeTasks),
    exchanges: sum(({ journal }) => journal.size),
    inFlight: sum(({ inFlight }) => inFlight),
  };
}
