import { describe, expect, it } from 'vitest';
import type { Ask, Exposure } from '../../../scenarios/format/types.js';
import { createRun } from '../../../test/support/client/run.js';
import { ExchangeBuilder } from '../../../test/support/rules/exchange-builder.js';
import type { ClientRun } from '../types.js';
import { listUnreportedAsks } from './asks.js';
import { createRunChecks } from './run-checks.js';
import { judgeRun } from './verdict.js';

const END = { status: 'done', output: 'Fine.' };
const URL = 'https://files.example/1';

/** What is found where the job asks for one thing, the service ends so, and the line reports this. */
function found(ask: Ask, service: Record<string, unknown>, reported: unknown) {
  const talk = new ExchangeBuilder()
    .create()
    .poll(0, service)
    .complete(0, { ...END, ...service });
  const line = { ...END, asked: reported === undefined ? {} : { [ask]: reported } };
  const run = createRun(talk, { job: { asks: [ask] }, line });
  const rules = judgeRun(run).map(({ rule }) => rule);
  return { asked: rules.includes('line/asked'), run };
}

describe('additional values that a job requests', () => {
  it.each<[Ask, Record<string, unknown>, unknown, boolean]>([
    ['live_url', { live_url: URL }, URL, false],
    ['live_url', { live_url: URL }, null, true],
    ['live_url', { live_url: `${URL}?b=a%2Fb` }, `${URL}?interactive=false&b=a/b&embed=true`, false],
    ['live_url', { live_url: `${URL}?b=aGk` }, `${URL}?interactive=false`, true],
    ['live_url', { live_url: 'https://files.example' }, 'HTTPS://files.example:443/', false],
    ['live_url', { live_url: `${URL}/%c3%a9` }, `${URL}/é`, false],
    ['live_url', { live_url: `${URL}#a` }, URL, true],
    ['recording_url', { recording_url: `${URL}?key=a+b` }, `${URL}?key=a%20b`, false],
    ['recording_url', { recording_url: `${URL}?key=a` }, `${URL}?key=A`, true],
    ['downloads_url', { downloads_url: `${URL}?expires=5` }, `${URL}?expires=5&inline=1`, false],
    ['live_url', { live_url: null }, null, false],
    ['recording_url', { recording_url: URL }, `${URL}0`, true],
    ['recording_url', { recording_url: '' }, null, false],
    ['recording_url', { recording_url: null }, null, true],
    ['second_wait', {}, END, false],
    ['second_wait', {}, { ...END, output: 'fine.' }, true],
    ['second_wait', {}, { status: 'done', output: null }, true],
    ['second_wait', { status: 'failed' }, { status: 'failed', output: null }, false],
    ['wait_again', {}, { status: 'running', output: null }, true],
  ])('%s: %j, reported as %j: finding %j', (ask, service, reported, wrong) => {
    expect(found(ask, service, reported).asked).toBe(wrong);
  });

  it('accepts no end of a wait whose poll was lost', () => {
    const running = { status: 202, body: { r: { id: 't1', status: 'running' } } };
    const judge = (poll: typeof running | null) => {
      const path = '/task/t1?event_t=0';
      const exchanges = new ExchangeBuilder().create().addExchange({ path }, poll).complete(0, END);
      const line = { ...END, results: [], tool_runs: [], asked: { second_wait: null } };
      const found = judgeRun(createRun(exchanges, { job: { asks: ['second_wait'] }, line }));
      return found.some(({ rule }) => rule === 'line/asked');
    };
    expect([judge(null), judge(running)]).toEqual([false, true]);
  });

  it('accepts no recording of a task whose end no response showed', () => {
    const exchanges = new ExchangeBuilder().create().poll(0, { recording_url: null });
    const line = { status: 'running', output: null, results: [], tool_runs: [] };
    const run = createRun(exchanges, {
      job: { asks: ['recording_url'] },
      line: { ...line, asked: { recording_url: null } },
    });
    expect(judgeRun(run).map(({ rule }) => rule)).not.toContain('line/asked');
  });

  it('shows the different part of two long addresses', () => {
    const long = `https://live.example/${'a'.repeat(100)}?b=`;
    const { run } = found('live_url', { live_url: `${long}one` }, `${long}two`);
    const { message } = judgeRun(run).find(({ rule }) => rule === 'line/asked')!;
    expect(message).toMatch(/is "?…a+\?b=two", and exchange \d+ has …a+\?b=one"/);
  });

  it('makes all checks inconclusive if the line does not report them', () => {
    const { run } = found('recording_url', { recording_url: URL }, undefined);
    expect(listUnreportedAsks(run)).toEqual(['recording_url']);
    const { checks } = createRunChecks(run, judgeRun(run));
    expect(new Set(checks.map(({ outcome }) => outcome))).toEqual(new Set(['inconclusive']));
    expect(checks[0]!.message).toContain('about recording_url, which the result line does not report');
  });
});

describe('a scenario that is about a wait', () => {
  const END_OF_RUN = { job: {}, line: { ...END, results: [], tool_runs: [] } };
  const about = (exposes: Exposure[] | undefined, hasSkippedWaits: boolean, line: object = {}) => {
    const plain = createRun(new ExchangeBuilder().create().poll(0).complete(0, END), END_OF_RUN);
    const run = { ...plain, scenario: { ...plain.scenario, exposes }, hasSkippedWaits };
    Object.assign(run.line!, line);
    return createRunChecks(run as ClientRun, judgeRun(run as ClientRun)).checks;
  };
  const outcomes = (...given: Parameters<typeof about>) =>
    new Set(about(...given).map(({ outcome }) => outcome));

  it('is inconclusive if the clock of the run skipped the wait', () => {
    expect(outcomes(['long-wait'], true)).toEqual(new Set(['inconclusive']));
    expect(about(['long-wait'], true)[0]!.message).toMatch(
      /^This scenario is about a long wait, and .* --time virtual keeps it, and in real time --timeout \d+s\.$/,
    );
    expect(outcomes(['long-wait'], false)).toEqual(new Set(['passed']));
    expect(outcomes(undefined, true)).toEqual(new Set(['passed']));
  });

  it('still fails if the client is wrong', () => {
    expect(outcomes(['client-time-out'], true, { status: 'failed' })).toContain('failed');
  });
});
