import type { PointCases } from './case.js';

export const authentication: PointCases = {
  'auth.missing-key': {
    async observe(client) {
      const { status, body } = await client.send('GET', '/usage', undefined, { key: null });
      return [status, Array.isArray(body.detail) ? body.detail[0].loc : typeof body.detail];
    },
    expected: { '401': [401, 'string'], '403': [403, 'string'], '422': [422, ['header', 'apikey']] },
    // The key is not one of these parameters.
    given: { 'errors.invalid-parameters': '400' },
  },
  'auth.invalid-key': {
    observe: (client) => client.sendForStatus('GET', '/usage', undefined, { key: 'invalid-1' }),
    expected: { '401': 401, '403': 403 },
  },
  'auth.key-format': {
    async observe(client) {
      const years = 10 * 365 * 24 * 3600 * 1000;
      const statuses = [];
      for (const key of ['x', 'cmzr-0123', 'a key of words', '密']) {
        await client.mock.clock.advance(years, key);
        statuses.push(await client.sendForStatus('GET', '/usage', undefined, { key }));
      }
      return [...statuses, await client.sendForStatus('GET', '/usage', undefined, { key: ' ' })];
    },
    expected: { any: [200, 200, 200, 200, 401] },
  },
};
