import { readCount, toWire } from '../../mock/admin/admin-request.js';
import { ADMIN_ROUTES } from '../../mock/admin/admin-routes.js';
import { type AdminRoute, type AdminRoutes, KEY } from '../../mock/admin/route.js';
import { createStreamResponse } from '../../mock/admin/stream/stream-response.js';
import type { Mock } from '../../mock/mock.js';
import type { ServiceProxy } from './service-proxy.js';
import { summarizeTasks } from './task-summary.js';

/** Operations of a mock's admin API that a proxy supports unchanged. */
const SHARED = [
  'POST /reset',
  'GET /network',
  'PUT /network',
  'DELETE /network',
  'GET /journal',
  'GET /gates',
  'POST /gates',
  'POST /network',
  'GET /network/verbs',
];

/** The admin API of a proxy. */
export const PROXY_ROUTES: AdminRoutes<ServiceProxy> = {
  'GET /health': {
    about: 'Health: the target, and how many organisations, tasks and exchanges the proxy holds.',
    run: ({ target }) => toWire(target.health()),
  },
  ...Object.fromEntries(SHARED.map((name) => [name, ADMIN_ROUTES[name] as AdminRoute<ServiceProxy & Mock>])),
  'GET /tasks': {
    about: 'Tasks as their exchanges show them, newest first.',
    query: ['limit'],
    run: ({ target: { streamSource: source }, query }) => {
      const tasks = [...source.listOrganisations()].flatMap(summarizeTasks);
      const limit = readCount('limit', query.limit) ?? 200;
      const sorted = tasks.sort((one, other) => other.created_at - one.created_at);
      return { tasks: sorted.slice(0, limit), more: sorted.length > limit };
    },
  },
  'GET /stream': {
    about: 'Server-sent events, as on a mock.',
    query: ['from'],
    run: (call) => createStreamResponse(call.target.streamSource, call),
  },
  'GET /findings': {
    about: 'Findings of the rules about clients and service so far.',
    query: KEY,
    run: ({ target, key }) => ({ findings: target.findings(key) }),
  },
};
