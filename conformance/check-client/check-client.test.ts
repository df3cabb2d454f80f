import { describe, expect, it } from 'vitest';
import { readLibrary } from '../../scenarios/format/load/load.js';
import type { Scenario } from '../../scenarios/format/types.js';
import type { Client, ClientContext, ResultLine } from '../client/types.js';
import type { ConformEvent } from '../service/runner/result.js';
import { checkClient } from './check-client.js';

const library = await readLibrary();
const named = (...names: string[]): Scenario[] =>
  names.map((name) => library.find((each) => each.name === name)!);
const client = (run: (context: ClientContext) => Promise<ResultLine | undefined>): Client => ({
  kind: 'function',
  run,
  name: 'mine',
});

/** Correct for tasks without tools and actions. */
const runPlain = async ({ fetch, baseUrl, apiKey, job }: ClientContext): Promise<ResultLine> => {
  const ask = async (path: string, body?: unknown) => {
    const init: RequestInit = { headers: { apikey: apiKey, 'content-type': 'application/json' } };
    if (body !== undefined) Object.assign(init, { method: 'POST', body: JSON.stringify(body) });
    const response = await fetch(`${baseUrl}/api/v1${path}`, init);
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    return (await response.json()).r;
  };
  let task = await ask('/task', job.request);
  while (task.status === 'running' || task.status === 'waiting') {
    await new Promise((resolve) => setTimeout(resolve, 500));
    task = await ask(`/task/${task.id}`);
  }
  return { status: task.status, output: task.output, results: [], tool_runs: [] };
};
const plain = client(runPlain);
const PLAIN = named('polling/one-shot', 'status-codes/failed', 'polling/done-after-three-polls');

describe('an optional field whose value is false', () => {
  const [oneShot] = named('polling/one-shot');
  const RECORDING = [true, false].map((enable_recording) => ({
    ...oneShot!,
    name: `test/recording-${enable_recording}`,
    request: { ...oneShot!.request, enable_recording },
  }));
  const listFailed = async (isSent: (value: unknown) => boolean) => {
    const sending = client(({ job, ...context }) => {
      const fields = Object.entries(job.request).filter(([, value]) => isSent(value));
      return runPlain({ ...context, job: { ...job, request: Object.fromEntries(fields) } });
    });
    const { checks } = await checkClient({ client: sending, scenarios: RECORDING, unknownScenario: false });
    return checks.flatMap(({ id, outcome }) => (outcome === 'failed' ? id : []));
  };

  it('is not left out by a client that sends it where it is true', async () => {
    expect(await listFailed(Boolean)).toEqual(['test/recording-false#create/matches-job']);
  });

  it('is left out by a client that never sends it', async () => {
    expect(await listFailed((value) => typeof value !== 'boolean')).toEqual([]);
    expect(await listFailed(() => true)).toEqual([]);
  });
});

describe('a client that creates large tasks in a loop', () => {
  it('is ended before it uses all memory, and the check fails with that message', async () => {
    let created = 0;
    const looping = client(async ({ fetch, baseUrl, apiKey }) => {
      const body = JSON.stringify({ task: 'x'.repeat(64_000) });
      const headers = { apikey: apiKey, 'content-type': 'application/json' };
      for (; created < 5000; created++)
        await (await fetch(`${baseUrl}/api/v1/task`, { method: 'POST', headers, body })).text();
      return undefined;
    });
    const { checks, shortened, exchanges } = await checkClient({
      client: looping,
      scenarios: named('polling/one-shot'),
      unknownScenario: false,
    });
    const flood = checks.find(({ id }) => id === 'polling/one-shot#run/flooded');
    expect(flood).toMatchObject({
      outcome: 'failed',
      message: expect.stringMatching(/more than 64 million characters/),
    });
    expect(created).toBeLessThan(1200);
    expect(exchanges.length).toBeLessThanOrEqual(220);
    expect(shortened).toBeUndefined();
  });
});

