import { describe, expect, it } from 'vitest';
import { loadLibrary } from '../../../scenarios/format/library/library.js';
import { loadScenarioText } from '../../../scenarios/format/load/load-text.js';
import type { OtherJob, Scenario } from '../../../scenarios/format/types.js';
import { writeScenario } from '../../../scenarios/format/write.js';
import { loadClient } from '../../../test/support/client/fixture.js';
import { createScenario } from '../../../test/support/client/scenarios.js';
import { judgeRun } from '../judge/verdict.js';
import type { ClientFunction, ClientRun } from '../types.js';
import { explainUnplayable } from './job.js';
import { loadPairs } from './pairs.js';
import { play } from './play.js';

const reference = await loadClient('reference');
const library = await loadLibrary();
const named = (name: string): Scenario => library.find((each) => each.name === name)!;

const playPair = (other_job: OtherJob, run: ClientFunction = reference): Promise<ClientRun> =>
  play({ ...named('polling/one-shot'), other_job }, { kind: 'function', run });

const listTimes = ({ exchanges }: ClientRun): number[] => exchanges.map(({ request }) => request.at);
describe('a scenario with another job', () => {
  it('is played after the other job: on one clock, with another key', async () => {
    const keys: string[] = [];
    const run = await playPair({ scenario: 'tool-calls/one-call', starts: 'before' }, (context) => {
      keys.push(context.apiKey);
      return reference(context);
    });
    const other = run.other!;
    expect([run.line?.status, other.line?.status]).toEqual(['done', 'done']);
    expect(Math.min(...listTimes(run))).toBeGreaterThanOrEqual(Math.max(...listTimes(other)));
    expect(keys).toEqual([
      expect.stringMatching(/^client-1-other-\d+$/),
      expect.stringMatching(/^client-1-\d+$/),
    ]);
    expect([run.durationMs, other.durationMs]).toEqual([1000, 1000]);
  });

  it('has keys of its own in each run, and the same ids: what is kept by key is of another time in the next run', async () => {
    const keys: string[] = [];
    const play = () =>
      playPair({ scenario: 'tool-calls/one-call', starts: 'before' }, (context) => {
        keys.push(context.apiKey);
        return reference(context);
      });
    const [first, second] = [await play(), await play()];
    expect(new Set(keys).size).toBe(4);
    expect(second.tasks).toEqual(first.tasks);
  });

  it('is played at the same time, with other ids under the same key', async () => {
    const keys: string[] = [];
    const pair = { scenario: 'tool-calls/one-call', starts: 'with', same_key: true } as const;
    const run = await playPair(pair, (context) => {
      keys.push(context.apiKey);
      return reference(context);
    });
    const other = run.other!;
    expect(listTimes(run)[0]).toBe(listTimes(other)[0]);
    expect(keys[0]).toMatch(/^client-1-\d+$/);
    expect(keys[1]).toBe(keys[0]);
    expect(run.tasks[0]!.id).not.toBe(other.tasks[0]!.id);
    const seqs = [...run.exchanges, ...other.exchanges].map(({ seq }) => seq);
    expect(new Set(seqs).size).toBe(seqs.length);
  });

  it('is repeatable', async () => {
    const [one, again] = [
      await playPair({ scenario: 'tool-calls/one-call', starts: 'with' }),
      await playPair({ scenario: 'tool-calls/one-call', starts: 'with' }),
    ];
    expect([again.trace, again.other!.trace]).toEqual([one.trace, one.other!.trace]);
  });

  it.each<[string, () => Promise<undefined>, object]>([
    [
      'throws',
      () => Promise.reject(new Error('no luck')),
      { end: 'by-itself', exitCode: 1, error: 'no luck' },
    ],
    ['never ends', () => new Promise(() => {}), { end: 'deadline', exitCode: null }],
  ])('is played although the other job %s', async (_, fail, expected) => {
    const run = await playPair({ scenario: 'tool-calls/one-call', starts: 'before' }, (context) =>
      context.scenario === 'tool-calls/one-call' ? fail() : reference(context),
    );
    expect(run).toMatchObject({ end: 'by-itself', line: { status: 'done' } });
    expect(run.other).toMatchObject(expected);
  });

  it('shows the requests that the other job still sends', async () => {
    const run = await playPair({ scenario: 'tool-calls/one-call', starts: 'before' }, async (context) => {
      const line = await reference(context);
      const ping = () =>
        context.fetch(`${context.baseUrl}/api/v1/usage`, { headers: { apikey: context.apiKey } });
      if (context.scenario === 'tool-calls/one-call') setInterval(ping, 700).unref();
      return line;
    });
    expect(run.late).toEqual([]);
    expect(run.other!.late!.length).toBeGreaterThan(1);
    const late = judgeRun(run).find(({ rule }) => rule === 'run/late-request');
    expect(late?.message).toMatch(/^The first of two jobs in one process: The function had returned/);
    expect(late?.evidence).toEqual(run.other!.late);
  });

  it('needs a scenario that the library has', async () => {
    await expect(playPair({ scenario: 'tool-calls/one-cal', starts: 'with' })).rejects.toThrow(
      'did you mean "tool-calls/one-call"?',
    );
  });

  it('is no scenario for a command', () => {
    const scenario = createScenario([], { other_job: { scenario: 'polling/one-shot', starts: 'with' } });
    expect(explainUnplayable(scenario, [], false)).toMatch(/only a function, or a persistent adapter/);
    expect(explainUnplayable(scenario)).toBeUndefined();
  });

  it('is written as it was loaded', () => {
    const other_job: OtherJob = { scenario: 'polling/one-shot', starts: 'before', same_key: true };
    const text = writeScenario({ ...named('tool-calls/one-call'), other_job });
    expect(loadScenarioText(text, { file: 'a.yaml', name: 'a' }).scenario).toMatchObject({ other_job });
  });
});

describe('the pairs', () => {
  it('are of scenarios of the library, and short', async () => {
    const pairs = await loadPairs();
    expect(new Set(pairs.map(({ name }) => name)).size).toBe(pairs.length);
    for (const pair of pairs) {
      const run = await play(pair, { kind: 'function', run: reference });
      expect(judgeRun(run), pair.name).toEqual([]);
      expect(run.durationMs + run.other!.durationMs, pair.name).toBeLessThanOrEqual(5000);
    }
  });

  it('begin with the scenario that is played first, twice', async () => {
    const [first] = await loadPairs();
    expect(first!.name).toBe(`${library[0]!.name} then ${library[0]!.name}`);
  });
});
