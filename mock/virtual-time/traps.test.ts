import { createSocket } from 'node:dgram';
import { readFile } from 'node:fs/promises';
import {
  setImmediate as importedImmediate,
  setInterval as importedInterval,
  setTimeout as importedTimeout,
} from 'node:timers';
import { scheduler, setTimeout as sleep, setInterval as ticks } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import {
  readRememberedNow,
  remembered,
  waitForSignal,
} from '../../test/support/virtual-time/remembering-client.js';
import { Mock } from '../mock.js';

const START = 1_767_225_600_000;
const mock = new Mock({ clock: 'manual', startMs: START });
afterAll(() => mock.close());

/** Elapsed virtual time, ms. */
const taken = (client: () => Promise<unknown>) =>
  mock.time.run(async () => {
    const began = Date.now();
    await client();
    return Date.now() - began;
  });

const aborted = (signal: AbortSignal) =>
  new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));

describe('functions on virtual time in a run', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['setTimeout', () => new Promise((resolve) => setTimeout(resolve, 60_000))],
    [
      'setTimeout, imported by its name from node:timers',
      () => new Promise((resolve) => importedTimeout(resolve, 60_000)),
    ],
    ['setTimeout, imported by its name from node:timers/promises', () => sleep(60_000)],
    [
      'setTimeout of modules that are loaded meanwhile',
      async () => (await import('node:timers/promises')).setTimeout(60_000),
    ],
    ['promisify(setTimeout)', () => promisify(setTimeout)(60_000)],
    [
      'setInterval',
      () =>
        new Promise<void>((resolve) => {
          let left = 6;
          const timer = setInterval(() => {
            if (--left > 0) return;
            clearInterval(timer);
            resolve();
          }, 10_000);
        }),
    ],
    [
      'setInterval, imported by its name',
      () =>
        new Promise<void>((resolve) => {
          const timer = importedInterval(() => {
            clearInterval(timer);
            resolve();
          }, 60_000);
        }),
    ],
    [
      'the iterator of node:timers/promises',
      async () => {
        let left = 6;
        for await (const _ of ticks(10_000)) if (--left === 0) break;
      },
    ],
    ['scheduler.wait', () => scheduler.wait(60_000)],
    ['AbortSignal.timeout', () => aborted(AbortSignal.timeout(60_000))],
    ['AbortSignal.any with a time-out', () => aborted(AbortSignal.any([AbortSignal.timeout(60_000)]))],
  ])('%s', async (_, client) => {
    expect(await taken(client)).toBe(60_000);
  });

  it('a cleared timer does not fire, whichever reference cleared it', async () => {
    const fired = await mock.time.run(async () => {
      const fired: string[] = [];
      const set = (name: string) => setTimeout(() => fired.push(name), 1_000);
      clearTimeout(set('by the object'));
      clearTimeout(Number(set('by its number')));
      set('closed').close();
      set('kept').unref();
      await sleep(2_000);
      return fired;
    });
    expect(fired).toEqual(['kept']);
  });

  it('all clocks, and they agree with what the mock writes', async () => {
    const before = {
      performance: performance.now(),
      hrtime: process.hrtime.bigint(),
      uptime: process.uptime(),
    };
    await mock.time.run(
      async () => {
        const began = Date.now();
        await sleep(90_061_001);
        expect(Date.now()).toBe(began + 90_061_001);
        expect(new Date().toISOString()).toBe(new Date(Date.now()).toISOString());
        expect(new Date()).toBeInstanceOf(Date);
        expect(Date()).toBe(new Date().toString());
        expect(performance.now()).toBe(90_061_001);
        expect(performance.timeOrigin + performance.now()).toBe(Date.now());
        expect(process.hrtime.bigint()).toBe(90_061_001_000_000n);
        expect(process.hrtime()).toEqual([90_061, 1_000_000]);
        expect(process.uptime()).toBe(90_061.001);
        const made = await mock.fetch('/api/v1/task', {
          method: 'POST',
          headers: { apikey: 'k', 'content-type': 'application/json' },
          body: JSON.stringify({ task: 'Find tea' }),
        });
        const { r } = (await made.json()) as { r: { id: string } };
        const list = await (await mock.fetch('/api/v1/task', { headers: { apikey: 'k' } })).json();
        const { created_at } = (list as { r: { id: string; created_at: number }[] }).r.find(
          ({ id }) => id === r.id,
        )!;
        expect(created_at).toBe(Math.trunc(Date.now() / 1_000));
      },
      { deadlineMs: 1e9, stalledMs: 1e9 },
    );
    expect(performance.now() - before.performance).toBeLessThan(90_061_001);
    expect(process.hrtime.bigint() > before.hrtime && process.uptime() > before.uptime).toBe(true);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['setImmediate', () => new Promise((resolve) => setImmediate(resolve))],
    ['setImmediate, imported by its name', () => new Promise((resolve) => importedImmediate(resolve))],
    ['process.nextTick', () => new Promise<void>((resolve) => process.nextTick(resolve))],
    ['queueMicrotask', () => new Promise<void>((resolve) => queueMicrotask(resolve))],
    ['a hundred turns of the loop', () => turns(100)],
    ['files', () => readFile(import.meta.filename)],
    ['compression', async () => promisify(gunzip)(await promisify(gzip)(Buffer.alloc(5_000_000, 'tea')))],
    ['keys', () => crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign'])],
    ['datagrams', () => echo()],
    ['a body', () => new Response(JSON.stringify({ tea: 'x'.repeat(1_000_000) })).json()],
    ['a stream', () => read(new Response('x'.repeat(1_000_000)).body!.pipeThrough(new TextDecoderStream()))],
    [
      'a stream that is compressed',
      () => read(new Response('x'.repeat(5_000_000)).body!.pipeThrough(new CompressionStream('gzip'))),
    ],
  ])('takes no time: %s', async (_, client) => {
    const beside = async () => {
      const timer = setInterval(() => {}, 1);
      await client();
      clearInterval(timer);
    };
    expect(await taken(beside)).toBe(0);
  });
});

describe('platform functions that a client stores', () => {
  it.each(Object.entries(remembered))('%s', async (name, pause) => {
    const passed = await taken(() => pause(20));
    // A function that was imported by name refers to the replacement during the run; the other cases wait in real time.
    if (name.includes('node:')) expect(passed).toBe(20);
  });

  it('the clock of the stored Date is virtual', async () => {
    const shown = await mock.time.run(async () => {
      await sleep(5_000);
      return readRememberedNow() - Date.now();
    });
    expect(shown).toBe(0);
  });

  it('AbortSignal.timeout, which does not keep a process alive', async () => {
    const reached = mock.time.run(() => Promise.race([waitForSignal(2_000), sleep(3_600_000, 'virtual')]), {
      stalledMs: 1e9,
      deadlineMs: 1e9,
    });
    expect(await reached).toBe('virtual');
  });
});

/** Waits for a message that a socket of this process echoes. */
async function echo(): Promise<void> {
  const server = createSocket('udp4');
  const client = createSocket('udp4');
  server.on('message', (message, { port }) => server.send(message, port, '127.0.0.1'));
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
  const response = new Promise((resolve) => client.once('message', resolve));
  client.send('tea', server.address().port, '127.0.0.1');
  await response;
  server.close();
  client.close();
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

async function read(stream: unknown): Promise<number> {
  let pieces = 0;
  for await (const _ of stream as AsyncIterable<unknown>) pieces++;
  return pieces;
}
