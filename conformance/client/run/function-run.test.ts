import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Server, type Socket } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { formatTraceEntry } from '../../../mock/network/tracer.js';
import { readLibrary } from '../../../scenarios/format/load/load.js';
import { createScenario, oneCall } from '../../../test/support/client/scenarios.js';
import { describeWait } from '../judge/run-end.js';
import type { ClientFunction, ClientRun, LeftOpen } from '../types.js';
import { explainUnplayable } from './job.js';
import { play } from './play.js';
import { checkUnknownScenario, UNKNOWN_SCENARIO } from './unknown-scenario.js';

const { run: reference } = (await import(
  new URL('../../../fixtures/clients/reference.mjs', import.meta.url).href
)) as { run: ClientFunction };

const playFunction = (run: ClientFunction, played = oneCall, options = {}): Promise<ClientRun> =>
  play(played, { kind: 'function', run }, options);

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const NOTHING: LeftOpen = { timers: 0, requests: 0, sockets: 0, servers: 0, listeners: 0 };

describe('a client function', () => {
  it('runs on virtual time, and its run is recorded', async () => {
    const run = await playFunction(reference);
    expect(run).toMatchObject({
      kind: 'function',
      end: 'by-itself',
      exitCode: 0,
      line: { status: 'done', output: 'It is cold.' },
      error: undefined,
      wall: undefined,
      tasks: [{ status: 'done', calls: [{ step: 'c1', reply: { code: 200, output: { temp_c: 3 } } }] }],
    });
    expect(run.durationMs).toBeGreaterThanOrEqual(600);
    expect(run.trace.map(formatTraceEntry)).toContain('arrive reply c1#1');
  });

  it('runs on after its return: requests of its timers are recorded without extending its duration', async () => {
    const { durationMs } = await playFunction(reference);
    const run = await playFunction((context) => {
      const ping = () => context.fetch(`${context.baseUrl}/api/v1/usage`);
      setTimeout(ping, 3000);
      setTimeout(ping, 60_000);
      return reference(context);
    });
    expect(run).toMatchObject({ end: 'by-itself', line: { status: 'done' }, durationMs });
    expect(run.late).toEqual([run.exchanges.at(-1)!.seq]);
    expect(run.exchanges.at(-1)!.request.url).toContain('/api/v1/usage');
    expect((await playFunction(reference)).late).toEqual([]);
  });

  it('leaves timers behind: they are counted, and one that fires is not', async () => {
    const run = await playFunction((context) => {
      setInterval(() => {}, 1000).unref();
      setTimeout(() => {}, 3000);
      setTimeout(() => {}, 3_600_000);
      return reference(context);
    });
    expect(run.leftOpen).toEqual({ ...NOTHING, timers: 2 });
    expect((await playFunction(reference)).leftOpen).toEqual(NOTHING);
  });

  it('ends at its deadline while time is given to what it has left: nothing counts that is none of it', async () => {
    const sleepy: ClientFunction = async ({ job }) => {
      await sleep(job.deadline_ms - 20_000);
      setTimeout(() => {}, 40_000).unref();
      return {};
    };
    expect((await playFunction(sleepy)).leftOpen).toEqual(NOTHING);
  });

  it('leaves sockets, servers and requests open: they are counted', async () => {
    const opened: (Server | Socket)[] = [];
    const connect = async (port: number) => {
      const socket = createConnection(port, '127.0.0.1');
      await once(socket, 'connect');
      return socket;
    };
    const run = await playFunction(
      async ({ fetch, baseUrl, apiKey }) => {
        const server = createServer((socket) => void opened.push(socket)).listen(0, '127.0.0.1');
        await once(server, 'listening');
        const { port } = server.address() as AddressInfo;
        opened.push(server, await connect(port));
        // Neither of these counts: one is closing, and one is idle in a pool.
        (await connect(port)).end();
        const pooled = await connect(port);
        opened.push(pooled.unref());
        void fetch(`${baseUrl}/api/v1/task`, {
          method: 'POST',
          headers: { apikey: apiKey },
          body: '{"task":"tea"}',
        });
        await sleep(10);
        return {};
      },
      createScenario([{ network: 'delay', of: { create: 1 }, time_ms: 1000 }, { service: 'finish' }]),
    );
    for (const each of opened) 'destroy' in each ? each.destroy() : each.close();
    expect(run.leftOpen).toEqual({ ...NOTHING, sockets: 1, servers: 1, requests: 1 });
  });

  it('adds a listener to process in each job: it is counted from the second on', async () => {
    const added: (() => void)[] = [];
    const listens: ClientFunction = async () => {
      const listener = () => {};
      added.push(listener);
      process.on('SIGINT', listener);
      return {};
    };
    const counts = [];
    for (let job = 0; job < 2; job++) counts.push((await playFunction(listens)).leftOpen?.listeners);
    for (const listener of added) process.off('SIGINT', listener);
    expect(counts).toEqual([0, 1]);
  });

  it('that calls process.exit fails without ending the process', async () => {
    const { exit } = process;
    const run = await playFunction(async () => process.exit(0));
    expect(run).toMatchObject({ end: 'by-itself', exitCode: 1, line: undefined });
    expect(run.error).toContain('called process.exit(0)');
    expect(process.exit).toBe(exit);
  });

  it('plays every playable scenario of the library without real waiting, even for hangs', async () => {
    for (const each of await readLibrary()) {
      if (explainUnplayable(each) !== undefined) continue;
      const run = await playFunction(reference, each);
      expect(run.end, each.name).toBe('by-itself');
      expect(run.line, each.name).toBeDefined();
    }
  });

  it('is repeatable for the same seed', async () => {
    const [one, again, other] = [
      await playFunction(reference, oneCall, { seed: 3 }),
      await playFunction(reference, oneCall, { seed: 3 }),
      await playFunction(reference, oneCall, { seed: 4 }),
    ];
    expect(again.trace).toEqual(one.trace);
    expect(again.tasks[0]!.id).toBe(one.tasks[0]!.id);
    expect(other.tasks[0]!.id).not.toBe(one.tasks[0]!.id);
  });

  it.each<[string, () => number]>([
    ['Math.random', () => Math.random()],
    ['crypto.getRandomValues', () => crypto.getRandomValues(new Uint32Array(1))[0]! / 2 ** 32],
    ['randomInt of node:crypto', () => randomInt(1000) / 1000],
  ])('waits as long as before under the same seed, with jitter of %s', async (_, jitter) => {
    const withJitter: ClientFunction = async (context) => {
      const fetch: typeof globalThis.fetch = async (...args) => {
        await sleep(1000 * jitter());
        return context.fetch(...args);
      };
      return reference({ ...context, fetch });
    };
    const [one, again, other] = [
      await playFunction(withJitter, oneCall, { seed: 3 }),
      await playFunction(withJitter, oneCall, { seed: 3 }),
      await playFunction(withJitter, oneCall, { seed: 4 }),
    ];
    expect(one.trace.map(formatTraceEntry)).toContain('arrive reply c1#1');
    expect(again.trace).toEqual(one.trace);
    expect(other.trace[0]!.at).not.toBe(one.trace[0]!.at);
  });

  it('prints nothing on the streams of the process: the end of its output is recorded', async () => {
    const own = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const run = await playFunction(async (context) => {
      process.stdout.write(Buffer.from('to stdout\n'));
      process.stderr.write(`${'x'.repeat(40_000)} to stderr`);
      return reference(context);
    });
    process.stderr.write('ours');
    expect(own.mock.calls).toEqual([['ours']]);
    own.mockRestore();
    expect(run.stderr).toMatch(/x to stderr$/);
    expect(run.stderr.length).toBe(8192);
  });

  it('runs in sequence with others, isolated from them', async () => {
    const runs = await Promise.all([1, 2, 3].map((seed) => playFunction(reference, oneCall, { seed })));
    for (const run of runs) {
      expect(run.line?.status).toBe('done');
      expect(run.exchanges.filter(({ kind }) => kind === 'create').length).toBe(1);
      expect(new Set(run.exchanges.map(({ organisation }) => organisation))).toEqual(new Set(['client']));
    }
  });

  it.each<[string, unknown, RegExp | undefined]>([
    ['an Error', new Error('no luck'), /^no luck$/],
    ['undefined', undefined, /undefined/],
  ])('that throws %s fails', async (_what, thrown, words) => {
    const run = await playFunction(async () => {
      throw thrown;
    });
    expect(run).toMatchObject({ end: 'by-itself', exitCode: 1, line: undefined, unhandled: undefined });
    expect(run.error).toMatch(words!);
    expect(run.lineProblem).toMatch(/threw/);
  });

  it('that returns an error fails, with its line', async () => {
    const run = await playFunction(async () => ({ status: 'running', error: 'refused' }));
    expect(run).toMatchObject({ exitCode: 1, line: { error: 'refused' }, error: undefined });
    expect((await playFunction(async () => ({ error: null }))).exitCode).toBe(0);
  });

  it('that returns nothing has no line', async () => {
    const run = await playFunction(async () => undefined);
    expect(run).toMatchObject({ end: 'by-itself', exitCode: 0, line: undefined });
    expect(run.lineProblem).toMatch(/got nothing/);
  });

  it('that does not handle a rejected promise is reported', async () => {
    const run = await playFunction(async () => {
      Promise.reject(new Error('nobody cares'));
      await sleep(1000);
      return {};
    });
    expect(run.unhandled).toMatch(/nobody cares/);
    expect(run.exitCode).toBe(1);
  });

  it('that polls forever is ended at its deadline, one without pending work at once', async () => {
    const polls = await playFunction(async () => {
      for (;;) await sleep(100);
    });
    expect(polls).toMatchObject({ end: 'deadline', exitCode: null, durationMs: 61_000 });
    const untilStopped = await playFunction(async ({ signal }) => {
      while (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return { error: 'stopped' };
    });
    expect(untilStopped).toMatchObject({ exitCode: null, line: undefined });
    expect(untilStopped.end).not.toBe('by-itself');
    expect(describeWait(polls)).toMatch(/made no request/);
    expect((await playFunction(() => new Promise(() => {}))).end).toBe('idle');
  });

  it('may change its job', async () => {
    const spoil: ClientFunction = async ({ job }) => {
      job.request.task = 'spoilt';
      job.tools = {};
      return {};
    };
    await playFunction(spoil);
    const { job } = await playFunction(reference);
    expect(job.request.task).toBe('How warm is it in Oslo?');
  });

  it('cannot affect the next run by leftover timers', async () => {
    let late: Promise<unknown> = Promise.resolve();
    await playFunction(async ({ fetch, baseUrl, apiKey, signal }) => {
      signal.addEventListener('abort', () => {
        late = fetch(`${baseUrl}/api/v1/task`, {
          method: 'POST',
          headers: { apikey: apiKey },
          body: '{"task":"late"}',
        });
        late.catch(() => {});
      });
      return {};
    });
    const { exchanges } = await playFunction(async () => {
      await sleep(1000);
      return {};
    });
    expect(exchanges).toEqual([]);
    expect(Date.now()).toBeGreaterThan(Date.parse('2026-01-02'));
  });

  it('is ended when the whole run is stopped', async () => {
    const stop = new AbortController();
    const run = await playFunction(
      async () => {
        stop.abort();
        await sleep(10);
        return {};
      },
      oneCall,
      { signal: stop.signal },
    );
    expect(run).toMatchObject({ end: 'aborted', exitCode: null });
  });

  it('gets an unknown scenario too', async () => {
    const fails = checkUnknownScenario(await playFunction(reference, UNKNOWN_SCENARIO));
    expect(fails.outcome).toBe('passed');
    const boasts = checkUnknownScenario(
      await playFunction(async () => ({ status: 'done' }), UNKNOWN_SCENARIO),
    );
    expect(boasts.outcome).toBe('failed');
    expect(boasts.message).toMatch(/has to throw, or return an "error"; it ended without an error/);
  });

  it('gets the choices of a dialect', async () => {
    const plain = createScenario([{ service: 'finish', after: { time_ms: 100 } }]);
    const statusOf = async (options: object) => {
      const { exchanges } = await playFunction(reference, plain, options);
      return JSON.parse(exchanges[0]!.response!.body).r.status;
    };
    expect(await statusOf({})).toBe('running');
    expect(await statusOf({ dialect: { 'task.first-status': 'waiting' } })).toBe('waiting');
  });
});
