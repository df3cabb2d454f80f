import { applyFixtures } from '../../../mock/fixtures/apply-fixtures.js';
import { serviceOf } from '../../../mock/service.js';
import { EMPTY_ZIP, formOf } from '../mock/api.js';
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
      applyFixtures(serviceOf(client.mock).organisations.open('test'), { proxies: [{ country: 'DE' }] });
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
    seen: { file: [200, 422, 200, 422], extension: [422, 200, 422, 200] },
  },
  'extension.not-zip': {
    async see(client) {
      const form = formOf({ file: new TextEncoder().encode('no archive') });
      const { status } = await client.send('POST', '/extension', undefined, { form });
      return [status, (await client.send('GET', '/extension')).r.length];
    },
    seen: { '400': [400, 0], '422': [422, 0], accepted: [200, 1] },
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
  'browser.unknown-profile': {
    async see(client) {
      const { status, r } = await client.send('POST', '/browser/session', { profile_id: 'p' });
      return [status, r.profile_id, (await client.send('GET', '/browser/profile')).r.profile_ids];
    },
    seen: { made: [200, 'p', ['p']] },
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
