import { PLANS } from '../../../mock/engine/organisation.js';
import type { OperationId } from '../../../spec/generated/operations.js';
import { readField } from '../../conversation/json.js';
import { readOrganisationName, readPlan, readTopUpSettings } from '../test-case/account.js';
import type { OperationDefinition } from './operation.js';

/** Operations on the organisation as a whole. Sequences about it run alone. */
export const accountOperations = {
  inviteUser: {
    allow: 'organisation',
    request: (source) => ({ query: { email: `${source.unique('guest')}@example.com` } }),
    topics: ['account'],
    weight: 0.4,
    variants: {
      'the same address again': { query: { email: '{{word.guestsame}}@example.com' }, open: true },
      'an address with a plus': (draw) => ({
        query: { email: `${draw.unique('guest')}+td@example.com` },
      }),
    },
  },
  getOrganisation: {
    facts: ({ response, settings, names }) => {
      const name = settings.has('updateOrganisation') ? readOrganisationName(response) : undefined;
      const value = name === undefined ? undefined : name === names.get('settings.name');
      return { 'that it has the name that was set': { value, requirement: 'ORG-03' } };
    },
    topics: ['account'],
  },
  updateOrganisation: {
    allow: 'organisation',
    needs: ['organisationName'],
    replaces: true,
    request: (source) => ({ query: { name: source.unique('organisation') } }),
    topics: ['account'],
  },
  getUsage: {
    // A plan may apply once it is paid.
    facts: ({ response, settings }, { astray }) => {
      const value = settings.has('setPlan') && astray === undefined ? readPlan(response) : undefined;
      return { plan: { value, requirement: 'ORG-09', isOpen: true } };
    },
    topics: ['account'],
  },
  getBillingPortal: { topics: ['account'], weight: 0.3 },
  topUp: { allow: 'billing', open: 'fields', request: { query: { amount: 1 } } },
  getAutoTopUp: {
    facts: ({ response, settings }, { astray }) => {
      const isKnown = settings.has('setAutoTopUp') && astray === undefined;
      const value = isKnown ? readTopUpSettings(response) : undefined;
      return { settings: { value, requirement: 'ORG-07' } };
    },
    topics: ['account'],
  },
  setAutoTopUp: {
    allow: 'billing',
    open: 'fields',
    needs: ['autoTopUp'],
    request: { query: { active: false, amount: 0, threshold: 0 } },
    facts: ({ response }) => ({
      settings: { value: readTopUpSettings(response), requirement: 'ORG-08' },
    }),
    topics: ['account'],
    weight: 1.3,
    plain: (draw) => ({ query: { active: draw.drawBoolean(0.5) } }),
    optional: { amount: (draw) => draw.pick([0, 1, 500]), threshold: (draw) => draw.pick([0, 1, 2]) },
  },
  setPlan: {
    allow: 'billing',
    open: 'fields',
    needs: ['plan'],
    facts: ({ response }) => ({
      group: { value: readField(response.r, 'group'), requirement: 'ORG-09', isOpen: true },
    }),
    topics: ['account'],
    plain: (draw) => ({ query: { plan: draw.pick(Object.keys(PLANS)) }, open: true }),
    optional: { group: (draw) => draw.pick(['zero', 'one']) },
  },
  listProxies: { lists: 'proxy', topics: ['account'], finds: ['proxy'] },
  updateProxy: {
    needs: ['proxy'],
    facts: ({ response, resource, names }) => ({
      auto_renew: { value: readField(response.r, 'auto_renew'), requirement: 'PROXY-02' },
      'that it is the proxy of the path': {
        value: resource && readField(response.r, 'id') === names.get(`${resource.label}.proxy_id`),
        requirement: 'PROXY-02',
        isOpen: true,
      },
    }),
    topics: ['account'],
    drawAllow: 'organisation',
    plain: (draw) => ({ query: { auto_renew: draw.drawBoolean(0.5) } }),
  },
} as const satisfies Partial<Record<OperationId, OperationDefinition>>;
