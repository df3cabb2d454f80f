import { describe, expect, it } from 'vitest';
import type { NetworkStep } from '../../../scenarios/format/types.js';
import { hashText } from '../../../spec/hash.js';
import type { Finding } from '../../../spec/vocabulary.js';
import {
  STUB_CLIENT,
  type StubBehaviour,
  TWO_CALLS as scenario,
  stubTools,
} from '../../../test/support/explore/stub.js';
import { listFailures } from '../causes/causes.js';
import type { ExploreEvent, ExploreOptions } from '../types.js';
import { explore } from './explore.js';

const must = (rule: string, about?: string): Finding => ({
  rule,
  requirement: 'TOOL-06',
  side: 'client',
  ...(about === undefined ? {} : { about }),
  level: 'must',
  message: `${rule} was broken`,
  evidence: [1],
});
const isLimited = ({ network }: NetworkStep) => network === 'fail';
const isLost = (step: NetworkStep) => step.network === 'drop' && step.side === 'response';

async function search(behaviour: StubBehaviour, options: Partial<ExploreOptions> = {}) {
  const { tools, played, judged } = stubTools(behaviour);
  const events: ExploreEvent[] = [];
  const report = await explore(
    { client: STUB_CLIENT, scenarios: [scenario], ...options },
    (event) => void events.push(event),
    { openTools: async () => tools, now: () => 0 },
  );
  return { report, events, played, judged };
}

/** Each schedule another order, so that all have successors. */
const differing: StubBehaviour = {
  trace: (deviations) =>
    deviations.map((step) => `service status ${hashText(JSON.stringify(Object.entries(step).sort()))}`),
};

describe('a search', () => {
  it('begins with the default, then one deviation, then two, none twice', async () => {
    const { report, judged } = await search(differing, { schedules: 600, deviations: 2 });
    const counts = judged.map((text) => text.split('{"network"').length - 1);
    const ones = report.coverage.find(({ deviations }) => deviations === 1)!;
    expect(ones.run).toBe(ones.of);
    expect(counts.slice(0, ones.of + 2)).toEqual([0, ...Array(ones.of).fill(1), 2]);
    expect(new Set(judged).size).toBe(judged.length);
    expect(report.progress.schedules).toBe(600);
    expect(report.ended).toBe('schedules');
  });

  it('covers every kind early', async () => {
    const { judged } = await search(differing, { schedules: 25, deviations: 1 });
    const kinds = new Set(judged.flatMap((text) => /"network":"([a-z-]+)"/.exec(text)?.[1] ?? []));
    expect([...kinds].sort()).toEqual(
      [
        'delay',
        'drop',
        'fail',
        'garble',
        'hold',
        'redeliver',
        'reissue',
        'repeat',
        'reshape',
        'same-instant',
        'shuffle',
        'truncate',
      ].sort(),
    );
  });

  it('does not expand a run with a known order', async () => {
    const options = { schedules: 2000, deviations: 2 };
    const twos = async (behaviour: StubBehaviour) =>
      (await search(behaviour, options)).report.coverage.find(({ deviations }) => deviations === 2)!.of;
    // All runs are alike but for what their answers say otherwise.
    expect(await twos({})).toBeLessThan(0.5 * (await twos(differing)));
  });

  it('continues with random ones after the systematic part, and ends if nothing is left', async () => {
    const { report, judged } = await search({}, { schedules: 1500, deviations: 1 });
    expect(report.progress.schedules).toBe(1500);
    expect(Math.max(...judged.map((text) => text.split('{"network"').length - 1))).toBeGreaterThan(3);
    expect(new Set(judged).size).toBe(judged.length);
    const short = await search({}, { deviations: 0 });
    expect(short.report.ended).toBe('space');
    expect(short.report.progress.schedules).toBe(1);
  });

  it('adds a deviation to schedules with new states before it ends', async () => {
    const { report, judged } = await search(differing, { schedules: 130, deviations: 1 });
    const ones = report.coverage.find(({ deviations }) => deviations === 1)!.run;
    const longer = judged.slice(ones + 1, ones + 7).map((text) => text.split('{"network"').length - 1);
    expect(longer).toEqual([2, 2, 2, 2, 2, 2]);
  });

  it('is repeatable for the same seed, and different for another', async () => {
    const options = { schedules: 400, deviations: 1 };
    const [one, two, other] = await Promise.all([
      search({}, { ...options, seed: 5 }),
      search({}, { ...options, seed: 5 }),
      search({}, { ...options, seed: 6 }),
    ]);
    expect(two.judged).toEqual(one.judged);
    expect(other.judged).not.toEqual(one.judged);
  });

  it('stops when it is aborted, with the results so far', async () => {
    const controller = new AbortController();
    const behaviour: StubBehaviour = {
      ...differing,
      findings: (deviations) => {
        if (deviations.length === 1) controller.abort();
        return [];
      },
    };
    const { report } = await search(behaviour, { signal: controller.signal });
    expect(report.ended).toBe('aborted');
    expect(report.progress.schedules).toBe(2);
    expect(report.statement).toMatch(/^The search was stopped before its end\./);
  });

  it('stops when the time is over', async () => {
    const { tools } = stubTools(differing);
    let now = 0;
    const parts = { openTools: async () => tools, now: () => now++ };
    const report = await explore(
      { client: STUB_CLIENT, scenarios: [scenario], timeLimitMs: 500 },
      undefined,
      parts,
    );
    expect(report.ended).toBe('time');
    expect(report.progress.schedules).toBeGreaterThan(10);
  });
});

