import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openapi, requirements } from '../../spec/generated/documents.js';
import { startMock } from '../../test/support/mock/mock.js';

const DOCS = join(import.meta.dirname, '../../docs');
const operationIds = Object.values(
  openapi.paths as Record<string, Record<string, { operationId?: string }>>,
).flatMap((item) => Object.values(item).flatMap(({ operationId }) => operationId ?? []));

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

it('the API reference and the documentation may use only what the mock serves', async () => {
  const { control } = await startMock();
  for (const [path, title] of [
    ['/docs', 'API reference'],
    ['/__studio/docs/api-reference', 'API reference'],
    ['/__studio/docs/requirements', 'Requirements'],
  ]) {
    const page = await control.fetch(`http://mock${path}`);
    const policy = page.headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'");
    const html = await page.text();
    expect(html).toContain(`<title>${title} – taskdouble</title>`);
    for (const [, address] of html.matchAll(/<(?:script|link|img)[^>]*? (?:src|href)="([^"]*)"/g)) {
      expect(address).toMatch(/^\/__studio\/docs\//);
      expect((await control.fetch(`http://mock${address}`)).status).toBe(200);
    }
    expect(html).not.toMatch(/ style=| on\w+="/);
  }
  expect((await control.fetch('http://mock/docs', { method: 'POST' })).status).toBe(405);
  for (const path of ['nothing', '..%2Fpackage', 'pictures/../README.md', 'package.json'])
    expect((await control.fetch(`http://mock/__studio/docs/${path}`)).status).toBe(404);
});

it('every link within the documentation has its page and its anchor', async () => {
  const { control } = await startMock();
  const names = readdirSync(DOCS).flatMap((file) => (file.endsWith('.md') ? file.slice(0, -3) : []));
  const pages = new Map<string, string>();
  for (const name of ['api-reference', ...names])
    pages.set(name, await (await control.fetch(`http://mock/__studio/docs/${name}`)).text());
  const broken: string[] = [];
  for (const [name, html] of pages)
    for (const [, address] of html.matchAll(/<a href="([^"]*)"/g)) {
      const [, page = name, anchor] = /^(?:\/__studio\/docs\/([\w-]+))?(?:#(.+))?$/.exec(address!) ?? [];
      if (/^(https?:|\/__studio$|\/openapi)/.test(address!)) continue;
      const isThere =
        anchor === undefined || pages.get(page)?.includes(` id="${decodeURIComponent(anchor)}"`);
      if (!pages.has(page) || !isThere) broken.push(`${name}: ${address}`);
    }
  expect(broken).toEqual([]);
  expect(pages.size).toBeGreaterThan(30);
  for (const id of operationIds) expect(pages.get('api-reference')).toContain(`id="${id}"`);
  for (const { id } of requirements) expect(pages.get('requirements')).toContain(`<tr id="${id}">`);
});
