import assert from 'node:assert/strict';
import { after, afterEach, mock as fake, test } from 'node:test';
import timers, { setTimeout as named } from 'node:timers';
import timersPromises, { setTimeout as sleep } from 'node:timers/promises';
import { Mock } from '../../../mock/mock.js';

// A separate program: node-test.test.ts checks its output.

/** APIs that can be faked during a run; for `Date`, node:test needs the original property. */
const NO_DATE = { apis: ['setTimeout', 'setInterval', 'setImmediate'] as const };

const mock = new Mock({ clock: 'manual' });
afterEach(() => fake.timers.reset());
after(() => mock.close());

const fetchUsage = () => mock.fetch('/api/v1/usage', { headers: { apikey: 'k' } });
const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Waits five minutes in several ways; resolves to the duration on its clock. */
async function runClient(): Promise<number> {
  const began = Date.now();
  await wait(50_000);
  await sleep(50_000);
  await timersPromises.setTimeout(50_000);
  await new Promise<void>((resolve) => timers.setTimeout(resolve, 50_000));
  await new Promise((resolve) => setImmediate(resolve));
  await fetchUsage();
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      clearInterval(timer);
      resolve();
    }, 50_000);
  });
  const signal = AbortSignal.timeout(50_000);
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  return Date.now() - began;
}

/** Starts a run with a client. In an object, because a returned promise would be awaited. */
async function startRun() {
  let markStarted = () => {};
  const hasStarted = new Promise<void>((resolve) => {
    markStarted = resolve;
  });
  const run = mock.time.run(async () => {
    markStarted();
    await wait(1);
    await fetchUsage();
    return runClient();
  });
  await hasStarted;
  return { run };
}

const listGlobals = () => [
  globalThis.setTimeout,
  globalThis.clearTimeout,
  globalThis.setInterval,
  globalThis.setImmediate,
  globalThis.Date,
  timers.setTimeout,
  timersPromises.setTimeout,
  AbortSignal.timeout,
  named,
  sleep,
];
const assertSame = (before: unknown[], message: string) =>
  assert.deepEqual(
    listGlobals().map((each, index) => each === before[index]),
    before.map(() => true),
    message,
  );

/** Advances the fake time outside of the run. */
async function advanceOutside(): Promise<void> {
  let fired = 0;
  setTimeout(() => fired++, 5_000);
  await mock.time.run(runClient);
  assert.equal(fired, 0);
  fake.timers.tick(5_000);
  assert.equal(fired, 1);
}

test('before a run: virtual time within, fake time outside', async () => {
  const before = listGlobals();
  fake.timers.enable({ now: 1_000 } as never);
  const faked = listGlobals();
  assert.equal(await mock.time.run(runClient), 300_000);
  assertSame(faked, 'after the run');
  await advanceOutside();
  assert.equal(Date.now(), 6_000);
  fake.timers.reset();
  assertSame(before, 'after the reset');
});

test('of the test itself', async ({ mock: own }) => {
  own.timers.enable();
  assert.equal(await mock.time.run(runClient), 300_000);
});

test('put in place outside while a run lasts are those of the client too: the error says so', async () => {
  const { run } = await startRun();
  fake.timers.enable();
  await assert.rejects(run, /setTimeout was replaced during the run/);
  fake.timers.reset();
  assert.equal(await mock.time.run(runClient), 300_000);
});

test('put in place and moved on by the client itself', async () => {
  const before = listGlobals();
  const passed = await mock.time.run(async () => {
    fake.timers.enable(NO_DATE as never);
    const timer = wait(1_000);
    fake.timers.tick(1_000);
    await timer;
    fake.timers.reset();
    return runClient();
  });
  assert.equal(passed, 300_000);
  assertSame(before, 'after the run');
});

test('put in place by the client itself: the error says so', async () => {
  const before = listGlobals();
  const run = mock.time.run(() => {
    fake.timers.enable(NO_DATE as never);
    return wait(1_000);
  });
  await assert.rejects(run, /setTimeout was replaced during the run/);
  fake.timers.reset();
  assert.equal(await mock.time.run(runClient), 300_000);
  assertSame(before, 'after another run');
});

test('after a run, as ever', async () => {
  await mock.time.run(runClient);
  fake.timers.enable({ now: 1_000 } as never);
  await advanceOutside();
});
