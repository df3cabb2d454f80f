import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { Mock } from '../../../mock/mock.js';
import { conform, listCaseChecks, planRun } from '../../conform.js';
import { formatColophon } from '../../report/verdict.js';
import { parseBaseUrl } from '../http-client/base-url.js';
import { mockTarget } from '../http-client/in-process.js';
import type { FetchFunction } from '../http-client/target.js';
import type { TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import type { ConformEvent } from './result.js';

const testCase = (run: (t: TestContext) => Promise<unknown>, more: Partial<TestCase> = {}): TestCase => ({
  id: 'resources/sample',
  title: 'A case',
  covers: ['ENV-01'],
  operations: ['getUsage'],
  ...more,
  run: async (t) => void (await run(t)),
});

const usage = testCase(async (t) => {
  const response = await t.send('getUsage');
  t.expect('ENV-01', response.r !== undefined, 'no r', response);
});

async function against(cases: TestCase[], options: object = {}, fetch?: FetchFunction) {
  const mock = new Mock({ clock: 'manual' });
  await mock.ready;
  const target = mockTarget(mock, fetch ?? mock.fetch);
  const report = await conform({ ...target, apiKey: 'main-key', cases, concurrency: 1, ...options });
  return { mock, report };
}

/** A mock that refuses lists of profiles for two seconds each time, selected by the number of the request. */
async function refusing(status: number, isRefused: (number: number) => boolean) {
  const mock = new Mock({ clock: 'manual' });
  await mock.ready;
  let count = 0;
  return mockTarget(mock, async (input, init) =>
    input.endsWith('/profile') && isRefused(++count)
      ? new Response('{"detail":"slow down"}', { status, headers: { 'retry-after': '2' } })
      : mock.fetch(input, init),
  );
}

const outcomes = (checks: readonly { id: string; outcome: string }[]) =>
  Object.fromEntries(checks.map(({ id, outcome }) => [id, outcome]));

describe('a run', () => {
  it('passes with evidence, and names it', async () => {
    const { report } = await against([usage]);
    expect(report.checks).toMatchObject([{ id: 'resources/sample#ENV-01', outcome: 'passed' }]);
    const [seq] = report.checks[0]!.evidence;
    expect(report.exchanges.find((each) => each.seq === seq)).toMatchObject({ operation: 'getUsage' });
    expect(report.requirements.tested).toBe(1);
    expect(report.summary).toEqual({ passed: 1, failed: 0, inconclusive: 0, skipped: 0 });
  });

  it('fails on a finding, also about a requirement that the case does not cover', async () => {
    const { report } = await against([
      testCase(async (t) => {
        const response = await t.send('getUsage');
        t.expect('ENV-01', false, 'expected a, got b', response);
        t.fail('ENV-02', 'that too', response);
        t.expect('ENV-01', true, 'later', response);
      }),
    ]);
    expect(outcomes(report.checks)).toEqual({
      'resources/sample#ENV-01': 'failed',
      'resources/sample#ENV-02': 'failed',
    });
    expect(report.checks[0]).toMatchObject({ message: 'expected a, got b', evidence: [expect.any(Number)] });
  });

  it('is inconclusive without evidence, for every reason', async () => {
    const { report } = await against([
      testCase(async (t) => t.send('getUsage'), { id: 'resources/silent', covers: ['SERVICE-03'] }),
      testCase(async (t) => t.inconclusive('no tool was called'), { id: 'resources/none' }),
      testCase(async (t) => t.skip('it has none'), { id: 'resources/skip' }),
      testCase(async () => undefined!['x' as never], { id: 'resources/fault' }),
      testCase(async () => {}, { id: 'resources/allow', allow: 'billing' }),
      testCase(async () => {}, { id: 'resources/key', keys: ['other'] }),
    ]);
    expect(outcomes(report.checks)).toEqual({
      'resources/silent#SERVICE-03': 'inconclusive',
      'resources/none#ENV-01': 'inconclusive',
      'resources/skip#ENV-01': 'skipped',
      'resources/fault#ENV-01': 'error',
      'resources/allow#ENV-01': 'skipped',
      'resources/key#ENV-01': 'skipped',
    });
    const messages = Object.fromEntries(report.checks.map(({ id, message }) => [id, message]));
    expect(messages).toEqual({
      'resources/silent#SERVICE-03': expect.stringMatching(/no exchange gave the occasion/),
      'resources/none#ENV-01': 'no tool was called',
      'resources/skip#ENV-01': 'it has none',
      'resources/fault#ENV-01': expect.stringMatching(/TypeError/),
      'resources/allow#ENV-01': expect.stringMatching(/--allow billing/),
      'resources/key#ENV-01': expect.stringMatching(/--key other=/),
    });
    expect(report.faults).toEqual([expect.stringMatching(/^resources\/fault: TypeError/)]);
  });

  it('reports a crashed case as an error in each of its checks, also after earlier evidence', async () => {
    const { report } = await against([
      testCase(
        async (t) => {
          const response = await t.send('getUsage');
          t.expect('ENV-01', true, '', response);
          t.fail('ENV-02', 'expected a, got b', response);
          throw new RangeError('too deep');
        },
        { covers: ['ENV-01', 'ENV-02', 'SERVICE-03'] },
      ),
      usage,
    ]);
    expect(report.checks.map(({ outcome }) => outcome)).toEqual(['error', 'failed', 'error', 'passed']);
    expect(report.checks[0]).toMatchObject({
      message: expect.stringMatching(/fault of taskdouble.*RangeError: too deep/),
      evidence: [],
    });
    expect(report.summary).toEqual({ passed: 1, failed: 1, error: 2, inconclusive: 0, skipped: 0 });
    expect(report.requirements.untested.map(({ id }) => id)).toContain('SERVICE-03');
    expect(report.faults).toEqual(['resources/sample: RangeError: too deep']);
  });

  it('removes what was created, last first, also when it is interrupted', async () => {
    const undone: string[] = [];
    const abort = new AbortController();
    const { report } = await against(
      [
        testCase(async (t) => {
          t.cleanup('one', async () => undone.push('one'));
          t.cleanup('two', async () => undone.push('two'));
          t.cleanup('three', async () => Promise.reject(new Error('still in use')));
          t.cleanup('four', async () => undone.push(`four: ${(await t.send('getUsage')).status}`));
          abort.abort();
          await t.send('getUsage');
        }),
        usage,
      ],
      { signal: abort.signal },
    );
    expect(undone).toEqual(['four: 200', 'two', 'one']);
    expect(report.left).toEqual(['three: still in use']);
    expect(report.checks.map(({ outcome }) => outcome)).toEqual(['inconclusive', 'inconclusive']);
  });

  it.each([429, 503])('waits out a %i, unless that is what it is about', async (status) => {
    const statuses: number[] = [];
    const target = await refusing(status, (number) => number % 3 !== 0);
    const run = testCase(async (t) => {
      const from = t.now();
      statuses.push((await t.send('listProfiles')).status, t.now() - from);
      statuses.push((await t.send('listProfiles', { takes: [status] })).status);
    });
    await conform({ ...target, apiKey: 'a', cases: [run], concurrency: 1 });
    expect(statuses).toEqual([200, 4000, status]);
  });

  it.each([429, 503])(
    'stops waiting for an operation that is permanently refused with %i',
    async (status) => {
      const waited: number[] = [];
      const target = await refusing(status, () => true);
      const run = testCase(async (t) => {
        for (let i = 0; i < 3; i++) {
          const from = t.now();
          expect((await t.send('listProfiles')).status).toBe(status);
          waited.push(Math.round((t.now() - from) / 1000));
        }
      });
      await conform({ ...target, apiKey: 'a', cases: [run], concurrency: 1 });
      expect(waited).toEqual([12, 2, 2]);
    },
  );

  it('keeps no key', async () => {
    const { report } = await against(
      [
        testCase(async (t) => {
          await t.send('getUsage', { keyIn: 'cookie' });
          await t.send('getUsage', { key: 'other' });
          await t.send('getUsage', { key: { value: 'stranger-key' } });
          await t.send('getUsage', { key: null });
        }),
      ],
      { keys: { other: 'other-key' } },
    );
    expect(JSON.stringify(report)).not.toMatch(/(main|other|stranger)-key/);
    expect(report.exchanges.slice(-4).map(({ organisation }) => organisation)).toEqual([
      'main',
      'other',
      'stranger',
      'nobody',
    ]);
  });
});

describe('what a service does beside what a case is about', () => {
  const without = async (respond: (input: string, init: RequestInit) => Response | undefined) => {
    const mock = new Mock({ clock: 'manual' });
    await mock.ready;
    const target = mockTarget(
      mock,
      async (input, init = {}) => respond(input, init) ?? mock.fetch(input, init),
    );
    return { ...target, apiKey: 'a', concurrency: 1 };
  };

  it('fails once where a new task is not known for a while, and the rest is tried', async () => {
    const mock = new Mock({ clock: 'manual' });
    await mock.ready;
    const made = new Map<string, number>();
    const target = mockTarget(mock, async (input, init) => {
      const id = /\/task\/([^/?]+)/.exec(input)?.[1];
      const age = target.clock.now() - (made.get(id ?? '') ?? 0);
      if (age < 400) return Response.json({ detail: 'No such task.' }, { status: 404 });
      const response = await mock.fetch(input, init);
      if (init?.method === 'POST' && input.endsWith('/task')) {
        const { r } = (await response.clone().json()) as { r: { id: string } };
        made.set(r.id, target.clock.now());
      }
      return response;
    });
    const polled = testCase(async (t) => {
      const task = await t.createTask({ task: null });
      t.expect('ENV-01', (await t.poll(task)).ok, 'it is known', task.last);
    });
    const report = await conform({ ...target, apiKey: 'a', cases: [polled], concurrency: 1 });
    expect(outcomes(report.checks)).toEqual({
      'polling/first-tasks#TASK-01': 'failed',
      'resources/sample#ENV-01': 'passed',
    });
    expect(report.checks[0]!.message).toMatch(
      /gave the id .* in exchange 2, .* GET \/task\/\{task_id\} was 404/,
    );
  });

  it('fails where a valid request gets a server error, also one that removes something', async () => {
    const failing = await without((input, { method }) =>
      input.endsWith('/profile') || method === 'DELETE'
        ? Response.json({ detail: 'Oh no' }, { status: 500 })
        : undefined,
    );
    const beside = testCase(async (t) => {
      await t.send('listProfiles');
      await t.send('listProfiles', { mayBeRefused: true });
      await t.createTask({ task: null });
    });
    const report = await conform({ ...failing, cases: [beside] });
    const failed = report.checks.filter(({ outcome }) => outcome === 'failed');
    expect(failed.map(({ id }) => id)).toEqual([
      'polling/first-tasks#TASK-17',
      'resources/sample#PROFILE-03',
      'resources/sample#TASK-17',
      'resources/removal#TASK-17',
    ]);
    expect(failed[1]!.evidence).toHaveLength(1);
  });

  describe('a request that was accepted before', () => {
    const creating = (deletes: boolean, requests: (t: TestContext) => object[]) =>
      testCase(async (t) => {
        for (const body of requests(t)) {
          const { ok } = await t.send('createProfile', { body });
          const path = { profile_id: String((body as { id: string }).id) };
          if (ok && deletes) await t.send('deleteProfile', { path });
        }
      });
    const names = (t: TestContext) => [1, 2].map(() => ({ id: t.unique() }));
    const same = (t: TestContext) => {
      const id = t.unique();
      return [{ id }, { id }];
    };

    it.each<[string, number, TestCase, string[]]>([
      ['fails where it is refused as invalid', 422, creating(true, names), ['resources/refusals#PROFILE-02']],
      ['fails nothing where a limit may be reached', 400, creating(false, names), []],
      ['fails nothing where a name was used before', 422, creating(true, same), []],
      ['reports no failure for a conflict', 409, creating(true, names), []],
      [
        'fails nothing where it may be refused',
        422,
        testCase(async (t) => {
          await t.send('createProfile', { body: { id: t.unique() }, mayBeRefused: true });
          await t.send('createProfile', { body: { id: t.unique() }, mayBeRefused: true });
        }),
        [],
      ],
      [
        'fails where a read is not found any more',
        404,
        testCase(async (t) => {
          await t.send('getOrganisation');
          await t.send('getOrganisation');
        }),
        ['resources/refusals#ORG-02'],
      ],
    ])('%s', async (_, status, each, expected) => {
      let count = 0;
      const target = await without((input, { method }) =>
        /\/(?:profile|org)$/.test(input) && method !== 'DELETE' && ++count === 2
          ? Response.json({ detail: 'This is not valid.' }, { status })
          : undefined,
      );
      const report = await conform({ ...target, cases: [each] });
      const failed = report.checks.filter(({ outcome }) => outcome === 'failed');
      expect(failed.map(({ id }) => id)).toEqual(expected);
      for (const { message, evidence } of failed) {
        expect(evidence).toHaveLength(2);
        expect(message).toContain(`accepted in exchange ${evidence[0]}, got ${status}`);
      }
    });
  });

  it('fails nothing where it is not available for a while', async () => {
    const busy = { status: 503, headers: { 'retry-after': '1' } };
    const target = await without((input) =>
      input.endsWith('/profile') ? Response.json({ detail: 'Later' }, busy) : undefined,
    );
    const beside = testCase(async (t) => void (await t.send('listProfiles')));
    const report = await conform({ ...target, cases: [beside] });
    expect(report.checks.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
  });
});

describe('a limit', () => {
  it('is respected by all clients, and fails no check', async () => {
    const mock = new Mock({ clock: 'manual', dialect: { 'limits.rate': 8 } });
    await mock.ready;
    const many = Array.from({ length: 12 }, (_, i) => ({ ...usage, id: `resources/many-${i}` }) as TestCase);
    const events: ConformEvent[] = [];
    const options = { ...mockTarget(mock), apiKey: 'a', cases: many, concurrency: 1 };
    const run = await conform(options, (event) => events.push(event));
    expect(run.summary).toMatchObject({ passed: 12, failed: 0 });
    // It is reported once, and with each check from then on.
    const notes = events.flatMap((event) => (event.type === 'note' ? event.text : []));
    expect(notes).toEqual([
      expect.stringMatching(/responds with 429: the run waits 1\.0 s, .*about .* left/),
    ]);
    expect(events.findLast(({ type }) => type === 'check')).toMatchObject({ total: 12, isSlowed: true });
    const other = new Mock({ clock: 'manual' });
    await other.ready;
    const always = testCase(async (t) => {
      const refused = await t.send('listProxies');
      t.expect('ENV-01', refused.ok, 'refused', refused);
    });
    const fetch: FetchFunction = (input, init) =>
      input.endsWith('/proxy')
        ? Promise.resolve(Response.json({ detail: 'no' }, { status: 429 }))
        : other.fetch(input, init);
    const limited = await conform({
      ...mockTarget(other, fetch),
      apiKey: 'b',
      cases: [always],
      concurrency: 1,
    });
    expect(limited.checks).toMatchObject([
      { outcome: 'inconclusive', message: expect.stringMatching(/a limit was reached/) },
    ]);
  });
});

it('a limit on running tasks, and one on requests without a key, slow nothing else', async () => {
  const mock = new Mock({ clock: 'manual' });
  await mock.ready;
  const running = new Set<string>();
  const target = mockTarget(mock, async (input, init = {}) => {
    const isNew = init.method === 'POST' && input.endsWith('/task');
    const { apikey } = init.headers as Record<string, string>;
    if ((isNew && running.size >= 2) || apikey === undefined)
      return Response.json({ detail: 'too many' }, { status: 429 });
    const response = await mock.fetch(input, init);
    if (isNew) running.add(((await response.clone().json()) as { r: { id: string } }).r.id);
    if (init.method === 'DELETE') running.delete(input.split('/').at(-1)!);
    return response;
  });
  const waited: number[] = [];
  const run = testCase(async (t) => {
    const [one] = [await t.createTask({ task: null }), await t.createTask({ task: null })];
    const third = t.send('createTask', { body: { task: null } });
    await t.cancel(one);
    expect((await third).status).toBe(200);
    expect((await t.send('getUsage', { key: null })).status).toBe(429);
    const from = t.now();
    for (let nth = 0; nth < 5; nth++) await t.send('getUsage');
    waited.push(t.now() - from);
  });
  const events: ConformEvent[] = [];
  const report = await conform({ ...target, apiKey: 'a', cases: [run], concurrency: 1 }, (event) =>
    events.push(event),
  );
  expect(report.faults).toEqual([]);
  expect(waited).toEqual([0]);
  expect(events.findLast(({ type }) => type === 'check')).toMatchObject({ isSlowed: false });
});

it.each<[string, (url: string) => boolean, (url: string) => boolean, boolean]>([
  ['an operation', (url) => url.endsWith('/profile'), (url) => url.endsWith('/proxy'), false],
  ['a task', (url) => url.includes('/task/one'), (url) => url.includes('/task/other'), false],
  ['a key', () => true, (url) => url.endsWith('/proxy'), true],
])('a limit on the requests of %s slows what shares it', async (_, isLimited, isTimed, isSlowed) => {
  const mock = new Mock({ clock: 'manual' });
  await mock.ready;
  let left = 0;
  let free = 0;
  const fetch: FetchFunction = async (input, init) => {
    if (isTimed(input)) free++;
    return isLimited(input) && left-- > 0
      ? Response.json({ detail: 'too many' }, { status: 429 })
      : mock.fetch(input, init);
  };
  const waited: number[] = [];
  const run = testCase(async (t) => {
    const poll = (task_id: string) => t.send('getTask', { path: { task_id }, mayBeRefused: true });
    left = 3;
    await Promise.all([t.send('listProfiles'), poll('one'), t.send('getUsage')]);
    const from = t.now();
    for (let nth = 0; nth < 5; nth++) await t.send('listProxies');
    for (let nth = 0; nth < 5; nth++) await poll('other');
    waited.push(t.now() - from);
  });
  await conform({ ...mockTarget(mock, fetch), apiKey: 'a', cases: [run], concurrency: 1 });
  expect(free).toBeGreaterThan(0);
  expect(waited.map((ms) => ms > 0)).toEqual([isSlowed]);
});

describe('a request that gets no response', () => {
  it('is its own fault where others get theirs', async () => {
    const { report } = await against([usage], {}, undefined);
    expect(report.summary.passed).toBe(1);
    const mock = new Mock({ clock: 'manual' });
    await mock.ready;
    const fetch: FetchFunction = (input, init) =>
      input.includes('/profile') ? Promise.reject(new TypeError('fetch failed')) : mock.fetch(input, init);
    const broken = testCase(async (t) => t.send('listProfiles'), { covers: ['PROFILE-01', 'ENV-01'] });
    const run = await conform({
      ...mockTarget(mock, fetch),
      apiKey: 'a',
      cases: [broken, usage],
      concurrency: 1,
    });
    expect(run.checks.map(({ outcome }) => outcome)).toEqual(['failed', 'inconclusive', 'passed']);
    expect(run.checks[0]!.message).toMatch(/got no response: fetch failed.*Other requests get responses/);
  });

  it.each(['closed', 'reset'] as const)(
    'is sent again where a connection that was used before is %s',
    async (how) => {
      const mock = new Mock({ clock: 'skipping' });
      await mock.ready;
      const used = new WeakSet<object>();
      let broken = 0;
      // Each connection carries one response: a request that reuses it finds it closed.
      const server = createServer((request, response) => {
        if (used.has(request.socket)) {
          broken++;
          if (how === 'closed') request.socket.destroy();
          else request.socket.resetAndDestroy();
          return;
        }
        used.add(request.socket);
        const chunks: Buffer[] = [];
        request.on('data', (chunk) => chunks.push(chunk));
        request.on('end', async () => {
          const { method, url, headers } = request;
          const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {};
          const shown = { apikey: String(headers.apikey), 'content-type': 'application/json' };
          const served = await mock.fetch(url!, { method: method!, headers: shown, ...body });
          response.writeHead(served.status, { 'content-type': 'application/json' }).end(await served.text());
        });
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      const posting = testCase(async (t) => {
        for (let n = 0; n < 3; n++) {
          const created = await t.send('createTask', { body: { task: 'x' } });
          t.expect('ENV-01', created.ok, 'refused', created);
          await t.send('getUsage');
        }
      });
      const run = await conform({
        baseUrl: `http://127.0.0.1:${port}`,
        apiKey: 'a',
        cases: Array.from({ length: 4 }, (_, n) => ({ ...posting, id: `resources/sample-${n}` })),
      });
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      expect(run.summary).toMatchObject({ passed: 4, failed: 0, inconclusive: 0 });
      expect(broken).toBeGreaterThan(0);
      await mock.close();
    },
  );

  it('is not sent again where a POST may have been processed', async () => {
    const mock = new Mock({ clock: 'manual' });
    await mock.ready;
    let posts = 0;
    const fetch: FetchFunction = (input, init) => {
      if (!input.includes('/telemetry')) return mock.fetch(input, init);
      posts++;
      return Promise.reject(new TypeError('fetch failed'));
    };
    const { report } = await against(
      [testCase(async (t) => t.send('sendTelemetry', { body: { events: [] } }))],
      {},
      fetch,
    );
    expect(report.summary).toMatchObject({ failed: 1 });
    expect(posts).toBe(1);
  });

  it('ends the run where none gets any', async () => {
    const mock = new Mock({ clock: 'manual' });
    await mock.ready;
    let dead = false;
    const fetch: FetchFunction = (input, init) =>
      dead ? Promise.reject(new TypeError('fetch failed')) : mock.fetch(input, init);
    const killer = testCase(async (t) => {
      dead = true;
      await t.send('getUsage');
    });
    const run = await conform({
      ...mockTarget(mock, fetch),
      apiKey: 'a',
      cases: [killer, usage],
      concurrency: 1,
    });
    expect(run.stopped).toMatch(/has stopped responding.* The suspect is exchange \d+, GET \/api\/v1\/usage/);
    expect(run.summary).toMatchObject({ passed: 0, failed: 0, inconclusive: 2 });
  });
});

describe('responses of 400 KB', () => {
  it('are kept up to a limit, which the report shows; evidence of a failure stays complete', async () => {
    const mock = new Mock({ clock: 'manual' });
    await mock.ready;
    const padding = 'x'.repeat(400_000);
    const fetch: FetchFunction = async (input, init) => {
      if (!input.includes('/usage')) return mock.fetch(input, init);
      const { r } = await (await mock.fetch(input, init)).json();
      return Response.json({ r: { ...r, padding } });
    };
    const reading = testCase(async (t) => {
      for (let n = 0; n < 60; n++) t.expect('ENV-01', true, '', await t.send('getUsage'));
    });
    const failing = testCase(async (t) => t.expect('ENV-01', false, 'odd', await t.send('getUsage')));
    const cases = [failing, reading, reading].map((each, n) => ({
      ...each,
      id: `resources/sample-${n}` as const,
    }));
    const { report } = await against(cases, {}, fetch);
    const [failed, passed] = report.checks;
    const bodyOf = (seq: number) => report.exchanges.find((each) => each.seq === seq)!.response!.body.length;
    expect(bodyOf(failed!.evidence[0]!)).toBeGreaterThan(padding.length);
    expect(passed!.outcome).toBe('passed');
    expect(bodyOf(passed!.evidence[0]!)).toBeLessThan(3000);
    expect(report.shortened).toBeGreaterThan(30);
    const kept = report.exchanges.reduce((sum, { response }) => sum + (response?.body.length ?? 0), 0);
    expect(kept).toBeLessThan(34 * 1024 * 1024);
    expect(formatColophon(report)).toContain(`bodies of ${report.shortened} exchanges shortened`);
  });
});

describe('a target that is none', () => {
  const constant = (body: string, status = 200): FetchFunction => {
    return async () => new Response(body, { status });
  };

  it.each<[what: string, fetch: FetchFunction, why: RegExp, breach?: string]>([
    ['{}', constant('{}'), /has no task with an id: 200 \{\}/, 'TASK-14'],
    ['{"r":{}}', constant('{"r":{}}'), /has no task with an id/, 'TASK-14'],
    ['404', constant('{"detail":"x"}', 404), /the response to \S+ \S+ was 404/],
    ['500', constant('', 500), /the response to \S+ \S+ was 500/],
    ['HTML', constant('<html>'), /no such API: .* 200 <html>/],
    [
      'one task for all',
      constant('{"r":{"id":"x","status":"running"}}'),
      /two tasks the same id, "x"/,
      'TASK-01',
    ],
    ['a refused key', constant('{"detail":"no"}', 401), /the key is refused/],
    ['a redirect', async () => Response.redirect('http://x.test/', 302), /the response to \S+ \S+ was 302/],
  ])('passes nothing: %s', async (_, fetch, why, breach) => {
    const always = testCase(async (t) => t.expect('ENV-01', true, ''));
    const run = await conform({ baseUrl: 'http://x.test', fetch, apiKey: 'a', cases: [always] });
    expect(run).toMatchObject({ unreachable: true, stopped: expect.stringMatching(why) });
    expect(run.summary).toMatchObject({ passed: 0, inconclusive: 1, skipped: 0 });
    // A success breaks a rule; a refusal cannot be tested.
    const broken = run.checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
    expect(broken).toEqual(breach === undefined ? [] : [`polling/first-tasks#${breach}`]);
  });

  it.each<[what: string, baseUrl: string, serve: FetchFunction, why: RegExp, breach?: string]>([
    [
      'another path',
      'http://x.test/v2/docs',
      async (input) =>
        input.startsWith('http://x.test/api/v1/')
          ? Response.json({ r: [] })
          : new Response('<p>', { status: 404 }),
      /no such API.*The API is at http:\/\/x\.test: use that address/,
    ],
    [
      'another header for the key',
      'http://x.test',
      async (_, init) => {
        const { authorization } = (init?.headers ?? {}) as Record<string, string>;
        return authorization === 'Bearer a'
          ? Response.json({ r: [] })
          : Response.json({ detail: 'no' }, { status: 401 });
      },
      /accepted in the header "Authorization: Bearer KEY"/,
      'AUTH-02',
    ],
    [
      'a limit from the start',
      'http://x.test',
      async () => Response.json({ detail: 'slow' }, { status: 429, headers: { 'retry-after': '900' } }),
      /limits the rate from the first request on.*Wait 900 s/,
    ],
    [
      'https on a port that gets http requests',
      'http://x.test',
      async (input) => {
        if (input.startsWith('https')) return Response.json({});
        throw new TypeError('fetch failed', {
          cause: Object.assign(new Error('socket hang up'), { code: 'EPROTO' }),
        });
      },
      /x\.test speaks https.*Use https:\/\/x\.test\./,
    ],
    [
      'a self-signed certificate',
      'https://x.test',
      async () => {
        throw new TypeError('fetch failed', {
          cause: Object.assign(new Error('self-signed'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
        });
      },
      /certificate of x\.test is not accepted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/,
    ],
  ])('creates nothing and says in one sentence what to do: %s', async (_, baseUrl, fetch, why, breach) => {
    const sent: string[] = [];
    const counted: FetchFunction = (input, init) => {
      sent.push(`${init?.method ?? 'GET'} ${input}`);
      return fetch(input, init);
    };
    const run = await conform({ baseUrl, fetch: counted, apiKey: 'a', cases: [usage] });
    expect(run).toMatchObject({ unreachable: true, stopped: expect.stringMatching(why) });
    expect(sent.filter((each) => each.startsWith('POST'))).toEqual([]);
    const broken = run.checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
    expect(broken).toEqual(breach === undefined ? [] : [`polling/first-tasks#${breach}`]);
  });

  it('passes nothing: a closed port, one that hangs, one that redirects to itself', async () => {
    const server = createServer((request, response) => {
      if (request.url!.startsWith('/loop')) response.writeHead(302, { location: request.url }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const run = (baseUrl: string, requestTimeoutMs?: number) =>
      conform({ baseUrl, apiKey: 'a', cases: [usage], ...(requestTimeoutMs && { requestTimeoutMs }) });
    const hanging = await run(`http://127.0.0.1:${port}`, 50);
    expect(hanging.stopped).toMatch(/got no response within 0.05 s/);
    expect((await run(`http://127.0.0.1:${port}/loop`)).stopped).toMatch(/the response to \S+ \S+ was 302/);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    const closed = await run(`http://127.0.0.1:${port}`);
    expect(closed.stopped).toMatch(/ECONNREFUSED/);
    for (const { summary } of [hanging, closed]) expect(summary.passed + summary.failed).toBe(0);
  });
});

describe('the address of a target', () => {
  it.each([
    ['localhost:4010', 'http://localhost:4010'],
    ['127.0.0.1', 'http://127.0.0.1'],
    ['mock/api/v1/', 'http://mock'],
    ['service.example:8080/base', 'http://service.example:8080/base'],
    // A key is not sent there unencrypted without an explicit option.
    ['service.example/api', 'https://service.example'],
    ['http://service.example', 'http://service.example'],
  ])('%s is %s', (given, address) => {
    expect(parseBaseUrl(given)).toBe(address);
  });
});

describe('what is run', () => {
  const some = [
    testCase(async () => {}, { id: 'polling/one', covers: ['POLL-02', 'POLL-03'], tasks: 2 }),
    testCase(async () => {}, { id: 'auth/two', covers: ['AUTH-05'], operations: ['listProxies'] }),
  ];
  const planned = (options: object) =>
    listCaseChecks(planRun({ cases: some, ...options }).cases).map(({ id }) => id);

  it('is picked by suite, by glob and by what the target has', () => {
    expect(planned({})).toHaveLength(3);
    expect(planned({ suites: ['auth'] })).toEqual(['auth/two#AUTH-05']);
    expect(planned({ only: ['*#POLL-03'] })).toEqual(['polling/one#POLL-03']);
    expect(planned({ only: ['polling/one'] })).toHaveLength(2);
    expect(planned({ exclude: ['polling/*'] })).toEqual(['auth/two#AUTH-05']);
    const lacking = (lacks: string[]) => planRun({ cases: some, lacks }).cases.map((each) => each.lacking);
    expect(lacking(['listProxies'])).toEqual([undefined, 'listProxies']);
    expect(lacking(['proxies'])).toEqual([undefined, 'proxies']);
    expect(lacking(['profiles'])).toEqual([undefined, undefined]);
  });

  it('is known beforehand', () => {
    expect(planRun({ cases: some }).tasks).toBe(4);
    expect(planRun({ cases: [] }).tasks).toBe(0);
  });

  it.each(['x', 'ftp://x', 'http://x/?a=1', 'http://a:b@x'])('has to be an address: %s', async (baseUrl) => {
    await expect(conform({ baseUrl, apiKey: 'a', cases: some })).rejects.toThrow(TypeError);
  });

  it.each(['http://x.test', 'http://x.test/', 'http://x.test/api/v1', 'http://x.test/api/'])(
    'understands %s',
    async (baseUrl) => {
      const seen: string[] = [];
      const fetch: FetchFunction = async (input) => {
        seen.push(input);
        return new Response('');
      };
      await conform({ baseUrl, apiKey: 'a', cases: some, fetch });
      expect(seen[0]).toBe('http://x.test/api/v1/task');
    },
  );
});
