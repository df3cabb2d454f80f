import { describe, expect, it } from 'vitest';
import { judgeMutant } from '../../../test/mutants/judge.js';
import type { Mutant } from '../../../test/mutants/mutant.js';
import { mutants } from '../../../test/mutants/mutants.js';
import { planRun } from '../../conform.js';
import { decideVerdict } from '../../report/verdict.js';
import { allCases } from '../all-cases.js';
import type { FetchFunction } from '../http-client/target.js';
import type { TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import { smokeCheck } from './smoke-check.js';

type Wrap = Mutant['wrap'];

/** Excludes the presence check of the operation, which is sent without a key. */
const isUsage = (url: string, init?: RequestInit) =>
  url.endsWith('/usage') && new Headers(init?.headers).has('apikey');

const BAD_GATEWAY = '<html>bad gateway</html>';
const polling = allCases.filter(({ id }) => /^polling\/(one-shot|event|increments|done-after)/.test(id));
const mutantOf = (id: string) => mutants.find((each) => each.id === id)!;
const isPoll = (url: string, init?: RequestInit) =>
  (init?.method ?? 'GET') === 'GET' && /\/task\/[^/?]+(\?|$)/.test(url);

/** 502 for the requests of a kind that `isHit` selects by number, from 1. */
function failing(isKind: (url: string, init?: RequestInit) => boolean, isHit: (n: number) => boolean): Wrap {
  return (fetch) => {
    let n = 0;
    return async (url, init) =>
      isKind(url, init) && isHit(++n) ? new Response(BAD_GATEWAY, { status: 502 }) : fetch(url, init);
  };
}

const everyTenthPoll = failing(isPoll, (n) => n % 10 === 0);

const sampleCase = (run: (t: TestContext) => Promise<unknown>, more: Partial<TestCase> = {}): TestCase => ({
  id: 'resources/sample',
  title: 'A case',
  covers: ['ENV-01'],
  operations: ['getUsage'],
  ...more,
  run: async (t) => void (await run(t)),
});

/** A case that records `results[n]` for the requirement in try n. */
function playing(results: readonly boolean[], more: Partial<TestCase> = {}) {
  let tries = 0;
  const testCase = sampleCase(async (t) => {
    const response = await t.send('getUsage');
    t.expect('ENV-01', results[tries++]!, 'expected a, got b', response);
  }, more);
  return { testCase, tries: () => tries };
}

const outcomes = (checks: readonly { id: string; outcome: string }[]) =>
  Object.fromEntries(checks.map(({ id, outcome }) => [id, outcome]));

describe('a service that responds with 502 to every tenth poll', () => {
  it('fails without retries', async () => {
    const report = await judgeMutant({ wrap: everyTenthPoll }, { cases: polling });
    expect(decideVerdict(report)).toBe('violations');
    expect(report.summary.flaky).toBeUndefined();
  });

  it('conforms with two, and the flaky checks are named', async () => {
    const report = await judgeMutant({ wrap: everyTenthPoll }, { cases: polling, retries: 2 });
    const good = await judgeMutant({}, { cases: polling });
    expect(decideVerdict(report)).toBe('conforms');
    expect(decideVerdict(report, { strict: true })).toBe('violations');
    const flaky = report.checks.filter(({ outcome }) => outcome === 'flaky');
    expect(flaky.length).toBeGreaterThan(0);
    expect(report.summary).toMatchObject({ failed: 0, flaky: flaky.length });
    expect(report.causes).toEqual([]);
    const responses = new Map(report.exchanges.map(({ seq, response }) => [seq, response]));
    for (const { id, message, evidence, retries } of flaky) {
      expect(id).toMatch(/#SERVICE-\d+$|#TASK-\d+$|#POLL-\d+$/);
      expect(message).toMatch(/^failed in \d+ of \d+ tries: GET \/task\/\{task_id\}: .*502/);
      expect(evidence.map((seq) => responses.get(seq)?.status)).toEqual(evidence.map(() => 502));
      expect(retries).toBe(evidence.length);
    }
    // No result is lost: what passes without the errors passes with them, or is reported.
    const passed = new Set(
      report.checks.filter((each) => each.outcome !== 'inconclusive').map(({ id }) => id),
    );
    const lost = good.checks.filter(({ id, outcome }) => outcome === 'passed' && !passed.has(id));
    expect(lost).toEqual([]);
  });

  it('does not conform with a defect beside it', async () => {
    const defect = mutantOf('poll-always-200');
    const wrap: Wrap = (fetch, context) => everyTenthPoll(defect.wrap(fetch, context), context);
    const report = await judgeMutant({ wrap }, { cases: polling, retries: 2 });
    const found = await judgeMutant(defect, { cases: polling });
    const failed = (checks: typeof report.checks) =>
      checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
    expect(failed(report.checks)).toEqual(failed(found.checks));
    expect(report.causes.map(({ id }) => id)).toEqual(found.causes.map(({ id }) => id));
  });
});

describe('a read that gets a server error', () => {
  const usage = sampleCase(async (t) => {
    const response = await t.send('getUsage');
    t.expect('ENV-01', response.ok, 'no success', response);
  });
  const sending = (status: number): Wrap => {
    return (fetch) => {
      let n = 0;
      return async (url, init) =>
        isUsage(url, init) && ++n < 4 ? new Response(BAD_GATEWAY, { status }) : fetch(url, init);
    };
  };

  it('fails where it gets one each time, and the case again: then it is flaky in another try', async () => {
    const report = await judgeMutant({ wrap: sending(503) }, { cases: [usage], retries: 2 });
    expect(report.checks[0]).toMatchObject({
      outcome: 'flaky',
      retries: 1,
      message: expect.stringMatching(/^failed in 1 of 2 tries: no success/),
    });
    expect(report.summary.failed).toBe(0);
    const once = await judgeMutant({ wrap: sending(503) }, { cases: [usage], retries: 0 });
    expect(once.summary.failed).toBeGreaterThan(0);
  });

  it('is sent once where the request takes the status, or the status is no error of a server that hiccups', async () => {
    const sent: number[] = [];
    const wrap: Wrap = (fetch) => async (url, init) => {
      if (!isUsage(url, init)) return fetch(url, init);
      sent.push(sent.length);
      return new Response(BAD_GATEWAY, { status: sent.length === 1 ? 502 : 501 });
    };
    const taking = sampleCase(async (t) => {
      const taken = await t.send('getUsage', { takes: [502], mayBeRefused: true });
      const other = await t.send('getUsage', { mayBeRefused: true });
      t.expect('ENV-01', taken.status === 502 && other.status === 501, 'others', taken);
    });
    const report = await judgeMutant({ wrap }, { cases: [taking], retries: 2 });
    expect(sent).toHaveLength(2);
    expect(outcomes(report.checks)).toEqual({ 'resources/sample#ENV-01': 'passed' });
  });
});

describe('a test case with a failed check', () => {
  it.each([
    [[false, true], 0, 'failed', 1],
    [[false, true], 2, 'flaky', 2],
    [[false, false, true], 2, 'flaky', 3],
    [[false, false, false], 2, 'failed', 3],
    [[true, false], 2, 'passed', 1],
  ])('%j with %i retries is %s after %i tries', async (results, retries, outcome, tries) => {
    const played = playing(results);
    const report = await judgeMutant({}, { cases: [played.testCase], retries });
    expect(outcomes(report.checks)).toEqual({ 'resources/sample#ENV-01': outcome });
    expect(played.tries()).toBe(tries);
    if (outcome === 'flaky') {
      const [{ message, evidence, retries: again }] = report.checks as [(typeof report.checks)[0]];
      expect(message).toBe(`failed in ${tries - 1} of ${tries} tries: expected a, got b`);
      const first = report.exchanges.find(
        ({ operation, organisation }) => operation === 'getUsage' && organisation === 'main',
      );
      expect(evidence).toEqual([first!.seq]);
      expect(again).toBe(tries - 1);
    }
  });

  it('stays failed where another try is inconclusive', async () => {
    let tries = 0;
    const testCase = sampleCase(async (t) => {
      if (tries++ > 0) t.inconclusive('no occasion');
      t.expect('ENV-01', false, 'expected a, got b', await t.send('getUsage'));
      t.fail('ENV-02', 'that too', await t.send('getUsage'));
    });
    const report = await judgeMutant({}, { cases: [testCase], retries: 2 });
    expect(outcomes(report.checks)).toEqual({
      'resources/sample#ENV-01': 'failed',
      'resources/sample#ENV-02': 'failed',
    });
  });

  it('is flaky in what it does not cover if a try that ended whole does not show it', async () => {
    let tries = 0;
    const testCase = sampleCase(async (t) => {
      const response = await t.send('getUsage');
      t.expect('ENV-01', true, '', response);
      if (tries++ === 0) t.fail('ENV-02', 'that too', response);
    });
    const report = await judgeMutant({}, { cases: [testCase], retries: 1 });
    expect(outcomes(report.checks)).toEqual({
      'resources/sample#ENV-01': 'passed',
      'resources/sample#ENV-02': 'flaky',
    });
  });

  it('stays failed where it shows a leak', async () => {
    let tries = 0;
    const testCase = sampleCase(async (t) => {
      const response = await t.send('getUsage');
      t.expectHidden('ENV-01', tries++ > 0, 'it shows what belongs to another', response);
    });
    const report = await judgeMutant({}, { cases: [testCase], retries: 2 });
    expect(report.checks).toMatchObject([{ outcome: 'failed', severity: 'leak' }]);
  });

  it('is played once where it costs money', async () => {
    const played = playing([false, true], { allow: 'billing' });
    await judgeMutant({}, { cases: [played.testCase], retries: 2 });
    expect(played.tries()).toBe(1);
  });

  it('counts in the plan as often as it may be played', () => {
    const [testCase] = allCases.filter(({ tasks = 0, allow }) => tasks > 0 && allow === undefined);
    const once = testCase!.tasks! + smokeCheck.tasks!;
    expect(planRun({ cases: [testCase!], retries: 2 }).tasks).toBe(3 * once);
  });
});

describe('a service that fails when a run begins', () => {
  const create: Wrap = failing(
    (url, init) => init?.method === 'POST' && url.endsWith('/task'),
    (n) => n <= 2,
  );
  it('is tested once it does not, and the failure is named', async () => {
    const { testCase } = playing([true]);
    const report = await judgeMutant({ wrap: create }, { cases: [testCase], retries: 1 });
    expect(Object.values(outcomes(report.checks)).sort()).toEqual(['flaky', 'passed']);
    expect(report.checks[0]!.id).toMatch(/^polling\/first-tasks#/);
  });

  it('is not tested without retries', async () => {
    const { testCase } = playing([true]);
    const report = await judgeMutant({ wrap: create }, { cases: [testCase] });
    expect(decideVerdict(report)).toBe('untested');
  });
});

describe('a refusal of what was accepted before', () => {
  it('is not reported again where a flaky check shows it', async () => {
    const wrap = (fetch: FetchFunction): FetchFunction => {
      let n = 0;
      return async (url, init) =>
        isUsage(url, init) && ++n === 2 ? Response.json({ detail: 'no' }, { status: 400 }) : fetch(url, init);
    };
    const testCase = sampleCase(async (t) => {
      await t.send('getUsage');
      const response = await t.send('getUsage');
      t.expect('ENV-01', response.ok, 'expected a success', response);
    });
    const report = await judgeMutant({ wrap }, { cases: [testCase], retries: 1 });
    expect(report.summary).toMatchObject({ failed: 0 });
    expect(outcomes(report.checks)['resources/sample#ENV-01']).toBe('flaky');
  });
});
