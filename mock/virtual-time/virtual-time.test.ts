import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance as hooks } from 'node:perf_hooks';
import { setTimeout as named } from 'node:timers';
import { scheduler, setTimeout as sleep, setInterval as ticks } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createStalledService } from '../../test/support/virtual-time/stalled-service.js';
import { prepareVirtualTime, runVirtually } from './virtual-run.js';

const HOUR = 3_600_000;
const START = 1_767_225_600_000;

const run = <T>(client: () => T | Promise<T>) =>
  runVirtually(client, {
    service: createStalledService(START),
    patience: { deadlineMs: 10 * HOUR, stalledMs: 10 * HOUR },
  });

describe('on virtual time', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['setTimeout', () => new Promise((resolve) => setTimeout(resolve, HOUR))],
    ['a timer imported by its name', () => new Promise((resolve) => named(resolve, HOUR))],
    ['setTimeout of node:timers/promises', () => sleep(HOUR)],
    ['scheduler.wait', () => scheduler.wait(HOUR)],
    ['promisify(setTimeout)', () => promisify(setTimeout)(HOUR)],
    [
      'AbortSignal.timeout',
      () => new Promise((resolve) => AbortSignal.timeout(HOUR).addEventListener('abort', resolve)),
    ],
    [
      'setInterval',
      () =>
        new Promise<void>((resolve) => {
          let times = 0;
          const timer = setInterval(() => {
            if (++times < 60) return;
            clearInterval(timer);
            resolve();
          }, HOUR / 60);
        }),
    ],
    [
      'setInterval of node:timers/promises',
      async () => {
        let times = 0;
        for await (const _ of ticks(HOUR / 60)) if (++times === 60) return;
      },
    ],
  ])('an hour of %s takes no time', async (_, wait) => {
    const outcome = await run(wait);
    expect(outcome).toMatchObject({ ended: 'by-itself', unhandled: false, at: START + HOUR });
    expect(outcome.error).toBeUndefined();
  });

  it('every clock shows the same', async () => {
    const { value } = await run(async () => {
      const hr = process.hrtime.bigint();
      await sleep(1_500);
      return [
        Date.now() - START,
        new Date().toISOString(),
        new Date(5).getTime(),
        new Date() instanceof Date,
        performance.now(),
        hooks.now(),
        performance.timeOrigin - START,
        Number(process.hrtime.bigint() - hr) / 1e6,
        process.hrtime([0, 0]),
      ];
    });
    expect(value).toEqual([
      1_500,
      '2026-01-01T00:00:01.500Z',
      5,
      true,
      1_500,
      1_500,
      0,
      1_500,
      [1, 500_000_000],
    ]);
  });

  it('bodies, nextTick, microtasks and immediates continue while time is stopped', async () => {
    const { value, at } = await run(async () => {
      const body = await new Response('{"a":1}').json();
      await new Promise<void>((resolve) => process.nextTick(resolve));
      await new Promise<void>((resolve) => queueMicrotask(resolve));
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
      return body;
    });
    expect(value).toEqual({ a: 1 });
    expect(at).toBe(START);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['files', () => readFile(process.execPath)],
    ['compression', () => promisify(gzip)(Buffer.alloc(2_000_000, 'abc'))],
    ['digests', () => crypto.subtle.digest('SHA-512', new Uint8Array(5_000_000))],
  ])('%s are awaited before time advances', async (_, work) => {
    const { value, at } = await run(async () => {
      let late = false;
      setTimeout(() => {
        late = true;
      }, 5);
      await work();
      return late;
    });
    expect({ value, at }).toEqual({ value: false, at: START });
  });

  it('a timer function stored before is awaited, not reported as a hang', () => {
    // Timers are counted: in this process one of the test runner that ends during the run would hide the client's.
    const program = join(import.meta.dirname, '../../test/support/virtual-time/kept-timer.ts');
    const printed = execFileSync(process.execPath, ['--import', 'tsx', program], { encoding: 'utf8' });
    expect(JSON.parse(printed)).toEqual({ ended: 'by-itself', value: 'there' });
  });

  it('a timer function stored while virtual time is prepared is virtual in the run and real outside', async () => {
    const takeAway = prepareVirtualTime();
    const { setTimeout: own } = globalThis;
    takeAway();
    const wait = () => new Promise((resolve) => own(resolve, HOUR));
    expect(await run(wait)).toMatchObject({ ended: 'by-itself', at: START + HOUR });
    expect(await new Promise((resolve) => own(resolve, 1, 'real'))).toBe('real');
  });

  it('timers fire by time, then in the order in which they were set, each with its arguments', async () => {
    const { value } = await run(async () => {
      const fired: string[] = [];
      const note = (name: string) => fired.push(`${name} ${Date.now() - START}`);
      setTimeout(note, 20, 'c');
      setTimeout(note, 10, 'a');
      setTimeout(note, 10, 'b');
      const gone = setTimeout(note, 15, 'gone');
      const number = Number(setTimeout(note, 15, 'gone by its number'));
      clearTimeout(gone);
      clearTimeout(number);
      const refreshed = setTimeout(note, 15, 'refreshed');
      await sleep(10);
      refreshed.refresh();
      await sleep(100);
      return fired;
    });
    expect(value).toEqual(['a 10', 'b 10', 'c 20', 'refreshed 25']);
  });

  it('an abort ends a sleep as the platform does', async () => {
    const { error } = await run(() => sleep(HOUR, undefined, { signal: AbortSignal.timeout(10) }));
    expect(error).toMatchObject({ name: 'AbortError', code: 'ABORT_ERR' });
  });
});
