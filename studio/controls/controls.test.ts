import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const STUDIO = join(import.meta.dirname, '..');
const sources = readdirSync(STUDIO, { recursive: true, encoding: 'utf8' })
  .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
  .map((file) => readFileSync(join(STUDIO, file), 'utf8'))
  .join('\n');
const findAll = (pattern: RegExp, text: string) => [...text.matchAll(pattern)].map(([, name]) => name!);

it('send every request of the table of the admin client', () => {
  const client = readFileSync(join(STUDIO, 'live/admin-client.ts'), 'utf8');
  const requests = findAll(/^ {2}(\w+): /gm, client.slice(client.indexOf('export const admin =')));
  expect(requests).toContain('reset');
  const sent = new Set(findAll(/\badmin\s*\.(\w+)/g, sources));
  expect(requests.filter((name) => !sent.has(name))).toEqual([]);
});

it('are all described on the page about studio', () => {
  const page = readFileSync(join(STUDIO, '../docs/studio.md'), 'utf8');
  const [, section = ''] = /^## Controls\n(.*?)^## /ms.exec(page) ?? [];
  const groups = findAll(/<Group title="([^"]+)"/g, sources);
  expect(groups).toContain('Clock');
  expect(groups.filter((title) => !section.includes(`- **${title}**: `))).toEqual([]);
});

it('link to headings that there are', () => {
  const links = [...sources.matchAll(/docs=\{\['([^']+)', '([^']+)'\]\}/g)];
  expect(links.length).toBeGreaterThan(5);
  for (const [, page, anchor] of links) {
    const text = readFileSync(join(STUDIO, `../docs/${page}.md`), 'utf8');
    const anchors = findAll(/^## (.*)$/gm, text).map((heading) => heading.toLowerCase().replaceAll(' ', '-'));
    expect(anchors, `${page}#${anchor}`).toContain(anchor);
  }
});
