import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listDifferences, readPlatformState } from '../../test/support/virtual-time/platform-state.js';
import { Mock } from '../mock.js';
import { getService } from '../service.js';

const mock = new Mock({ clock: 'manual' });
// The first use of the platform's `fetch` adds internal values to the globals (Node.js 22 and later).
beforeAll(() => fetch('data:,'));
afterAll(() => mock.close());

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const never = () => new Promise<never>(() => {});

describe('after a run the platform is restored', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['a value', () => mock.time.run(() => wait(1_000))],
    [
      'a failure at once',
      () =>
        mock.time.run(() => {
          throw new Error('no');
        }),
    ],
    ['a failure later', () => mock.time.run(() => wait(1_000).then(() => Promise.reject(new Error('no'))))],
    [
      'a callback that throws',
      () =>
        mock.time.run(() => {
          setTimeout(() => {
            throw new Error('no');
          }, 10);
          return never();
        }),
    ],
    [
      'a callback with a rejected promise',
      () =>
        mock.time.run(() => {
          setTimeout(() => Promise.reject(new Error('no')), 10);
          return never();
        }),
    ],
    ['a hang', () => mock.time.run(never)],
    [
      'a client that sets a function and puts back what it found',
      () =>
        mock.time.run(async () => {
          const { setTimeout: found } = globalThis;
          globalThis.setTimeout = (() => {}) as never;
          globalThis.setTimeout = found;
          await wait(1_000);
        }),
    ],
    ['the deadline', () => mock.time.run(() => wait(10_000), { deadlineMs: 5_000 })],
    [
      'an abort',
      () => {
        const controller = new AbortController();
        return mock.time.run(
          () =>
            wait(10)
              .then(() => controller.abort())
              .then(never),
          { signal: controller.signal },
        );
      },
    ],
    ['an abort before', () => mock.time.run(never, { signal: AbortSignal.abort() })],
    [
      'an internal error of the mock during an advance',
      () =>
        mock.time.run(() => {
          getService(mock)
            .organisations.open('k')
            .plan(Date.now() + 5, () => {
              throw new Error('a fault');
            });
          return never();
        }),
    ],
  ])('%s', async (_, run) => {
    // The first run loads modules.
    await mock.time.run(() => 1);
    const before = readPlatformState();
    await run().catch(() => {});
    expect(listDifferences(before)).toEqual([]);
  });

  it('and it is patched within the run', async () => {
    const before = readPlatformState();
    const seen = await mock.time.run(() => listDifferences(before));
    expect(seen).toEqual(
      expect.arrayContaining([
        'globalThis.setTimeout value',
        'globalThis.fetch value',
        'timersPromises.setTimeout value',
        'promisesExports.setTimeout',
        'AbortSignal.timeout value',
        'process.emit value',
        'Math.random value',
        'Crypto.prototype.getRandomValues value',
        'cryptoExports.randomUUID',
      ]),
    );
  });
});

it.each([[[]], [['--without-crypto']]])('and after the first run of a process %j', (flags) => {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const program = join(import.meta.dirname, '../../test/support/virtual-time/first-run.ts');
  const output = execFileSync(process.execPath, ['--import', 'tsx', program, ...flags], {
    env,
    encoding: 'utf8',
  });
  const { during, after } = JSON.parse(output) as { during: string[]; after: string[] };
  expect(during).toContain('globalThis.setTimeout value');
  expect(during).toContain('Socket.prototype.write value');
  expect(after).toEqual([]);
});
