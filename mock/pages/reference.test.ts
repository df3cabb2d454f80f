import { expect, it } from 'vitest';
import { startMock } from '../../test/support/mock/mock.js';

it('the mock serves the API description, with itself as the server', async () => {
  const { control } = await startMock();
  const yaml = await control.fetch('http://mock/openapi.yaml');
  const json = await control.fetch('http://mock/openapi.json?x=1');
  expect(json.headers.get('content-type')).toBe('application/json');
  const description = await json.json();
  expect(await yaml.text()).toContain('servers:\n  - url: /api/v1\n    description: This mock.\n');
  expect(description.servers).toEqual([{ url: '/api/v1', description: 'This mock.' }]);
  expect(description.paths).toHaveProperty('/task');
});

it('the page of the API reference may use only what the mock serves', async () => {
  const { control } = await startMock();
  const page = await control.fetch('http://mock/docs');
  const policy = page.headers.get('content-security-policy')!;
  expect(policy).toContain("default-src 'none'; script-src 'self';");
  expect(policy).toContain("connect-src 'self'");
  expect(await page.text()).not.toMatch(/https?:|\/\//);
  expect((await control.fetch('http://mock/docs', { method: 'POST' })).status).toBe(405);
  expect((await control.fetch('http://mock/docs/other.js')).status).toBe(404);
});
