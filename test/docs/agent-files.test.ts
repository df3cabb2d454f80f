import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXIT } from '../../cli/exit-codes.js';
import type { AnyCommand } from '../../cli/typed-commander.js';
import { explain, isUnknown } from '../../conformance/explain/explain.js';
import { ADMIN_ROUTES } from '../../mock/admin/admin-routes.js';
import { isMcp } from '../../mock/admin/mcp-endpoint.js';
import { route } from '../../mock/exchange/route.js';
import { startMock } from '../support/mock/mock.js';
import { listCodes, parsePage } from './support/markdown.js';

const ROOT = join(import.meta.dirname, '../..');
const FILES = ['llms.txt', 'AGENTS.md'];

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

async function loadCommand(name: string): Promise<AnyCommand | undefined> {
  const path = join(ROOT, `cli/${name}.ts`);
  if (!existsSync(path)) return undefined;
  const module = (await import(path)) as Record<string, () => AnyCommand>;
  const create = Object.keys(module).find((each) => /^create\w+Command$/.test(each));
  return create === undefined ? undefined : module[create]!();
}

/** What is wrong with a line of a shell: `taskdouble client --init python`. */
async function checkCommand(line: string): Promise<string[]> {
  const [, name = '', rest = ''] = /taskdouble (\S+)(.*)$/.exec(line.split(' -- ')[0]!) ?? [];
  const command = await loadCommand(name);
  if (!command) return [`there is no command ${name}`];
  const found = [...rest.matchAll(/(--[\w-]+)(?: (\w+))?/g)].flatMap(([, flag, value]) => {
    const option = command.options.find(({ long }) => long === flag);
    if (!option) return [`${name} has no ${flag}`];
    return option.argChoices && !option.argChoices.includes(value!) ? [`${flag} does not take ${value}`] : [];
  });
  const subject = rest.trim();
  if (name === 'explain' && subject !== 'RULE' && isUnknown(await explain(subject)))
    found.push(`explain does not know ${subject}`);
  return found;
}

/** What is wrong with the address of a mock. */
function checkAddress(method: string, path: string): string[] {
  if (isMcp(path)) return [];
  const isKnown = path.startsWith('/__admin')
    ? `${method} ${path.slice('/__admin'.length)}` in ADMIN_ROUTES
    : 'operation' in route(method, path);
  return isKnown ? [] : [`a mock has no ${method} ${path}`];
}

/** Each claim of a text that does not hold. */
async function findFalseClaims(text: string): Promise<string[]> {
  const { scripts } = JSON.parse(read('package.json'));
  const found = parsePage(text).links.flatMap(({ target }) =>
    existsSync(join(ROOT, target)) ? [] : [`there is no ${target}`],
  );
  for (const code of listCodes(text)) {
    const [, method, path] = /^(GET|POST) (\/\S*)$/.exec(code) ?? /^()(\/__mcp)$/.exec(code) ?? [];
    const [, script] = /^npm run (\S+)/.exec(code) ?? [];
    if (/(?:^| )taskdouble \w/.test(code)) found.push(...(await checkCommand(code)));
    else if (path !== undefined) found.push(...checkAddress(method!, path));
    else if (script !== undefined && !(script in scripts)) found.push(`there is no script ${script}`);
    else if (/^[\w-]+(?:\/[\w-]+)*\/$/.test(code) && !existsSync(join(ROOT, code)))
      found.push(`there is no ${code}`);
  }
  return found;
}

describe.each(FILES)('%s', (file) => {
  it('names commands, options, addresses, scripts and pages that exist', async () => {
    expect(await findFalseClaims(read(file))).toEqual([]);
  });

  it('has the exit codes', () => {
    const [, list] = /exits with ([^.]+)\./s.exec(read(file))!;
    const { ok, violation, usage, unreachable, fault } = EXIT;
    expect([...list!.matchAll(/\d/g)].map(Number)).toEqual([ok, violation, usage, unreachable, fault]);
  });
});

it('notices claims that do not hold', async () => {
  const text = [
    '`taskdouble mok`, `npx taskdouble client --all-of-it -- node a.mjs`, `taskdouble client --init cobol`, `taskdouble explain x/y`',
    '`GET /__admin/time`, `POST /api/v1/tasks`, `npm run nothing`, `mock/motor/`, [page](docs/none.md)',
  ].join('\n');
  expect(await findFalseClaims(text)).toEqual([
    'there is no docs/none.md',
    'there is no command mok',
    'client has no --all-of-it',
    '--init does not take cobol',
    'explain does not know x/y',
    'a mock has no GET /__admin/time',
    'a mock has no POST /api/v1/tasks',
    'there is no script nothing',
    'there is no mock/motor/',
  ]);
});

it('llms.txt is at the mock, and each of its links leads to a page as Markdown', async () => {
  const { control } = await startMock();
  const response = await control.fetch('http://mock/llms.txt');
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  const { links } = parsePage(await response.text());
  expect(links.length).toBe(parsePage(read('llms.txt')).links.length);
  for (const { target } of links) {
    const page = await control.fetch(`http://mock${target}`);
    expect([page.status, page.headers.get('content-type')], target).toEqual([
      200,
      'text/markdown; charset=utf-8',
    ]);
    expect(await page.text(), target).toMatch(/^# /m);
  }
  const files = JSON.parse(read('package.json')).files as string[];
  expect(files).toContain('llms.txt');
});

it.each(['/__studio/docs/..%2Fpackage.md', '/__studio/docs/none.md', '/llms.txt/x'])(
  'a mock has no %s',
  async (path) => {
    const { control } = await startMock();
    expect((await control.fetch(`http://mock${path}`)).status).toBe(404);
  },
);
