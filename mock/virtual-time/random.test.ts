import nodeCrypto, { randomBytes, randomFill, randomInt, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createStalledService } from '../../test/support/virtual-time/stalled-service.js';
import { Mock } from '../mock.js';
import { queueRun, runVirtually } from './virtual-run.js';

const START = 1_767_225_600_000;
const PATIENCE = { deadlineMs: 1000, stalledMs: 1000 };
const V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** One value of every source. */
async function draw() {
  const words = new Uint32Array(3);
  return {
    number: Math.random(),
    uuids: [randomUUID(), nodeCrypto.randomUUID(), crypto.randomUUID()],
    bytes: randomBytes(4).toString('hex'),
    later: (await promisify(randomBytes)(4)).toString('hex'),
    ints: [
      randomInt(10),
      randomInt(1000, 1_000_000),
      await promisify<number, number, number>(randomInt)(0, 1000),
    ],
    values: [...crypto.getRandomValues(new Uint16Array(2)), ...nodeCrypto.getRandomValues(new Uint8Array(2))],
    part: [...nodeCrypto.randomFillSync(new Uint32Array(3), 1, 1)],
    filled: await new Promise((resolve) => randomFill(words, 1, () => resolve([...words]))),
  };
}

const run = async (seed: string) =>
  (
    await queueRun(() =>
      runVirtually(draw, { service: createStalledService(START), patience: PATIENCE, seed }),
    )
  ).value!;

describe('random numbers of a client', () => {
  it('follow the seed, in the formats of the platform', async () => {
    const drawn = await run('a');
    expect(await run('a')).toEqual(drawn);
    for (const uuid of drawn.uuids) expect(uuid).toMatch(V4);
    expect(new Set(drawn.uuids).size).toBe(3);
    expect(drawn.bytes).toMatch(/^[0-9a-f]{8}$/);
    expect(drawn.ints[0]).toBeLessThan(10);
    expect(drawn.ints[1]).toBeGreaterThanOrEqual(1000);
    // Only the given part.
    expect(drawn.part.map((each) => each === 0)).toEqual([true, false, true]);
    expect(drawn.filled).toEqual([0, expect.any(Number), expect.any(Number)]);
    const other = await run('b');
    for (const [name, value] of Object.entries(drawn)) expect(other, name).not.toHaveProperty(name, value);
  });

  it('are the platform’s own outside of a run and parallel to it, with its errors', async () => {
    const number = Math.random();
    expect(Math.random()).not.toBe(number);
    const mock = new Mock({ clock: 'manual' });
    const within: number[] = [];
    const beside: number[] = [];
    for (let n = 0; n < 2; n++) {
      const other = new Mock({ clock: 'manual' });
      const running = other.time.run(async () => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        within.push(Math.random());
        expect(() => randomInt(5, 1)).toThrow(RangeError);
      });
      beside.push(Math.random());
      await running;
      await other.close();
    }
    expect(within[1]).toBe(within[0]);
    expect(beside[1]).not.toBe(beside[0]);
    // Two runs of one mock draw different ids.
    const ids = [await mock.time.run(() => randomUUID()), await mock.time.run(() => randomUUID())];
    expect(ids[1]).not.toBe(ids[0]);
    await mock.close();
  });
});
