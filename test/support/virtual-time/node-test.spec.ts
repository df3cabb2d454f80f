import assert from 'node:assert/strict';
import { after, afterEach, mock as fake, test } from 'node:test';
import timers, { setTimeout as named } from 'node:timers';
import timersPromises, { setTimeout as sleep } from 'node:timers/promises';
import { Mock } from '../../../mock/mock.js';

// A program of its own: what it prints is looked into by node-test.test.ts.

/** Those that can be put in place while a run lasts; of `Date` node:test wants the very property. */
const NO_DATE = { apis: ['setTimeout', 'setInterval', 'setImmediate'] as const };

const mock = new Mock({ clock: 'manual' });
afterEach(() => fake.timers.reset());
after(() => mock.close());

const usage = () => mock.fetch('/api/v1/usage', { headers: { apikey: 'k' } });
const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Gives how long it took on the clock that it sees: five minutes, in all ways that there are. */
async function client(): Promise<number> {
  const began = Date.now();
  await wait(50_000);
  await sleep(50_000);
  await timersPromises.setTimeout(50_000);
  await new Promise<void>((resolve) => timers.setTimeout(resolve, 50_000));
  await new Promise((resolve) => setImmediate(resolve));
  await usage();
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

/** A run whose client has begun. In an object: a promise that is given back is waited for. */
async function underWay() {
  let started = () => {};
  const hasStarted = new Promise<void>((resolve) => {
    started = resolve;
  });
  const run = mock.time.run(async () => {
    started();
    await wait(1);
    await usage();
    return client();
  });
  await hasStarted;
  return { run };
}

const look = () => [
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
const same = (before: unknown[], message: string) =>
  assert.deepEqual(
    look().map((each, index) => each === before[index]),
    before.map(() => true),
    message,
  );

/** Fake time outside is moved by hand. */
async function movesOutside(): Promise<void> {
  let fired = 0;
  setTimeout(() => fired++, 5_000);
  await mock.time.run(client);
  assert.equal(fired, 0);
  fake.timers.tick(5_000);
  assert.equal(fired, 1);
}

test('before a run: virtual time within, fake time outside', async () => {
  const before = look();
  fake.timers.enable({ now: 1_000 } as never);
  const faked = look();
  assert.equal(await mock.time.run(client), 300_000);
  same(faked, 'after the run');
  await movesOutside();
  assert.equal(Date.now(), 6_000);
  fake.timers.reset();
  same(before, 'after the reset');
});

test('of the test itself', async ({ mock: own }) => {
  own.timers.enable();
  assert.equal(await mock.time.run(client), 300_000);
});

test('put in place outside while a run lasts are those of the client too: the error says so', async () => {
  const { run } = await underWay();
  fake.timers.enable();
  await assert.rejects(run, /setTimeout was replaced during the run/);
  fake.timers.reset();
  assert.equal(await mock.time.run(client), 300_000);
});

test('put in place and moved on by the client itself', async () => {
  const before = look();
  const passed = await mock.time.run(async () => {
    fake.timers.enable(NO_DATE as never);
    const timer = wait(1_000);
    fake.timers.tick(1_000);
    await timer;
    fake.timers.reset();
    return client();
  });
  assert.equal(passed, 300_000);
  same(before, 'after the run');
});

test('put in place by the client itself: the error says so', async () => {
  const before = look();
  const run = mock.time.run(() => {
    fake.timers.enable(NO_DATE as never);
    return wait(1_000);
  });
  await assert.rejects(run, /setTimeout was replaced during the run/);
  fake.timers.reset();
  assert.equal(await mock.time.run(client), 300_000);
  same(before, 'after another run');
});

test('after a run, as ever', async () => {
  await mock.time.run(client);
  fake.timers.enable({ now: 1_000 } as never);
  await movesOutside();
});
