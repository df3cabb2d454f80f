import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createInitCommand } from '../../cli/init.js';
import { createNewCommand } from '../../cli/new.js';
import { createScenariosCommand } from '../../cli/scenarios.js';
import type { AnyCommand } from '../../cli/typed-commander.js';
import { createViewCommand } from '../../cli/view.js';
import { createMock } from '../../index.js';
import { endAll, startMock } from '../support/cli/command.js';
import { checkBlock, type PageState } from './support/check-block.js';
import { checkTable, TABLES } from './support/check-table.js';
import { parsePage, readPage } from './support/markdown.js';
import { isShown, normalizeOutput } from './support/output.js';
import { pages, ROOT } from './support/pages.js';
import type { Workbench } from './support/workbench.js';

describe.each(pages)('$name', ({ name, page }) => {
  for (const table of page.generated ? [] : page.tables) {
    it(`line ${table.line}: table of ${table.check}`, () => checkTable(table));
  }

  it('links to what is there', () => {
    const broken = page.links.filter(({ target }) => !leads(name, target));
    expect(broken).toEqual([]);
  });
});

describe('the pages', () => {
  it('have every table that can be checked', () => {
    const written = pages.filter(({ page }) => !page.generated);
    const found = written.flatMap(({ page }) => page.tables.map(({ check }) => check));
    expect([...new Set(found)].sort()).toEqual([...TABLES].sort());
  });

  it('are all in the index, which the README links', () => {
    const linksOf = (path: string) => pages.find(({ name }) => name === path)!.page.links;
    const linked = linksOf('docs/README.md').map(({ target }) => `docs/${target}`);
    const docs = pages.map(({ name }) => name).filter((name) => /^docs\/(?!README)/.test(name));
    expect(docs.filter((name) => !linked.includes(name))).toEqual([]);
    expect(linksOf('README.md').map(({ target }) => target)).toContain('docs/README.md');
  });

  it('show no annotation of the tests on the front page', () => {
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
    expect(readme.match(/^```\w+ .*/gm)).toBeNull();
  });

  it('lead from one to another', () => {
    const docs = pages.filter(({ name }) => name.startsWith('docs/'));
    const ends = docs.filter(({ page }) => !page.links.some(({ target }) => /^[\w-]+\.md/.test(target)));
    expect(ends.map(({ name }) => name)).toEqual([]);
  });

  it('show every request of the admin API being made', async () => {
    const blocks = pages.flatMap(({ name, page }) => (/^docs\/admin-/.test(name) ? page.blocks : []));
    const scripts = blocks.filter(({ info }) => info.join(' ') === 'sh run').map(({ text }) => text);
    const made = new Set(scripts.flatMap(adminRequestsIn));
    const mock = createMock();
    const answer = await mock.fetch('http://localhost/__admin');
    const { operations } = (await answer.json()) as { operations: { method: string; path: string }[] };
    await mock.close();
    const missing = operations.filter(({ method, path }) => !made.has(`${method} ${path}`));
    expect(missing).toEqual([]);
  });

  it('name every option of the commands without a table of flags, in a section about the command', () => {
    const texts = pages
      .filter(({ name }) => name.startsWith('docs/'))
      .map(({ page }) => page.lines.join('\n'));
    const sections = texts.flatMap((text) => text.split(/^#+ /m));
    const commands = [createInitCommand(), createNewCommand(), createScenariosCommand(), createViewCommand()];
    const options = commands.flatMap((command) => listOptions(command, command.name()));
    expect(options).toContainEqual(['scenarios from', '--out']);
    const isNamed = (option: readonly string[]) =>
      sections.some((text) => option.every((part) => new RegExp(`${part}(?![\\w-])`).test(text)));
    expect(options.filter((option) => !isNamed(option))).toEqual([]);
  });

  it('start what "npm start" starts, on the port that they name', async () => {
    const { scripts, engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
    const [, flags] = /&& node dist\/command\/main\.js mock(.*)$/.exec(scripts.start) ?? [];
    onTestFinished(endAll);
    const { base_url } = await startMock(...flags!.split(' ').filter((flag) => flag !== ''));
    expect((await fetch(`${base_url}/__admin/health`)).status).toBe(200);
    expect(scripts.start, 'what compiles says so').toMatch(/^echo 'Building taskdouble/);
    expect(readme).toContain(`Node.js ${engines.node.replace('>=', '')} or later`);
  });

  it('are short: a README of at most 120 lines, others of 400', () => {
    for (const { name, page } of pages.filter((each) => !each.page.generated))
      expect(page.lines.length, name).toBeLessThanOrEqual(name === 'README.md' ? 120 : 400);
  });
});

describe('the check of the pages', () => {
  const check = (text: string, reading: Partial<PageState> = {}) => {
    const [block] = parsePage(text).blocks;
    return checkBlock(block!, {
      bench: {} as Workbench,
      last: undefined,
      correct: undefined,
      unused: new Map(),
      ...reading,
    });
  };
  const last = (output: string) => ({
    last: { code: 0, output },
    bench: { base_url: 'http://x' } as Workbench,
  });

  it('fails for a block or a table that it does not know', async () => {
    await expect(check('```sh\nls\n```')).rejects.toThrow('no kind of block');
    await expect(checkTable({ line: 3, check: undefined, rows: [] })).rejects.toThrow(
      'line 3: expected <!-- check',
    );
  });

  it('fails for an output that did not come', async () => {
    await check('```text output\n{"id":"…"} at http://127.0.0.1:4010\n```', last('{"id":"7"} at http://x\n'));
    await expect(check('```text output\nyes\n```', last('no'))).rejects.toThrow();
    await expect(check('```text output\nyes\n```')).rejects.toThrow('nothing above');
  });

  it('fails for a script that there is not, and for a scenario with a mistake', async () => {
    await expect(check('```sh script\nnpm run fly\n```')).rejects.toThrow();
    const bench = { save: () => 'x.yaml' } as unknown as Workbench;
    await expect(check('```yaml scenario x.yaml\ntitle: x\n```', { bench })).rejects.toThrow();
    await expect(check('```yaml dialect x.yaml\nchoices: { no.such: 1 }\n```', { bench })).rejects.toThrow();
  });

  it('takes ids and times for what they are, and nothing else', () => {
    const id = (digit: string) =>
      `${digit.repeat(8)}-${digit.repeat(4)}-${digit.repeat(4)}-${digit.repeat(4)}-${digit.repeat(12)}`;
    expect(isShown(`task ${id('a')} at 1795265053000`, `task ${id('b')} at 1795265053999`)).toBe(true);
    expect(isShown('task 8', 'task 7')).toBe(false);
    expect(normalizeOutput('a\na\nhttp://x/1\n', 'http://x')).toBe('a\nhttp://127.0.0.1:4010/1');
  });

  it('fails for code that no check would see', () => {
    for (const text of ['Do\n\n    ls', '1. Do\n   ```sh\n   ls\n   ```', '~~~sh\nls\n~~~'])
      expect(() => parsePage(text), text).toThrow('code that nobody runs');
    expect(parsePage('1. Do\n    and do').blocks).toEqual([]);
  });

  it('keeps in mind which files were shown and not used', async () => {
    const unused = new Map<string, number>();
    const bench = { save: () => '', run: async () => ({ code: 0, output: '' }) } as unknown as Workbench;
    await check('```ts file client.ts\n```', { unused, bench });
    expect([...unused.keys()]).toEqual(['client.ts']);
    await check('```sh run\nnode client.ts\n```', { unused, bench });
    expect([...unused.keys()]).toEqual([]);
  });

  it('notices links that lead nowhere', () => {
    expect(leads('README.md', 'docs/in-ci.md#findings')).toBe(true);
    expect(leads('README.md', 'docs/in-ci.md#no-such-heading')).toBe(false);
    expect(leads('docs/in-ci.md', 'CHANGELOG.md')).toBe(false);
  });
});

/** `['scenarios from', '--out']`, ...: the options of a command and of those below it. */
function listOptions(command: AnyCommand, path: string): [path: string, option: string][] {
  const below = command.commands.flatMap((each) => listOptions(each, `${path} ${each.name()}`));
  return [...command.options.map(({ long }): [string, string] => [path, long!]), ...below];
}

/** `POST /__admin/tasks/{id}/steps`, ...: what the lines with curl in a script ask the admin API for. */
function adminRequestsIn(script: string): string[] {
  const lines = script.replaceAll('\\\n', ' ').split('\n');
  return lines.flatMap((line) => {
    const [, path] = /(?:\$admin|\/__admin)(\/(?:\$\([^)]*\)|[^\s"'?])*)/.exec(line) ?? [];
    if (path === undefined || !line.includes('curl')) return [];
    const method = /-X (\w+)/.exec(line)?.[1] ?? (/ (-d|--data-binary) /.test(line) ? 'POST' : 'GET');
    return [`${method} /__admin${path.replace(/\$id|\$\([^)]*\)/, '{id}')}`];
  });
}

/** True for an address of the web, or for a file (and heading) that there is. */
function leads(page: string, target: string): boolean {
  if (/^https:\/\//.test(target)) return true;
  const [path, anchor] = target.split('#') as [string, string | undefined];
  const file = path === '' ? join(ROOT, page) : join(ROOT, dirname(page), path);
  if (!existsSync(file)) return false;
  return anchor === undefined || readPage(file).anchors.includes(anchor);
}
