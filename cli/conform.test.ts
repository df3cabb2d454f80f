import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { FORMATS } from '../conformance/report/formats.js';
import type { ConformReport } from '../conformance/service/runner/result.js';
import { fromHar } from '../mock/exchange/readers/har-reader.js';
import { type CommandResult, endAll, RunningCommand, run, startMock } from '../test/support/cli/command.js';
import { findClosedAddress, NULL_SERVICES, serve } from '../test/support/cli/null-services.js';

const directory = mkdtempSync(join(tmpdir(), 'taskdouble-conform-'));
afterEach(endAll);
afterAll(() => rmSync(directory, { recursive: true }));

const KEY = 'main-key-6f1d';
const inside = (name: string) => join(directory, name);
const read = (name: string) => readFileSync(inside(name), 'utf8');
const reportIn = (name: string) => JSON.parse(read(name)) as ConformReport;

/** Runs `taskdouble conform` in a directory without a configuration. */
function conform(base_url: string, ...flags: string[]): Promise<CommandResult> {
  return run(['conform', base_url, ...flags], { cwd: directory, env: { TASKDOUBLE_API_KEY: KEY } });
}

describe('taskdouble conform against taskdouble mock', () => {
  it('conforms, and writes every report, none of which has a key in it', async () => {
    const { base_url } = await startMock('--quiet');
    const keys = ['other-key-77aa', 'free-key-88bb', 'exhausted-key-99cc'];
    const formats = FORMATS.filter((format) => format !== 'pretty');
    const { code, stdout, stderr } = await conform(
      base_url,
      ...['--suite', 'auth', '--suite', 'resources', '--only', '*Usage*', '--only', '*/getTask*'],
      ...['other', 'free', 'exhausted'].flatMap((name, index) => ['--key', `${name}=${keys[index]}`]),
      ...['billing', 'organisation', 'destructive'].flatMap((name) => ['--allow', name]),
      ...formats.flatMap((format) => ['--report', `${format}=${inside(`out/all.${format}`)}`]),
      ...['--dialect-out', inside('out/dialect.yaml'), '--har', inside('out/run.har'), '--seed', '11'],
    );
    expect(code, stdout + stderr).toBe(0);
    expect(stdout).toContain(`${base_url} conforms: 0 failed`);
    expect(stdout).toContain('seed 11');

    const { summary, seed } = reportIn('out/all.json');
    expect(summary.failed).toBe(0);
    expect(summary.passed).toBeGreaterThan(10);
    expect(seed).toBe(11);
    const files = readdirSync(inside('out'));
    expect(files).toHaveLength(formats.length + 2);
    const written = files.map((file) => read(`out/${file}`));
    for (const text of [stdout, stderr, ...written]) {
      for (const key of [KEY, ...keys]) expect(text.includes(key)).toBe(false);
    }
    expect(fromHar(read('out/run.har')).length).toBeGreaterThan(10);
    await startMock('--dialect', inside('out/dialect.yaml'));
  });

  it('understands an address that ends in /api/v1, and takes the key from --api-key', async () => {
    const { base_url, callAdmin: admin } = await startMock('--quiet');
    const { code, stdout } = await conform(
      `${base_url}/api/v1/`,
      '--api-key',
      'by-flag',
      '--only',
      'auth/getUsage',
    );
    expect(code, stdout).toBe(0);
    const { body } = await admin('GET', '/journal?key=by-flag');
    expect(body.exchanges.length).toBeGreaterThan(0);
  });

  it('sends nothing with --plan, and needs no key for it', async () => {
    const target = await serve(() => {});
    const plan = await run(['conform', target.base_url, '--plan'], { cwd: directory });
    expect(plan.code, plan.stderr).toBe(0);
    expect(plan.stdout).toMatch(/POST \/task/);
    expect(plan.stdout).toMatch(/--allow billing +resources\//);
    expect(plan.stdout).toMatch(/\d+ test cases, \d+ checks; at most \d+ tasks created/);
    const json = await conform(target.base_url, '--plan', '--suite', 'auth', '--report', 'json');
    const { tasks, cases, not_sent } = JSON.parse(json.stdout);
    expect(cases.every(({ id }: { id: string }) => id.startsWith('auth/'))).toBe(true);
    expect(cases[0].requests[0]).toMatch(/^(GET|POST|PUT|DELETE|PATCH) \//);
    expect(tasks).toBeGreaterThan(0);
    expect(not_sent.length).toBeGreaterThan(0);
    expect(target.countRequests()).toBe(0);
    await target.close();
  });

  it.each([['SIGINT', 130]] as const)(
    'leaves nothing behind when it is ended by %s, and reports its results so far',
    async (signal, expected) => {
      const { base_url, call } = await startMock('--quiet');
      const command = new RunningCommand(
        [
          'conform',
          base_url,
          '--api-key',
          'test',
          '--suite',
          'sessions',
          '--suite',
          'polling',
          '--report',
          `json=${inside('cut.json')}`,
        ],
        { cwd: directory },
      );
      await command.waitForOutput(/of \d+ checks/);
      const { code, stdout, stderr } = await command.stop(signal);
      expect(code, stderr).toBe(expected);
      expect(stderr).toContain('removing what was created on the target');
      expect(stderr).not.toContain('not removed');
      expect(stdout).toContain('The run ended early: interrupted');
      expect(stdout).not.toContain(`${base_url} conforms`);
      const { stopped, checks } = reportIn('cut.json');
      expect(stopped).toContain('interrupted');
      expect(checks.some(({ outcome }) => outcome === 'inconclusive')).toBe(true);
      const { body } = await call('GET', '/task?l=128');
      const active = (body.r.tasks ?? body.r).filter(
        ({ status }: { status: string }) => status === 'running' || status === 'waiting',
      );
      expect(active).toEqual([]);
    },
  );

  it('leaves at once at the second Ctrl-C', async () => {
    let onRequest = () => {};
    const requested = new Promise<void>((resolve) => {
      onRequest = resolve;
    });
    const target = await serve(() => onRequest());
    const command = new RunningCommand(['conform', target.base_url, '--api-key', 'k'], { cwd: directory });
    await requested;
    command.signal('SIGINT');
    await command.waitForOutput(/leaves at once/);
    expect((await command.stop('SIGINT')).code).toBe(130);
    await target.close();
  });
});

describe('what is no service', () => {
  it.each(Object.entries(NULL_SERVICES).filter(([name]) => !name.includes('never')))(
    '%s: no check passes, exit code 1 or 3',
    async (_, listener) => {
      const target = await serve(listener);
      const { code, stdout, stderr } = await conform(target.base_url, '--report', 'json');
      expect([1, 3], stderr).toContain(code);
      const { summary } = JSON.parse(stdout) as ConformReport;
      expect(summary.passed).toBe(0);
      await target.close();
    },
  );

  it('a closed port: exit code 3, and says that it refuses connections', async () => {
    const { code, stdout } = await conform(await findClosedAddress());
    expect(code).toBe(3);
    expect(stdout).toContain('ECONNREFUSED');
    expect(stdout).toContain('nothing could be tested');
  });
});

describe('known failures', () => {
  const today = Date.now();
  const day = (after: number) => new Date(today + after * 86_400_000).toISOString().slice(0, 10);
  /** The mock, but the response to usage is a text. */
  async function broken() {
    const { base_url } = await startMock('--quiet');
    return serve(async (request, response) => {
      const body = request.method === 'GET' ? undefined : await bodyOf(request);
      if (request.url === '/api/v1/usage') return void response.writeHead(200).end('"plenty"');
      const headers = Object.entries(request.headers).filter(
        ([name]) => !['host', 'connection'].includes(name),
      );
      const upstream = await fetch(base_url + request.url, {
        method: request.method!,
        headers: headers as [string, string][],
        ...(body?.length ? { body } : {}),
      });
      response.writeHead(upstream.status, { 'content-type': 'application/json' }).end(await upstream.text());
    });
  }

  it('fail without a baseline, do not with one, do with one that is out of date, and can be compared', async () => {
    const target = await broken();
    const only = ['--only', 'resources/getUsage-answer', '--report', `json=${inside('usage.json')}`];
    const bare = await conform(target.base_url, ...only, '--write-baseline', inside('written.yaml'));
    expect(bare.code, bare.stdout + bare.stderr).toBe(1);
    const failed = reportIn('usage.json').checks.filter(({ outcome }) => outcome === 'failed');
    expect(failed.length).toBeGreaterThan(0);
    expect(bare.stdout).toContain('curl');
    // Only what the selection is about counts.
    const { checks, requirements } = reportIn('usage.json');
    expect(requirements.total).toBe(new Set(checks.flatMap(({ covers }) => covers)).size);
    const open = await conform(target.base_url, ...only, '--baseline', inside('written.yaml'));
    expect([open.code, open.stderr]).toEqual([
      2,
      expect.stringContaining('to fill in: replace each FILL IN'),
    ]);

    const baseline = (expires: string) =>
      JSON.stringify([{ check: 'resources/getUsage-answer#*', reason: 'being mended', expires }]);
    const unneeded = JSON.stringify([
      { check: 'resources/getUsage-answer#NO-1', reason: 'r', expires: day(7) },
    ]);
    writeFileSync(inside('known.yaml'), `[${baseline(day(7)).slice(1, -1)}, ${unneeded.slice(1, -1)}]`);
    const update = ['--baseline', inside('known.yaml'), '--update-baseline'];
    const known = await conform(target.base_url, ...only, ...update);
    expect(known.stderr).toContain('1 entry removed');
    expect(read('known.yaml')).toContain('being mended');
    expect(read('known.yaml')).not.toContain('NO-1');
    expect(known.code, known.stdout).toBe(0);
    expect(known.stdout).toContain('being mended');

    writeFileSync(inside('known.yaml'), baseline(day(-2)));
    const stale = await conform(target.base_url, ...only, '--baseline', inside('known.yaml'));
    expect(stale.code).toBe(1);
    expect(stale.stdout).toContain('expired');
    await target.close();

    const compared = await run(['conform', '--compare', 'usage.json', 'usage.json'], { cwd: directory });
    expect(compared.code, compared.stderr).toBe(0);
    expect(compared.stdout).toContain('the same everywhere');
  });
});

async function bodyOf(request: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
}
