import { toWire } from '../../mock/admin/admin-request.js';
import { ADMIN_ROUTES, type AdminRoute, type AdminRoutes, KEY } from '../../mock/admin/admin-routes.js';
import type { Mock } from '../../mock/mock.js';
import type { ServiceProxy } from './service-proxy.js';

/** Operations of a mock's admin API that a proxy has too: they need no more of a mock than it offers. */
const SHARED = [
  'POST /reset',
  'GET /network',
  'PUT /network',
  'DELETE /network',
  'GET /journal',
  'GET /gates',
  'POST /gates',
];

/** The admin API of a proxy. */
export const PROXY_ROUTES: AdminRoutes<ServiceProxy> = {
  'GET /health': {
    about: 'Health: the target, and how many organisations, tasks and exchanges the proxy holds.',
    run: ({ target }) => toWire(target.health()),
  },
  ...Object.fromEntries(SHARED.map((name) => [name, ADMIN_ROUTES[name] as AdminRoute<ServiceProxy & Mock>])),
  'GET /findings': {
    about: 'Findings of the rules about clients and service so far.',
    query: KEY,
    run: ({ target, key }) => ({ findings: target.findings(key) }),
  },
};
