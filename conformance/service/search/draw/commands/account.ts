import { PLANS } from '../../../../../mock/engine/organisation.js';
import type { Row } from '../draw.js';

/** What belongs to the organisation as a whole. Sequences about it run alone. */
export const accountRows: readonly Row[] = [
  { operation: 'getOrganisation', families: ['account'] },
  {
    operation: 'updateOrganisation',
    families: ['account'],
    allow: 'organisation',
    request: (draw) => ({ query: { name: draw.word('organisation') } }),
  },
  {
    operation: 'inviteUser',
    families: ['account'],
    allow: 'organisation',
    weight: 0.4,
    request: (draw) => ({ query: { email: `${draw.word('guest')}@example.com` } }),
    variants: {
      'an address with a plus': (draw) => ({ query: { email: `${draw.word('guest')}+td@example.com` } }),
    },
  },
  { operation: 'getUsage', families: ['account'] },
  { operation: 'getBillingPortal', families: ['account'], weight: 0.3 },
  { operation: 'getAutoTopUp', families: ['account'] },
  {
    operation: 'setAutoTopUp',
    families: ['account'],
    allow: 'billing',
    weight: 1.3,
    request: (draw) => ({ query: { active: draw.chance(0.5) } }),
    optional: { amount: (draw) => draw.pick([0, 1, 500]), threshold: (draw) => draw.pick([0, 1, 2]) },
  },
  {
    operation: 'setPlan',
    families: ['account'],
    allow: 'billing',
    request: (draw) => ({ query: { plan: draw.pick(Object.keys(PLANS)) }, open: true }),
    optional: { group: (draw) => draw.pick(['zero', 'one']) },
  },
  { operation: 'listProxies', families: ['account'], finds: 'proxy' },
  {
    operation: 'updateProxy',
    families: ['account'],
    of: 'proxy',
    allow: 'organisation',
    request: (draw) => ({ query: { auto_renew: draw.chance(0.5) } }),
  },
  {
    operation: 'createProfile',
    families: ['account'],
    makes: 'profile',
    weight: 0.4,
    request: (draw) => ({ body: { id: draw.word('profile') } }),
  },
];
