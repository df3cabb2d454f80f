import { PLANS } from '../../../../../mock/engine/organisation.js';
import type { CommandBuilder } from '../draw.js';
import { eventBuilders } from './events.js';
import { taskBuilders } from './tasks.js';
import { uploadBuilders } from './uploads.js';
import { workspaceBuilders } from './workspaces.js';

/** Operations on the organisation as a whole. Sequences about it run alone. */
const accountBuilders: readonly CommandBuilder[] = [
  { operation: 'getOrganisation', topics: ['account'] },
  {
    operation: 'updateOrganisation',
    topics: ['account'],
    allow: 'organisation',
    request: (draw) => ({ query: { name: draw.createMarker('organisation') } }),
  },
  {
    operation: 'inviteUser',
    topics: ['account'],
    allow: 'organisation',
    weight: 0.4,
    request: (draw) => ({ query: { email: `${draw.createMarker('guest')}@example.com` } }),
    variants: {
      'an address with a plus': (draw) => ({
        query: { email: `${draw.createMarker('guest')}+td@example.com` },
      }),
    },
  },
  { operation: 'getUsage', topics: ['account'] },
  { operation: 'getBillingPortal', topics: ['account'], weight: 0.3 },
  { operation: 'getAutoTopUp', topics: ['account'] },
  {
    operation: 'setAutoTopUp',
    topics: ['account'],
    allow: 'billing',
    weight: 1.3,
    request: (draw) => ({ query: { active: draw.drawBoolean(0.5) } }),
    optional: { amount: (draw) => draw.pick([0, 1, 500]), threshold: (draw) => draw.pick([0, 1, 2]) },
  },
  {
    operation: 'setPlan',
    topics: ['account'],
    allow: 'billing',
    request: (draw) => ({ query: { plan: draw.pick(Object.keys(PLANS)) }, open: true }),
    optional: { group: (draw) => draw.pick(['zero', 'one']) },
  },
  { operation: 'listProxies', topics: ['account'], finds: 'proxy' },
  {
    operation: 'updateProxy',
    topics: ['account'],
    of: 'proxy',
    allow: 'organisation',
    request: (draw) => ({ query: { auto_renew: draw.drawBoolean(0.5) } }),
  },
  {
    operation: 'createProfile',
    topics: ['account'],
    makes: 'profile',
    weight: 0.4,
    request: (draw) => ({ body: { id: draw.createMarker('profile') } }),
  },
];

export const builders: readonly CommandBuilder[] = [
  ...taskBuilders,
  ...eventBuilders,
  ...uploadBuilders,
  ...workspaceBuilders,
  ...accountBuilders,
];
