import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { endChildren, startChild } from '../support/children.js';
import { createEnvironment } from './environment.js';
import { readLine } from './read-line.js';

const MOST_BYTES = 5_000_000;
const NAME = 'node taskdouble.mjs';

const top = realpathSync(mkdtempSync(join(tmpdir(), 'taskdouble-one-file-')));
/** An empty folder, with the file. */
const folder = join(top, 'empty');
const cache = join(top, 'cache');

beforeAll(() => {
  mkdirSync(folder);
  copyFileSync(inject('oneFile'), join(folder, 'taskdouble.mjs'));
});
afterEach(endChildren);
afterAll(() => rmSync(top, { recursive: true }));

function createVariables(variables: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return { ...createEnvironment(), HOME: top, XDG_CACHE_HOME: cache, ...variables };
}

function run(args: readonly string[], variables?: NodeJS.ProcessEnv) {
  const env = createVariables(variables);
  const { status, stdout, stderr } = spawnSync('node', ['taskdouble.mjs', ...args], {
    cwd: folder,
    env,
    encoding: 'utf8',
    timeout: 150_000,
  });
  return { code: status, stdout, stderr };
}

describe('the one file', () => {
  it('has a limited size', () => {
    expect(statSync(inject('oneFile')).size).toBeLessThan(MOST_BYTES);
  });

  it('has help, scenarios and explanations', () => {
    expect(run(['--help']).stdout).toContain('Usage: taskdouble');
    expect(run(['scenarios', 'list']).stdout).toContain('polling/one-shot');
    expect(run(['explain', 'POLL-04']).stdout).toContain('POLL-04 (requirement)');
  });

  it('plays the service, with studio and documents, and judges one', async () => {
    const args = ['taskdouble.mjs', 'mock', '--port', '0', '--json', '--quiet'];
    const child = startChild('node', [...args, '--clock', 'skipping'], {
      cwd: folder,
      env: createVariables(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const { base_url } = JSON.parse(await readLine(child)) as { base_url: string };
    const read = async (path: string, method = 'GET', body?: string) => {
      const headers = { apikey: 'demo', 'content-type': 'application/json' };
      const response = await fetch(base_url + path, { method, headers, ...(body && { body }) });
      return `${response.status} ${await response.text()}`;
    };
    expect(await read('/__studio')).toMatch(/^200 .*<!doctype html>/s);
    expect(await read('/__studio/studio.js')).toMatch(/^200 /);
    expect(await read('/docs')).toMatch(/^200 .*<body /s);
    expect(await read('/__studio/docs/write-a-scenario')).toMatch(/^200 .*<h1/s);
    expect(await read('/openapi.yaml')).toMatch(/^200 .*openapi: 3/s);
    const created = await read('/api/v1/task', 'POST', '{"task": null, "url": "https://a.example"}');
    const id = /"id":"([^"]+)"/.exec(created)![1];
    const input = { js: '6 * 7', args: null };
    const action = { id: 'script', name: 'browser_action', payload: { name: 'evaluate_js', input } };
    await read(`/api/v1/task/${id}/event`, 'POST', JSON.stringify(action));
    await expect
      .poll(() => read(`/api/v1/task/${id}?event_t=0`), { timeout: 20_000 })
      .toContain('"output":42');

    const judged = run([
      'conform',
      base_url,
      '--api-key',
      'demo',
      '--only',
      'auth/listTasks*',
      '--report',
      'json=report.json',
    ]);
    expect(judged.code, judged.stdout + judged.stderr).toBe(0);
    expect(run(['view', 'report.json', '--out', 'report.html'])).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('<div id="studio">');
  });

  it('judges a client on virtual time, and prints how it was started', () => {
    const written = run(['client', '--init', 'node']);
    expect(written.stdout).toContain(`  ${NAME} client -- node adapter.mjs\n`);
    const given = ['client', '--scenario', 'polling/*', '--time', 'virtual', '--', 'node', 'adapter.mjs'];
    const { code, stdout, stderr } = run(given);
    expect(code, stdout + stderr).toBe(0);
    expect(stdout).toContain('in virtual time');
  });

  it('searches a function in threads, and prints how it was started', () => {
    const client = join(import.meta.dirname, '../../fixtures/clients/buggy/lost-answer-is-failure.mjs');
    const { code, stdout, stderr } = run([
      'explore',
      '--function',
      client,
      '--jobs',
      '2',
      '--schedules',
      '300',
    ]);
    expect(code, stdout + stderr).toBe(1);
    expect(stdout).toContain(`${NAME} explore --replay`);
    expect(stdout + stderr).not.toContain('npx taskdouble');
  });

  it('writes the first files of a project, which install the tarball of the release', () => {
    const directory = mkdtempSync(join(top, 'project-'));
    writeFileSync(join(directory, 'package.json'), '{}');
    const { code, stdout, stderr } = run(['init', directory]);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/npm install --save-dev .*\.\/taskdouble-\d+\.\d+\.\d+\.tgz\n/);
    expect(stdout).not.toContain(cache);
    expect(run(['new', 'scenario', 'mine']).stdout).toContain('scenarios/mine.yaml');
  });

  it('serves agents, and starts itself for them', async () => {
    const args = ['taskdouble.mjs', 'mcp'];
    const env = createVariables() as Record<string, string>;
    const transport = new StdioClientTransport({
      command: 'node',
      args,
      cwd: folder,
      env,
      stderr: 'inherit',
    });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    onTestFinished(() => client.close());
    const started = await client.callTool({ name: 'start_mock', arguments: {} });
    expect(started.isError, JSON.stringify(started.content)).toBeFalsy();
  });
});