describe('checkClient', () => {
  it('gives each scenario tasks of other ids: a client may remember its tasks', async () => {
    const ids: unknown[] = [];
    const remembering = client(async (context) => {
      const fetch: typeof context.fetch = async (input, init) => {
        const response = await context.fetch(input, init);
        if (init?.method === 'POST') ids.push((await response.clone().json()).r?.id);
        return response;
      };
      return runPlain({ ...context, fetch });
    });
    await checkClient({ client: remembering, scenarios: PLAIN, unknownScenario: false });
    expect(ids).toHaveLength(PLAIN.length);
    expect(new Set(ids).size).toBe(PLAIN.length);
  });

  it('passes a correct client by each kind of evidence', async () => {
    const events: ConformEvent[] = [];
    const report = await checkClient({ client: plain, scenarios: PLAIN, seed: 7 }, (event) =>
      events.push(event),
    );
    expect(report.checks.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
    expect(report.checks.map(({ id }) => id)).toEqual([
      'unknown-scenario#CLIENT-10',
      ...PLAIN.flatMap(({ name }) =>
        ['exchanges', 'line', 'exit', 'end'].map((evidence) => `${name}#${evidence}`),
      ),
    ]);
    expect(report).toMatchObject({
      seed: 7,
      target: { client: 'mine', time: 'virtual (in process)' },
      summary: { passed: 13, failed: 0, inconclusive: 0, skipped: 0 },
      advice: [],
    });
    expect(report.requirements.tested).toBeGreaterThan(3);
    const { requirements } = report;
    expect(requirements.untested.length).toBe(requirements.total - requirements.tested);
    expect(events[0]).toMatchObject({ type: 'start', checks: 13 });
    expect(events.at(-1)?.type).toBe('end');
    const counts = events.flatMap((event) => (event.type === 'check' ? [[event.done, event.total]] : []));
    expect(counts).toEqual(Array.from({ length: 13 }, (_, n) => [n + 1, 13]));
  });

  it('numbers every exchange uniquely, and the evidence refers to these numbers', async () => {
    const { exchanges, checks } = await checkClient({ client: plain, scenarios: PLAIN });
    const seqs = exchanges.map(({ seq }) => seq);
    expect(seqs).toEqual([...new Set(seqs)].sort((one, other) => one - other));
    for (const { evidence } of checks) expect(seqs).toEqual(expect.arrayContaining(evidence));
    const last = checks.find(({ id }) => id === 'polling/done-after-three-polls#exchanges')!;
    const [first] = last.evidence;
    expect(exchanges.find(({ seq }) => seq === first)?.kind).toBe('create');
  });

  it('uses the exchange numbers of the report in messages', async () => {
    const lying = client(async (context) => ({
      ...(await runPlain(context)),
      status: 'done',
    }));
    const { checks, exchanges } = await checkClient({ client: lying, scenarios: PLAIN });
    const failed = checks.find(({ id }) => id === 'status-codes/failed#line/status')!;
    const [seq] = failed.evidence;
    expect(failed).toMatchObject({
      outcome: 'failed',
      message: expect.stringContaining(`exchange ${seq} has "failed"`),
    });
    expect(exchanges.find((each) => each.seq === seq)?.response?.body).toContain('"failed"');
    expect(checks.some(({ id }) => id === 'status-codes/failed#line')).toBe(false);
    expect(checks.find(({ id }) => id === 'status-codes/failed#end')?.outcome).toBe('passed');
  });

  it.each<[string, () => Promise<ResultLine | undefined>]>([
    ['does nothing', async () => undefined],
    ['says that all is well', async () => ({ status: 'done', output: null, results: [], tool_runs: [] })],
    ['gives up at once', async () => ({ error: 'no' })],
  ])('fails a client in every scenario that %s', async (_, run) => {
    const { checks } = await checkClient({ client: client(run), scenarios: library });
    for (const { name } of library) {
      const of = checks.filter(({ id }) => id.startsWith(`${name}#`));
      if (of.some(({ outcome }) => outcome === 'skipped')) continue;
      expect(of.map(({ id, outcome }) => `${id} ${outcome}`)).toContain(`${name}#run/requests failed`);
    }
    expect(checks.filter(({ outcome }) => outcome === 'passed')).toEqual([]);
  });

  it('passes nothing if a client sends an unrelated request and ends', async () => {
    const idler = client(async ({ fetch, baseUrl, apiKey }) => {
      await fetch(`${baseUrl}/api/v1/usage`, { headers: { apikey: apiKey } });
      return { error: 'no more ideas' };
    });
    const { checks } = await checkClient({ client: idler, scenarios: PLAIN, unknownScenario: false });
    expect(checks.filter(({ outcome }) => outcome === 'passed')).toEqual([]);
    expect(checks.filter(({ id }) => id.endsWith('#run/requests')).length).toBe(PLAIN.length);
  });

  it('skips scenarios that need concurrent actions, with the reason', async () => {
    const { checks } = await checkClient({ client: plain, scenarios: named('sessions/two-actions-at-once') });
    expect(checks.at(-1)).toMatchObject({
      outcome: 'skipped',
      message: expect.stringContaining('one action at a time'),
    });
  });

  it('fails a client that reports no error for an unknown scenario, and judges the other scenarios', async () => {
    const brazen = client(async (context) => runPlain(context).catch(() => ({ status: 'done' })));
    const { checks, summary } = await checkClient({ client: brazen, scenarios: PLAIN });
    expect(checks[0]).toMatchObject({ id: 'unknown-scenario#CLIENT-10', outcome: 'failed' });
    expect(summary).toMatchObject({ failed: 1, passed: 12 });
  });

  it('reports a run that fails in taskdouble itself as an error', async () => {
    const dialect = { 'no.such-point': 'any' };
    const { checks, summary } = await checkClient({ client: plain, scenarios: PLAIN, dialect });
    expect(checks.map(({ outcome }) => outcome)).toEqual(['error', 'error', 'error', 'error']);
    expect(checks[0]).toMatchObject({ id: 'unknown-scenario#CLIENT-10', covers: ['CLIENT-10'] });
    expect(summary).toMatchObject({ passed: 0, error: 4 });
  });

  it('tests nothing if the command does not exist', async () => {
    const missing: Client = { kind: 'command', command: ['/does/not/exist', 'x y'] };
    const report = await checkClient({ client: missing, scenarios: PLAIN });
    expect(report.stopped).toMatch(/does\/not\/exist/);
    expect(report.summary).toEqual({ passed: 0, failed: 0, inconclusive: 3, skipped: 0 });
    expect(report.target).toMatchObject({ client: "/does/not/exist 'x y'", time: 'real' });
  });

  it('ends early when it is aborted', async () => {
    const controller = new AbortController();
    const report = await checkClient(
      { client: plain, scenarios: PLAIN, signal: controller.signal },
      (event) => event.type === 'check' && event.check.id === 'polling/one-shot#end' && controller.abort(),
    );
    expect(report.stopped).toBe('interrupted');
    expect(report.summary.passed).toBe(5);
  });
});

describe('a scenario with a failed check', () => {
  /** Exits by an error in those runs of a scenario that `isBad` chooses by their number, from 1. */
  const hiccuping = (isBad: (n: number) => boolean) => {
    let n = 0;
    return client(async (context) => {
      if (isBad(++n)) throw new Error('a hiccup');
      return runPlain(context);
    });
  };
  const played = async (isBad: (n: number) => boolean, retries: number) => {
    const options = { scenarios: named('polling/one-shot'), unknownScenario: false, retries };
    return checkClient({ ...options, client: hiccuping(isBad) });
  };

  it('fails without retries', async () => {
    const { summary } = await played((n) => n === 1, 0);
    expect(summary.failed).toBeGreaterThan(0);
    expect(summary.flaky).toBeUndefined();
  });

  it('is repeated, and a check that then passes is flaky', async () => {
    const { summary, checks, causes, exchanges } = await played((n) => n < 3, 2);
    expect(summary).toMatchObject({ failed: 0, flaky: expect.any(Number) });
    expect(causes).toEqual([]);
    for (const { message, retries } of checks.filter(({ outcome }) => outcome === 'flaky')) {
      expect(message).toMatch(/^failed in 2 of 3 tries: /);
      expect(retries).toBe(2);
    }
    const passed = checks.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id);
    expect(passed.sort()).toEqual(
      ['end', 'exchanges', 'exit', 'line'].map((kind) => `polling/one-shot#${kind}`),
    );
    expect(new Set(exchanges.map(({ seq }) => seq)).size).toBe(exchanges.length);
  });

  it('stays failed if it fails each time', async () => {
    const { summary } = await played(() => true, 2);
    expect(summary.failed).toBeGreaterThan(0);
    expect(summary.flaky).toBeUndefined();
  });

  it('is not minimized if it is a flaky generated conversation', async () => {
    const failures = async (retries: number) => {
      const events: ConformEvent[] = [];
      // A conversation without tools and actions.
      const options = { scenarios: [], unknownScenario: false, search: 1, seed: 6, retries };
      const report = await checkClient({ ...options, client: hiccuping((n) => n === 1) }, (event) => {
        if (event.type === 'failure') events.push(event);
      });
      return { files: events.length, flaky: report.summary.flaky ?? 0 };
    };
    expect((await failures(0)).files).toBeGreaterThan(0);
    const { files, flaky } = await failures(2);
    expect(files).toBe(0);
    expect(flaky).toBeGreaterThan(0);
  });
});
