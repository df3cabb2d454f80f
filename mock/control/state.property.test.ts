import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { createMock, type Mock } from '../../index.js';
import { MockConversation } from '../../test/support/admin/mock-conversation.js';
import { countRuns } from '../../test/support/depth.js';

const act = fc.record({ what: fc.nat(1000), which: fc.nat(60), key: fc.nat(3) });
const acts = fc.array(act, { minLength: 4, maxLength: 45 });

let scenarios: string[] = [];
beforeAll(async () => {
  const mock = createMock();
  scenarios = (await mock.scenarios.list()).map(({ name }) => name);
  await mock.close();
});

const start = (faults: unknown[] = []): Mock =>
  createMock({
    clock: 'manual',
    seed: 7,
    wall: () => 1_800_000_000_000,
    onFault: (error) => faults.push(error),
  });

function difference(one: unknown, other: unknown, path = ''): string | undefined {
  if (JSON.stringify(one) === JSON.stringify(other)) return undefined;
  const bothTrees = [one, other].every((each) => each !== null && typeof each === 'object');
  if (!bothTrees) return `${path}: ${JSON.stringify(one)} became ${JSON.stringify(other)}`;
  const keys = new Set([...Object.keys(one as object), ...Object.keys(other as object)]);
  for (const key of keys) {
    const found = difference((one as never)[key], (other as never)[key], `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return `${path}: another order of ${[...keys].join(', ')}`;
}

describe('the state of a mock, in the middle of any conversation', () => {
  it('continues in another mock exactly as in the first, with the same bytes', async () => {
    await fc.assert(
      fc.asyncProperty(acts, acts, async (before, after) => {
        const faults: unknown[] = [];
        const [first, other] = [start(faults), start(faults)];
        const there = new MockConversation(first, scenarios);
        for (const each of before) await there.perform(each);
        const state = JSON.stringify(first.snapshot());
        // Taking a snapshot changes nothing.
        expect(JSON.stringify(first.snapshot())).toBe(state);
        await other.restore(JSON.parse(state));
        expect(difference(JSON.parse(state), other.snapshot())).toBeUndefined();
        expect(JSON.stringify(other.snapshot())).toBe(state);
        const here = there.copyTo(other);
        there.responses.length = 0;
        for (const each of after) {
          await there.perform(each);
          await here.perform(each);
          expect(here.responses.at(-1)).toBe(there.responses.at(-1));
        }
        expect(here.responses).toEqual(there.responses);
        expect(difference(first.snapshot(), other.snapshot())).toBeUndefined();
        expect(JSON.stringify(other.snapshot())).toBe(JSON.stringify(first.snapshot()));
        expect(faults).toEqual([]);
        await Promise.all([first.close(), other.close()]);
      }),
      {
        numRuns: countRuns({ quick: 3, deep: 60 }),
        seed: Number(process.env.FC_SEED ?? 7),
        endOnFailure: true,
      },
    );
  });
});
