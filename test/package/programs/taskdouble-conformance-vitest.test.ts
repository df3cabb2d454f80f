import { createMock } from 'taskdouble';
import { describeConformance } from 'taskdouble/conformance/vitest';
import { afterAll, expect, it } from 'vitest';

const mock = createMock();
const listening = mock.listen();
afterAll(async () => {
  await (await listening).close();
  await mock.close();
});

describeConformance({
  baseUrl: async () => (await listening).baseUrl,
  apiKey: 'demo',
  only: ['auth/listProfiles*'],
});

it('refuses options that are none', () => {
  // @ts-expect-error a key is needed
  expect(() => describeConformance({ baseUrl: 'http://127.0.0.1:1', only: ['no/such'] })).toThrow();
});
