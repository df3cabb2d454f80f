import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMock, type Mock } from '../../index.js';
import { MockConversation } from '../../test/support/admin/mock-conversation.js';
import { countRuns } from '../../test/support/depth.js';

/** Replacements for a value; undefined removes it. */
const VALUES = [undefined, null, -1, 1.5, 'x', '', [], {}, [[]], { id: 1 }, true, 9e15];

let mock: Mock;
let whole: string;
let places: (string | number)[][];
const faults: unknown[] = [];

beforeAll(async () => {
  mock = createMock({ clock: 'manual', onFault: (error) => faults.push(error) });
  const conversation = new MockConversation(mock, [
    'tool-calls/corrected-input',
    'sessions/run-task-with-tools',
  ]);
  // One call of each kind under one key, then the calls that need its results.
  for (const which of [1, 2])
    for (let what = 0; what < 29; what++) await conversation.perform({ what, which, key: 0 });
  await conversation.perform({ what: 32, which: 1, key: 0 });
  whole = JSON.stringify(mock.snapshot());
  places = [...allPlaces(JSON.parse(whole))].filter((place) => !place.includes('headers'));
});
afterAll(() => mock.close());

function* allPlaces(value: unknown, path: (string | number)[] = []): Generator<(string | number)[]> {
  if (path.length > 0) yield path;
  if (value === null || typeof value !== 'object') return;
  for (const [key, each] of Object.entries(value)) yield* allPlaces(each, [...path, key]);
}

function damaged(path: readonly (string | number)[], value: unknown): unknown {
  const state = JSON.parse(whole);
  const parent = path.slice(0, -1).reduce((tree, key) => tree[key], state);
  const last = path.at(-1)!;
  if (value !== undefined) parent[last] = value;
  else if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else delete parent[last];
  return state;
}

describe('a damaged state', () => {
  it('is reported in one line and changes nothing, or is harmless', async () => {
    const kinds = new Map<string, (string | number)[][]>();
    for (const place of places) {
      const kind = place.map((key) => (/^\d+$/.test(String(key)) ? '*' : key)).join('.');
      kinds.set(kind, [...(kinds.get(kind) ?? []), place]);
    }
    const all = [...kinds.values()];
    await fc.assert(
      fc.asyncProperty(
        fc.nat(all.length - 1),
        fc.nat(1000),
        fc.constantFrom(...VALUES),
        async (kind, which, value) => {
          const place = all[kind]![which % all[kind]!.length]!;
          const state = damaged(place, value);
          const before = JSON.stringify(mock.snapshot());
          const problem = await mock.restore(state as never).then(
            () => undefined,
            (error: Error) => error,
          );
          if (problem) {
            expect(problem.name, `${place.join('.')}: ${problem.stack}`).toBe('InvalidValue');
            expect(problem.message).toMatch(
              /^[^\n]*(expected [^\n]+; found [^\n]+|expected the key [^\n]+, which is missing|unknown key [^\n]+)$/,
            );
            expect(JSON.stringify(mock.snapshot())).toBe(before);
            return;
          }
          const conversation = new MockConversation(mock, ['tool-calls/corrected-input']);
          for (const what of [0, 3, 8, 10, 14, 15, 27, 28, 29, 8])
            await conversation.perform({ what, which: 4, key: 0 });
          JSON.stringify(mock.snapshot());
          expect(faults, `${place.join('.')} = ${JSON.stringify(value)}`).toEqual([]);
        },
      ),
      {
        numRuns: countRuns({ quick: 40, deep: 300 }),
        seed: Number(process.env.FC_SEED ?? 7),
        endOnFailure: true,
      },
    );
  });

  it.each([
    [{}, 'expected the key "version", which is missing'],
    ['x', 'expected a state, as GET /__admin/state or mock.snapshot() returns it; found "x"'],
    [{ version: 2, organisations: [] }, 'version: expected 3; found 2'],
    [{ version: 'one', organisations: [] }, 'version: expected 3; found "one"'],
  ])('%j is none, or of another version', async (state, message) => {
    await expect(mock.restore(state as never)).rejects.toThrow(message);
  });
});
