import { describe, expect, it } from 'vitest';
import { readLibrary } from '../../scenarios/format/load/load.js';
import { findLacking } from '../../scenarios/format/needs.js';
import { loadClient } from '../../test/support/client/fixture.js';
import { generateConversations } from '../client/generate/generate-scenario.js';
import { explore } from '../explore/search/explore.js';
import type { ExploreEvent } from '../explore/types.js';
import { checkClient } from './check-client.js';

const LACKS = ['sessions', 'cancel'];
const scenarios = (await readLibrary()).filter(({ name }) =>
  [
    'polling/one-shot',
    'tool-calls/one-call',
    'sessions/close-by-delete',
    'errors/cancel-unavailable',
  ].includes(name),
);
const reference = await loadClient('reference');
/** The same without sessions, and without a way to stop a task. */
const partial: typeof reference = (context) =>
  typeof context.job.request.task === 'string'
    ? reference({ ...context, job: { ...context.job, cancel_after_ms: null } })
    : Promise.reject(new Error('there are no sessions'));

describe('a client that lacks something', () => {
  it('fails scenarios that need the feature, and the causes name what it may lack', async () => {
    const { causes, summary } = await checkClient({ client: partial, scenarios });
    expect(summary.failed).toBeGreaterThan(1);
    expect(new Set(causes.map(({ lacks }) => lacks))).toEqual(new Set(LACKS));
  });

  it('does not get these scenarios, and the report says so', async () => {
    const { checks, summary } = await checkClient({ client: partial, scenarios, lacks: LACKS });
    expect(summary).toMatchObject({ failed: 0, skipped: 2 });
    expect(
      checks
        .filter(({ outcome }) => outcome === 'skipped')
        .map(({ message }) => message)
        .sort(),
    ).toEqual([
      'it needs cancel, which the client lacks (--lacks cancel)',
      'it needs sessions, which the client lacks (--lacks sessions)',
    ]);
  });

  it('does not need it in any generated conversation', async () => {
    const drawn = [...take(generateConversations(1, LACKS), 30)];
    expect(drawn.filter(({ scenario }) => findLacking(scenario, LACKS))).toEqual([]);
    // The number of a conversation says which it is, whatever is lacking.
    const all = [...take(generateConversations(1), 200)].map(({ scenario }) => scenario.name);
    expect(all).toEqual(expect.arrayContaining(drawn.slice(0, 5).map(({ scenario }) => scenario.name)));
    const { summary } = await checkClient({ client: partial, scenarios: [], search: 8, lacks: LACKS });
    expect(summary).toMatchObject({ failed: 0, skipped: 0 });
    expect(summary.passed).toBeGreaterThan(8);
  });

  it('is searched for races without it', async () => {
    const events: ExploreEvent[] = [];
    const options = { client: partial, schedules: 8, deviations: 0, timeLimitMs: 600_000, lacks: LACKS };
    const report = await explore(options, (event) => events.push(event));
    expect(report.failures).toEqual([]);
    expect(report.scenarios).toContain('tool-calls/two-calls');
    expect(report.scenarios.some((name) => name.startsWith('sessions/'))).toBe(false);
    const generated = await explore({ ...options, scenarios: ['generated'], schedules: 4 });
    expect(generated.scenarios.length).toBeGreaterThan(0);
  });

  it('has names that exist', async () => {
    await expect(checkClient({ client: partial, lacks: ['session'] })).rejects.toThrow(
      'there is nothing named "session" to lack; did you mean sessions?',
    );
  });

  it('can leave out scenarios by name as well', async () => {
    const { checks } = await checkClient({
      client: reference,
      scenarios,
      exclude: ['sessions/*', 'errors/*'],
    });
    const cases = new Set(checks.map((check) => check.case));
    expect([...cases].sort()).toEqual(['polling/one-shot', 'tool-calls/one-call', 'unknown-scenario']);
  });
});

function* take<T>(from: Iterable<T>, most: number): Generator<T> {
  let count = 0;
  for (const each of from) {
    yield each;
    if (++count === most) return;
  }
}