describe('the cache of the one file', () => {
  const version = () => run(['--version']).stdout;
  const [VERSION] = [
    JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')).version,
  ];
  const home = join(cache, 'taskdouble');
  const listUnpacked = () => readdirSync(home).map((name) => join(home, name));

  it('is of the user alone, and is used again', () => {
    expect(version()).toBe(`${VERSION}\n`);
    const [unpacked] = listUnpacked();
    expect(statSync(unpacked!).mode & 0o777).toBe(0o700);
    const main = join(unpacked!, 'dist/command/main.js');
    const before = statSync(main).ino;
    expect(version()).toBe(`${VERSION}\n`);
    expect(statSync(main).ino).toBe(before);
    expect(listUnpacked()).toEqual([unpacked]);
  });

  it('is repaired where a part is missing or cut off', () => {
    const code = join(listUnpacked()[0]!, 'dist/command');
    for (const damage of [unlinkSync, (path: string) => writeFileSync(path, '')]) {
      damage(join(code, 'main.js'));
      expect(version()).toBe(`${VERSION}\n`);
    }
    expect(listUnpacked()).toHaveLength(1);
  });

  it('is written once by two starts at the same moment', async () => {
    const fresh = join(top, 'fresh');
    const env = createVariables({ XDG_CACHE_HOME: fresh });
    const starts = [1, 2, 3].map(() =>
      startChild('node', ['taskdouble.mjs', '--version'], {
        cwd: folder,
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    );
    expect(await Promise.all(starts.map(readLine))).toEqual([VERSION, VERSION, VERSION]);
    await Promise.all(
      starts.map(({ exitCode }, n) => exitCode ?? new Promise((done) => starts[n]!.once('exit', done))),
    );
    expect(readdirSync(join(fresh, 'taskdouble'))).toHaveLength(1);
  });

  it.each([
    ['that another user can write', (path: string) => chmodSync(path, 0o777)],
    [
      'that is a link',
      (path: string) => {
        const target = join(top, 'planted');
        rmSync(path, { recursive: true });
        mkdirSync(target, { recursive: true, mode: 0o700 });
        symlinkSync(target, path);
      },
    ],
  ])('is not used in a directory %s', (_, change) => {
    const other = mkdtempSync(join(top, 'changed-'));
    const temporary = mkdtempSync(join(top, 'tmp-'));
    const variables = { XDG_CACHE_HOME: other, TMPDIR: temporary };
    expect(run(['--version'], variables).code).toBe(0);
    const [name] = readdirSync(join(other, 'taskdouble'));
    change(join(other, 'taskdouble'));
    const planted = join(other, 'taskdouble', name!, 'dist/command/main.js');
    mkdirSync(join(planted, '..'), { recursive: true });
    writeFileSync(planted, "console.log('planted');\n");
    expect(run(['--version'], variables)).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: '' });
    // The directory of this run alone is gone.
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('is not needed where it cannot be written', () => {
    const temporary = mkdtempSync(join(top, 'tmp-'));
    const variables = { XDG_CACHE_HOME: join(folder, 'taskdouble.mjs'), TMPDIR: temporary };
    expect(run(['--version'], variables)).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: '' });
    expect(readdirSync(temporary)).toEqual([]);
    const nowhere = { ...variables, TMPDIR: join(top, 'nowhere') };
    expect(run(['--version'], nowhere)).toMatchObject({ code: 2, stdout: '' });
    expect(run(['--version'], nowhere).stderr).toContain(
      'Set XDG_CACHE_HOME to a directory that you can write.',
    );
  });
});
