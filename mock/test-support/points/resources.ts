import { furnish } from '../../fixtures.js';
import { EMPTY_ZIP, formOf } from '../api.js';
import { type Cases, described, fieldsOf } from './case.js';

/** The records of an organisation: they have the fields of openapi.yaml and no others. */
export const resources: Cases = {
  'record.organisation': {
    see: async (client) => fieldsOf((await client.send('GET', '/org')).r),
    seen: { 'as-described': described('OrganisationResponse') },
  },
  'record.usage': {
    see: async (client) => fieldsOf((await client.send('GET', '/usage')).r),
    seen: { 'as-described': described('UsageResponse') },
  },
  'record.auto-top-up': {
    async see(client) {
      const set = (await client.send('POST', '/topup/auto?active=true&amount=5&threshold=1')).r;
      return [fieldsOf(set), (await client.send('GET', '/topup/auto')).r];
    },
    seen: { 'as-described': [described('IAutoTopUpCredits'), { active: true, amount: 5, threshold: 1 }] },
  },
  'record.plan': {
    see: async (client) => fieldsOf((await client.send('POST', '/plan?plan=starter')).r),
    seen: { 'as-described': described('IBillingPlan') },
  },
  'record.profile': {
    async see(client) {
      const made = (await client.send('POST', '/profile', { id: null })).r;
      return [fieldsOf(made), fieldsOf((await client.send('GET', '/profile')).r[0])];
    },
    seen: { 'as-described': [described('ProfileResponse'), described('ProfileResponse')] },
  },
  'record.proxy': {
    async see(client) {
      const before = (await client.send('GET', '/proxy')).r;
      furnish(client.mock.service.organisations.open('test'), { proxies: [{ country: 'DE' }] });
      return [before, fieldsOf((await client.send('GET', '/proxy')).r[0])];
    },
    seen: { 'as-described': [[], described('ProxyResponse')] },
  },
  'record.extension': {
    async see(client) {
      const uploaded = (
        await client.send('POST', '/extension', undefined, { form: formOf({ file: EMPTY_ZIP }) })
      ).r;
      return [fieldsOf(uploaded), fieldsOf((await client.send('GET', '/extension')).r[0])];
    },
    seen: { 'as-described': [described('UploadExtensionResponse'), described('Extension')] },
  },
  'upload.part-names': {
    async see(client) {
      const statuses = [];
      for (const path of ['/extension', '/browser/extension'])
        for (const name of ['file', 'extension'])
          statuses.push(
            await client.status('POST', path, undefined, { form: formOf({ [name]: EMPTY_ZIP }) }),
          );
      return statuses;
    },
    seen: { file: [200, 422, 200, 422] },
  },
  'record.file': {
    see: async (client) =>
      fieldsOf((await client.send('POST', '/file', undefined, { form: formOf({ file: EMPTY_ZIP }) })).r),
    seen: { 'as-described': described('UploadFileResponse') },
  },
  'browser.records': {
    async see(client) {
      const opened = (await client.send('POST', '/browser/session', {})).r;
      const close = () => client.status('DELETE', `/browser/session/${opened.live_id}`);
      const profiles = fieldsOf((await client.send('GET', '/browser/profile')).r);
      return [fieldsOf(opened), profiles, await close(), await close()];
    },
    seen: {
      'as-described': [described('BrowserSessionResponse'), described('BrowserProfilesResponse'), 200, 404],
    },
  },
  'telemetry.fields': {
    async see(client) {
      const event = { event: 'started', timestamp: '2026-01-01T00:00:00Z', properties: { n: 1 } };
      const batch = (count: number) => ({ events: Array.from({ length: count }, () => event) });
      const statuses = [];
      for (const body of [batch(10), batch(11), { events: [{}] }, {}])
        statuses.push(await client.status('POST', '/telemetry', body));
      return statuses;
    },
    seen: { 'as-described': [200, 422, 422, 422] },
  },
  'billing.top-up': {
    async see(client) {
      const credits = async () => (await client.send('GET', '/usage')).r.credits;
      const before = await credits();
      const { r } = await client.send('POST', '/topup?amount=1');
      const refused = [];
      for (const amount of [0, -1]) refused.push(await client.status('POST', `/topup?amount=${amount}`));
      return [r, ...refused, (await credits()) - before];
    },
    seen: { positive: [true, 400, 400, 1] },
  },
  'org.invite-body': {
    async see(client) {
      const invite = async (email: string) => (await client.send('POST', `/org/user?email=${email}`)).r;
      return [await invite('a@b.c'), await invite('a@b.c'), await invite('d@b.c')];
    },
    seen: { 'by-address': [{ 'a@b.c': 1 }, { 'a@b.c': 2 }, { 'd@b.c': 1 }] },
  },
  'billing.plan-names': {
    async see(client) {
      const statuses = [];
      for (const plan of ['free', 'starter', 'growth', 'enterprise&group=any', 'gold'])
        statuses.push(await client.status('POST', `/plan?plan=${plan}`));
      return [...statuses, (await client.send('POST', '/plan?plan=free&group=mine')).r.group];
    },
    seen: { 'four-plans': [200, 200, 200, 200, 400, 'mine'] },
  },
  'versioning.deprecated-until': {
    async see(client) {
      await client.pass(50 * 365 * 24 * 3600 * 1000);
      const statuses = [await client.status('POST', '/browser/session', {})];
      for (const path of ['/browser/profile', '/browser/extension'])
        statuses.push(await client.status('GET', path));
      return statuses;
    },
    seen: { never: [200, 200, 200] },
  },
};