describe('failures', () => {
  it('are found with the fewest deviations, and reported at once', async () => {
    const findings = (deviations: NetworkStep[]) => (deviations.some(isLost) ? [must('a', 'c1')] : []);
    const { report, events } = await search({ ...differing, findings }, { schedules: 300 });
    const [failure] = report.failures;
    expect(failure).toMatchObject({
      key: 'a c1',
      level: 'must',
      name: 'a-c1',
      foundWith: 1,
      message: 'a was broken',
      isNondeterministic: false,
    });
    expect(failure!.deviations).toHaveLength(1);
    expect(failure!.seen).toBeGreaterThan(1);
    // With each kind of request, for one reason.
    expect(report.failures.map(({ changes }) => changes)).toEqual([
      ['no response reply'],
      ['no response create'],
      ['no response poll'],
    ]);
    expect(report.causes).toHaveLength(1);
    expect(events.filter(({ type }) => type === 'failure')).toHaveLength(3);
  });

  it('that need two deviations have both, and no third', async () => {
    const findings = (deviations: NetworkStep[]) =>
      deviations.some(isLost) && deviations.some(isLimited) ? [must('a')] : [];
    const { report } = await search({ ...differing, findings }, { schedules: 3000 });
    expect(report.failures[0]!.deviations.map(({ rule }) => rule.network).sort()).toEqual(['drop', 'fail']);
  });

  it('of the default itself do not end the search', async () => {
    const findings = (deviations: NetworkStep[]) => [
      must('always'),
      ...(deviations.some(isLimited) ? [must('sometimes')] : []),
    ];
    const { report } = await search({ ...differing, findings }, { schedules: 200 });
    expect(
      report.causes
        .map((cause) => listFailures(cause, report.failures))
        .map(([first]) => [first!.key, first!.foundWith]),
    ).toEqual([
      ['always', 0],
      ['sometimes', 1],
    ]);
  });

  it('that are known are only counted', async () => {
    const findings = () => [must('always')];
    const { report } = await search(
      { ...differing, findings },
      { schedules: 50, known: ['always', 'never'] },
    );
    expect(report.failures).toEqual([]);
    expect(report.progress.failing).toBe(0);
    expect(report.known).toEqual([{ key: 'always', seen: 50, seenUnchanged: 1 }]);
  });

  it('of advice are reported separately', async () => {
    const findings = (): Finding[] => [{ ...must('a'), level: 'advice' }];
    const { report } = await search({ ...differing, findings }, { schedules: 50 });
    expect([report.failures.length, report.advice.length, report.progress.failing]).toEqual([0, 1, 0]);
  });

  it('are none if a deviation was not triggered', async () => {
    const findings = (deviations: NetworkStep[]) => (deviations.length > 0 ? [must('a')] : []);
    const { report, judged } = await search(
      { ...differing, findings, missed: () => true },
      { schedules: 60, deviations: 1 },
    );
    expect(report.failures).toEqual([]);
    expect(judged).toHaveLength(1);
    expect(report.progress.notTriggered).toBe(59);
    expect(report.statement).toContain('In 59 of 60 a deviation was not triggered');
    expect(report.untestable).toContain(
      'In 59 of 59 schedules with deviations the client did not send the changed requests',
    );
  });

  it('are those of few runs if nearly all others were not triggered', async () => {
    const silent = { ...differing, missed: () => true };
    const findings = () => [must('always')];
    const { report } = await search({ ...silent, findings }, { schedules: 60, deviations: 1 });
    expect(report.failures).toHaveLength(1);
    expect(report.untestable).toBeUndefined();
    const half = { ...differing, missed: (step: NetworkStep) => step.network === 'drop' };
    expect((await search(half, { schedules: 60, deviations: 1 })).report.untestable).toBeUndefined();
  });
});

