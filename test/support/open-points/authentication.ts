import type { Cases } from './case.js';

export const authentication: Cases = {
  'auth.missing-key': {
    async see(client) {
      const { status, body } = await client.send('GET', '/usage', undefined, { key: null });
      return [status, Array.isArray(body.detail) ? body.detail[0].loc : typeof body.detail];
    },
    seen: { '401': [401, 'string'], '403': [403, 'string'], '422': [422, ['header', 'apikey']] },
    // The key is none of the parameters that this is about.
    given: { 'errors.invalid-parameters': '400' },
  },
  'auth.invalid-key': {
    see: (client) => client.status('GET', '/usage', undefined, { key: 'invalid-1' }),
    seen: { '401': 401, '403': 403 },
  },
  'auth.key-format': {
    async see(client) {
      const years = 10 * 365 * 24 * 3600 * 1000;
      const statuses = [];
      for (const key of ['x', 'cmzr-0123', 'a key of words', '密']) {
        await client.mock.clock.advance(years, key);
        statuses.push(await client.status('GET', '/usage', undefined, { key }));
      }
      return [...statuses, await client.status('GET', '/usage', undefined, { key: ' ' })];
    },
    seen: { any: [200, 200, 200, 200, 401] },
  },
};
