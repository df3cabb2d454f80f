import { always, each, naming, plain, type Sampler } from './builder.js';
import { keepAutoTopUp, keepName, planName, proxy } from './calls.js';
import { formOf } from './forms.js';
import { findId } from './read.js';
import { profile } from './things.js';

const ON_PROFILE = {
  uses: ['createProfile', 'deleteProfile'],
  consumes: true,
  make: naming(profile, (profile_id) => ({ path: { profile_id } })),
} satisfies Sampler;

/** Organisation, billing, profiles, proxies, telemetry. */
export const accountSamplers = {
  inviteUser: {
    allow: 'organisation',
    make: each(({ probing }) => ({ query: { email: `${probing.unique()}@example.com` } })),
  },
  getOrganisation: plain,
  updateOrganisation: {
    allow: 'organisation',
    uses: ['getOrganisation'],
    make: async (kit) => {
      await keepName(kit);
      return () => ({ query: { name: kit.probing.unique() } });
    },
  },
  getUsage: plain,
  getBillingPortal: plain,
  topUp: { allow: 'billing', open: 'fields', make: always({ query: { amount: 1 } }) },
  getAutoTopUp: plain,
  setAutoTopUp: {
    allow: 'billing',
    open: 'fields',
    uses: ['getAutoTopUp'],
    make: naming(keepAutoTopUp, () => ({ query: { active: false, amount: 0, threshold: 0 } })),
  },
  // It is set to what it is.
  setPlan: {
    allow: 'billing',
    open: 'fields',
    uses: ['getUsage'],
    make: naming(planName, (plan) => ({ query: { plan } })),
  },
  listProfiles: plain,
  createProfile: {
    uses: ['deleteProfile'],
    make: each(({ probing }) => ({ body: { id: probing.unique() } })),
    undo(kit, answer, { body }) {
      const profile_id = findId(answer.body, 'id') ?? String((body as { id: string }).id);
      kit.later(`profile ${profile_id}`, () => kit.send('deleteProfile', { path: { profile_id } }));
    },
  },
  deleteProfile: ON_PROFILE,
  listBrowserProfiles: plain,
  deleteBrowserProfile: ON_PROFILE,
  listProxies: plain,
  // So is this.
  updateProxy: {
    uses: ['listProxies'],
    make: naming(proxy, ({ id, auto_renew }) => ({ path: { proxy_id: id }, query: { auto_renew } })),
  },
  sendTelemetry: { open: 'fields', make: each((kit) => formOf(kit, 'sendTelemetry')) },
} satisfies Record<string, Sampler>;
