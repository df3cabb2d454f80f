import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../spec/generated/operations.js';
import { countRuns as runsOf } from '../../test/support/depth.js';
import { type Breakage, breakage, breakDraft } from '../../test/support/mock/breakages.js';
import { createDraft, plan, type RequestPlan } from '../../test/support/mock/drafts.js';
import { type Tally, Traffic } from '../../test/support/mock/traffic.js';
import { Mock } from '../mock.js';
import { getService } from '../service.js';

/** FC_SEED sets the seed; FC_RUNS sets the number of sequences. */
const SEED = Number(process.env.FC_SEED ?? 59);
const RUNS = Number(process.env.FC_RUNS ?? runsOf({ quick: 25, deep: 300 }));

const KEYS = ['normal', 'other', 'free', 'exhausted', 'limited', 'invalid', ''] as const;

interface Move {
  key: (typeof KEYS)[number];
  plan: RequestPlan;
  broken: Breakage | null;
  /** Uses another key than the owner of the resources. */
  usesOtherKey: boolean;
  scenario: number | null;
  pass_ms: number;
}

const move: fc.Arbitrary<Move> = fc.record(
  {
    key: fc.oneof(
      { weight: 30, arbitrary: fc.constant('normal' as const) },
      { weight: 8, arbitrary: fc.constantFrom(...KEYS) },
    ),
    plan,
    broken: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: breakage }),
    usesOtherKey: fc.nat({ max: 9 }).map((n) => n === 9),
    scenario: fc.option(fc.nat({ max: 1000 }), { freq: 1 }),
    pass_ms: fc.oneof(
      { weight: 40, arbitrary: fc.constantFrom(0, 0, 0, 1, 200, 1000) },
      { weight: 2, arbitrary: fc.constantFrom(5000, 30_000, 600_000, 31 * 86_400_000) },
    ),
  },
  { noNullPrototype: true },
);

const sequence = fc.record(
  {
    on: fc.constantFrom(
      'manual' as const,
      'manual' as const,
      'skipping' as const,
      'skipping' as const,
      'poor' as const,
    ),
    moves: fc.array(move, { minLength: 1, maxLength: 90, size: 'max' }),
  },
  { noNullPrototype: true },
);

/** Requests that precede each sequence: most operations need existing resources. */
const OPENING: readonly Partial<RequestPlan>[] = [
  { operation: 'createWorkspace', params: { name: 'w' } },
  { operation: 'createTask', body: { task: null } },
  {
    operation: 'createTask',
    body: {
      task: 'Use the tool',
      custom_tools: [{ name: 'tool', description: '', inputs: { type: 'object' }, output: '' }],
    },
  },
  { operation: 'createMessage', body: { message: 'Look at this', files: ['a'] } },
  { operation: 'createAutomation', body: { name: 'a', task: 'Do it' } },
  { operation: 'uploadFile', body: { file: '' } },
  { operation: 'createProfile', body: {} },
];

describe('the API under any input', () => {
  const tally: Tally = new Map();
  const faults: unknown[] = [];
  const given = { library: false, seed: SEED, onFault: (fault: unknown) => faults.push(fault) };
  const proxies = [{ country: 'DE' }];
  const mocks = {
    manual: new Mock({ ...given, clock: 'manual', fixtures: { proxies } }),
    skipping: new Mock({ ...given, clock: 'skipping', fixtures: { proxies } }),
    // A mock whose organisations run out of credits.
    poor: new Mock({ ...given, clock: 'skipping', fixtures: { organisation: { credits: 4 }, proxies } }),
  };
  let scenarios: string[] = [];
  let sent = 0;
  let runs = 0;

  beforeAll(async () => {
    await Promise.all(Object.values(mocks).map((mock) => mock.warmUp()));
    // Network rules break the properties that this test checks.
    const { shared, library } = getService(mocks.manual).scenarios;
    scenarios = [...shared, ...library]
      .filter(({ timeline }) => !timeline.some((step) => 'network' in step))
      .map(({ name }) => name);
  });

  afterAll(() => Promise.all(Object.values(mocks).map((mock) => mock.close())));

  async function play(on: keyof typeof mocks, moves: readonly Move[]): Promise<void> {
    const traffic = new Traffic(mocks[on], tally);
    // Each sequence has its own keys, so that it starts with empty organisations on a shared mock.
    const run = ++runs;
    const nameOf = (key: Move['key']) => (key === '' ? '' : `${key}-${run}`);
    for (const opening of OPENING) {
      const known = traffic.getKnown(nameOf('normal'));
      await traffic.send(
        known.key,
        createDraft({ which: 0, params: {}, body: {}, ...opening } as RequestPlan, known),
      );
    }
    for (const { key, plan, broken, usesOtherKey, scenario, pass_ms } of moves) {
      const name = nameOf(key);
      traffic.advance(name, pass_ms);
      const draft = createDraft(plan, traffic.getKnown(usesOtherKey ? nameOf('normal') : name));
      if (scenario !== null && scenarios.length > 0 && plan.operation === 'createTask') {
        draft.headers['x-taskdouble-scenario'] = scenarios[scenario % scenarios.length]!;
      }
      if (broken) breakDraft(draft, broken);
      await traffic.send(name, draft);
    }
    await traffic.checkLists();
    sent += moves.length;
    for (const key of KEYS) mocks[on].reset(nameOf(key));
  }

  it('responds to every request with JSON and without a fault, and keeps a consistent state', async () => {
    await fc.assert(
      fc.asyncProperty(sequence, ({ on, moves }) => play(on, moves)),
      { seed: SEED, numRuns: RUNS },
    );
    expect(sent).toBeGreaterThanOrEqual(RUNS * 33);
  });

  const ids = Object.keys(operations) as (keyof typeof operations)[];
  it('reached every operation', () => {
    expect(ids.filter((id) => !tally.has(id))).toEqual([]);
  });

  it.runIf(RUNS >= 300)('reached every operation with successes and with errors', () => {
    expect(ids.filter((id) => !tally.get(id)?.successes)).toEqual([]);
    expect(ids.filter((id) => !tally.get(id)?.errors)).toEqual([]);
  });

  it('had no fault hidden by a response', () => {
    expect(faults).toEqual([]);
  });

  it('did not change any prototype', () => {
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
