import { applyFixtures } from '../../../mock/fixtures/apply-fixtures.js';
import { getService } from '../../../mock/service.js';
import { createForm, EMPTY_ZIP } from '../mock/api.js';
import { listDescribedFields, listFields, type PointCases } from './case.js';

/** Records of an organisation: they have exactly the fields of openapi.yaml. */
export const resources: PointCases = {
  'record.organisation': {
    observe: async (client) => listFields((await client.send('GET', '/org')).r),
    expected: { 'as-described': listDescribedFields('OrganisationResponse') },
  },
  'record.usage': {
    observe: async (client) => listFields((await client.send('GET', '/usage')).r),
    expected: { 'as-described': listDescribedFields('UsageResponse') },
  },
  'record.auto-top-up': {
    async observe(client) {
      const set = (await client.send('POST', '/topup/auto?active=true&amount=5&threshold=1')).r;
      return [listFields(set), (await client.send('GET', '/topup/auto')).r];
    },
    expected: {
      'as-described': [listDescribedFields('IAutoTopUpCredits'), { active: true, amount: 5, threshold: 1 }],
    },
  },
  'record.profile': {
    async observe(client) {
      const made = (await client.send('POST', '/profile', { id: null })).r;
      return [listFields(made), listFields((await client.send('GET', '/profile')).r[0])];
    },
    expected: {
      'as-described': [listDescribedFields('ProfileResponse'), listDescribedFields('ProfileResponse')],
    },
  },
  'record.proxy': {
    async observe(client) {
      const before = (await client.send('GET', '/proxy')).r;
      applyFixtures(getService(client.mock).organisations.open('test'), { proxies: [{ country: 'DE' }] });
      return [before, listFields((await client.send('GET', '/proxy')).r[0])];
    },
    expected: { 'as-described': [[], listDescribedFields('ProxyResponse')] },
  },
  'record.extension': {
    async observe(client) {
      const uploaded = (
        await client.send('POST', '/extension', undefined, { form: createForm({ file: EMPTY_ZIP }) })
      ).r;
      return [listFields(uploaded), listFields((await client.send('GET', '/extension')).r[0])];
    },
    expected: {
      'as-described': [listDescribedFields('UploadExtensionResponse'), listDescribedFields('Extension')],
    },
  },
  'upload.part-names': {
    async observe(client) {
      const statuses = [];
      for (const path of ['/extension', '/browser/extension'])
        for (const name of ['file', 'extension'])
          statuses.push(
            await client.sendForStatus('POST', path, undefined, { form: createForm({ [name]: EMPTY_ZIP }) }),
          );
      return statuses;
    },
    expected: { file: [200, 422, 200, 422], extension: [422, 200, 422, 200] },
  },
  'extension.not-zip': {
    async observe(client) {
      const form = createForm({ file: new TextEncoder().encode('no archive') });
      const { status } = await client.send('POST', '/extension', undefined, { form });
      return [status, (await client.send('GET', '/extension')).r.length];
    },
    expected: { '400': [400, 0], '422': [422, 0], accepted: [200, 1] },
  },
  'record.file': {
    observe: async (client) =>
      listFields(
        (await client.send('POST', '/file', undefined, { form: createForm({ file: EMPTY_ZIP }) })).r,
      ),
    expected: { 'as-described': listDescribedFields('UploadFileResponse') },
  },
  'browser.records': {
    async observe(client) {
      const opened = (await client.send('POST', '/browser/session', {})).r;
      const close = () => client.sendForStatus('DELETE', `/browser/session/${opened.live_id}`);
      const profiles = listFields((await client.send('GET', '/browser/profile')).r);
      return [listFields(opened), profiles, await close(), await close()];
    },
    expected: {
      'as-described': [
        listDescribedFields('BrowserSessionResponse'),
        listDescribedFields('BrowserProfilesResponse'),
        200,
        404,
      ],
    },
  },
  'browser.unknown-profile': {
    async observe(client) {
      const { status, r } = await client.send('POST', '/browser/session', { profile_id: 'p' });
      return [status, r.profile_id, (await client.send('GET', '/browser/profile')).r.profile_ids];
    },
    expected: { made: [200, 'p', ['p']] },
  },
  'telemetry.fields': {
    async observe(client) {
      const event = { event: 'started', timestamp: '2026-01-01T00:00:00Z', properties: { n: 1 } };
      const createBatch = (count: number) => ({ events: Array.from({ length: count }, () => event) });
      const statuses = [];
      for (const body of [createBatch(10), createBatch(11), { events: [{}] }, {}])
        statuses.push(await client.sendForStatus('POST', '/telemetry', body));
      return statuses;
    },
    expected: { 'as-described': [200, 422, 422, 422] },
  },
  'versioning.deprecated-until': {
    async observe(client) {
      await client.advance(50 * 365 * 24 * 3600 * 1000);
      const statuses = [await client.sendForStatus('POST', '/browser/session', {})];
      for (const path of ['/browser/profile', '/browser/extension'])
        statuses.push(await client.sendForStatus('GET', path));
      return statuses;
    },
    expected: { never: [200, 200, 200] },
  },
};
