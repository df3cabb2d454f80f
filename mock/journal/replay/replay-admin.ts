import type { AdminRoute } from '../../admin/admin-routes.js';
import type { ReplayEngine } from './replay.js';

/** The admin API of a replay, which has no state to view or change. */
export const REPLAY_ROUTES: readonly AdminRoute<ReplayEngine>[] = [
  {
    method: 'GET',
    path: '/health',
    about: 'Health: how many exchanges were recorded, how many have been replayed, which is expected next.',
    run: ({ target }) => target.health(),
  },
  {
    method: 'GET',
    path: '/journal',
    about: 'Exchanges replayed so far, oldest first, in full.',
    run: ({ target }) => ({ exchanges: target.journal() }),
  },
  {
    method: 'POST',
    path: '/reset',
    about: 'Starts the replay over.',
    run: ({ target }) => {
      target.reset();
      return { reset: 'all' };
    },
  },
];
