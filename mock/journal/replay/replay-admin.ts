import type { AdminRoute } from '../../admin/admin-routes.js';
import type { ReplayEngine } from './replay.js';

/** What the admin API of a replay knows: there is no state behind it that could be looked at or changed. */
export const REPLAY_ROUTES: readonly AdminRoute<ReplayEngine>[] = [
  {
    method: 'GET',
    path: '/health',
    about: 'The replay is up: how many exchanges were recorded, how many have been played, which comes next.',
    run: ({ target }) => target.health(),
  },
  {
    method: 'GET',
    path: '/journal',
    about: 'What has been replayed so far, oldest first, in full.',
    run: ({ target }) => ({ exchanges: target.journal() }),
  },
  {
    method: 'POST',
    path: '/reset',
    about: 'Starts over: nothing has been played.',
    run: ({ target }) => {
      target.reset();
      return { reset: 'all' };
    },
  },
];