describe('the same schedule twice', () => {
  it('is reported if the runs differ', async () => {
    const trace = (_: unknown, nth: number) => (nth % 2 === 0 ? ['service status other'] : []);
    const { report, events } = await search({ trace }, { schedules: 10, deviations: 1 });
    expect(report.nondeterministic[0]!.difference).toContain('"the end" the first time and');
    expect(events.flatMap((each) => (each.type === 'note' ? [each.text] : []))).toEqual([
      expect.stringMatching(
        /nondeterministic\. Where the first run has .*: the client decides by state from the previous run/,
      ),
    ]);
  });

  it('is run for the default and every hundredth', async () => {
    const { report } = await search(differing, { schedules: 300 });
    expect(report.repeated).toBe(4);
    expect(report.nondeterministic).toEqual([]);
  });
});

it('the second runs of the default schedules wait neither for each other nor for the examination', async () => {
  const scenarios = ['one', 'two', 'three'].map((name) => ({ ...scenario, name }));
  const { tools } = stubTools();
  const played: string[] = [];
  let release = () => {};
  const areBegun = new Promise<void>((resolve) => {
    release = resolve;
  });
  const count = (name: string) => played.filter((each) => each === name).length;
  const play: typeof tools.play = async (each, signal) => {
    played.push(each.name);
    if (count('two') === 2 && count('three') === 2) release();
    // Not of the first scenario: it is run once more before the search.
    if (each.name !== 'one' && count(each.name) === 2) await areBegun;
    return { ...(await tools.play(each, signal)), stderr: '', exitCode: 0 };
  };
  const report = await explore(
    { client: { kind: 'command', command: ['client'] }, scenarios, deviations: 0, jobs: 4 },
    undefined,
    { openTools: async () => ({ ...tools, play }), now: () => 0 },
  );
  expect(report.repeated).toBe(3);
});

it('a command in real time that is slow is advised to become a persistent adapter', async () => {
  const { tools } = stubTools();
  const play: typeof tools.play = async (each) => ({ ...(await tools.play(each)), stderr: '', exitCode: 0 });
  const notes: string[] = [];
  let now = 0;
  const options = {
    client: { kind: 'command', command: ['client'] },
    scenarios: [scenario],
    timeLimitMs: 50,
  } as const;
  await explore(options, (event) => event.type === 'note' && notes.push(event.text), {
    openTools: async () => ({ ...tools, play }),
    now: () => now++,
  });
  expect(notes.at(-1)).toMatch(/^only \d+ of 10500 schedules were run in the time: .*persistent adapter/);
});

describe('shards', () => {
  it('share the schedules between them, none twice, all together', async () => {
    // What is added depends on the deviations alone, as it does with a client.
    const trace = (deviations: NetworkStep[]) => deviations.map((step) => `service status ${step.network}`);
    const options = { deviations: 2, schedules: 100_000 };
    const whole = await search({ trace }, { ...options, schedules: 600 });
    const parts = await Promise.all(
      [1, 2, 3].map((part) => search({ trace }, { ...options, schedules: 400, shard: { part, of: 3 } })),
    );
    const ofParts = parts.map(({ judged }) => judged.filter((text) => text.includes('{')));
    const all = ofParts.flat();
    expect(new Set(all).size).toBe(all.length);
    const systematic = whole.judged.filter((text) => text.split('{"network"').length - 1 === 1);
    expect(systematic.filter((text) => !all.includes(text))).toEqual([]);
    expect(parts[0]!.report.statement).toContain('(part 1 of 3)');
  });
});

describe('options', () => {
  it.each([
    [{ schedules: 0 }, 'schedules: expected a whole number from 1, found 0'],
    [{ deviations: -1 }, 'deviations: expected a whole number from 0, found -1'],
    [{ jobs: 1.5 }, 'jobs: expected a whole number from 1, found 1.5'],
    [{ shard: { part: 3, of: 2 } }, 'found 3/2'],
    [{ scenarios: [] }, 'scenarios: expected at least one, found none'],
  ])('%j are refused', async (options, message) => {
    await expect(search({}, options)).rejects.toThrow(message);
  });

  it('with a command that cannot be started: nothing could be tested', async () => {
    const { tools, judged } = stubTools({ end: 'not-started' });
    const report = await explore(
      { client: { kind: 'command', command: ['nothing'] }, scenarios: [scenario] },
      undefined,
      { openTools: async () => tools, now: () => 0 },
    );
    expect(report.untestable).toBe('there is no such command');
    expect(judged).toEqual([]);
  });

  it('with a command whose time cannot be made virtual: it is run in real time, with a note', async () => {
    const kinds: string[] = [];
    const notes: string[] = [];
    const report = await explore(
      { client: { kind: 'node', command: ['node', 'x.mjs'] }, scenarios: [scenario], schedules: 3 },
      (event) => event.type === 'note' && notes.push(event.text),
      {
        openTools: async ({ kind }) => {
          kinds.push(kind);
          return stubTools(kind === 'node' ? { end: 'not-virtual' } : {}).tools;
        },
        now: () => 0,
      },
    );
    expect(kinds).toEqual(['node', 'command']);
    expect(report.time).toBe('real');
    expect(notes[0]).toContain('run in real time');
  });
});
