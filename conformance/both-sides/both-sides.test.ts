import { describe, expect, it } from 'vitest';
import type { Side } from '../../spec/requirement-types.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { createToolCall } from '../../test/support/rules/exchange-builder.js';
import { ServiceExchangeBuilder, toTimestamp } from '../../test/support/rules/service-exchange-builder.js';
import { formatPrettyReport } from '../report/formats/pretty.js';
import { decideVerdict } from '../report/verdict.js';
import { ReportView } from '../report/view.js';
import { clientRules } from '../rules/client-rules.js';
import { BothSidesJudge, judgeBothSides } from './both-sides.js';

const RUN = { baseUrl: 'http://service.example', started: new Date(0), duration_ms: 1 };

/** A conversation in which each side is correct, or breaks one rule. */
function talk({ code = 200, input = { city: 'Kyiv' } as object } = {}): ServiceExchangeBuilder {
  const event = { ...createToolCall('c1', 10), payload: { name: 'get_weather', input } };
  return new ServiceExchangeBuilder()
    .createWithTool()
    .poll(0, { events: [event] })
    .sendReply('c1', code)
    .complete(toTimestamp(10));
}

const failed = (given: ServiceExchangeBuilder, sides?: readonly Side[]) =>
  judgeBothSides(given.exchanges)
    .createReport({ ...RUN, sides })
    .checks.filter(({ outcome }) => outcome === 'failed')
    .map(({ id, side }) => `${side} ${id}`);

describe('the report on both sides of recorded exchanges', () => {
  it('passes where exchanges show it, and is inconclusive elsewhere', () => {
    const report = judgeBothSides(talk().exchanges).createReport(RUN);
    expect(decideVerdict(report)).toBe('conforms');
    const outcomes = new Map(report.checks.map(({ id, outcome }) => [id, outcome]));
    expect(outcomes.get('client#replies/code')).toBe('passed');
    expect(outcomes.get('client#actions/close-input')).toBe('inconclusive');
    expect(outcomes.get('service#TOOL-02')).toBe('passed');
    expect(outcomes.get('service#SESSION-10')).toBe('inconclusive');
    const passed = report.checks.filter(({ outcome }) => outcome === 'passed');
    expect(passed.every(({ evidence }) => evidence.length > 0)).toBe(true);
  });

  it('is inconclusive, with the reason, where the body of a reply is not recorded', () => {
    const { exchanges } = talk();
    const { body, ...request } = exchanges[2]!.request;
    expect(body).toContain('tool_call');
    const unread = exchanges.with(2, { ...exchanges[2]!, request: { ...request, left_out: 1_500_000 } });
    const { checks, summary } = judgeBothSides(unread).createReport(RUN);
    expect(summary.failed).toBe(0);
    for (const id of ['client#replies/each-call', 'service#TOOL-01'])
      expect(checks.find((check) => check.id === id)).toMatchObject({
        outcome: 'inconclusive',
        message: expect.stringMatching(
          /^It is not known: the body of the request in exchange 3 is not recorded/,
        ),
        evidence: [2, 4, 3],
      });
    // Without that request, nothing is unknown.
    expect(failed(Object.assign(talk(), { exchanges: exchanges.toSpliced(2, 1) }))).toEqual([
      'service service#TOOL-01',
    ]);
  });

  it.each(['failed', 'cancelled', 'done'])(
    'advises where a call has no reply and its task is %s: the tool may have been at work',
    (status) => {
      const beside = new ServiceExchangeBuilder()
        .createWithTool()
        .poll(0, {
          events: [
            { ...createToolCall('c1', 10), payload: { name: 'get_weather', input: { city: 'Kyiv' } } },
          ],
        })
        .poll(toTimestamp(10))
        .complete(toTimestamp(10), { status });
      const { checks, advice } = judgeBothSides(beside.exchanges).createReport({ ...RUN, sides: ['client'] });
      expect(checks.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
      const check = checks.find(({ id }) => id === 'client#replies/each-call');
      expect(check).toMatchObject({ outcome: 'inconclusive', evidence: [2, 4] });
      expect(check!.message).toMatch(/never got a reply.*unless its tool was at work until then/);
      expect(advice).toMatchObject([{ id: 'client#replies/each-call' }]);
    },
  );

  it('knows nothing of what another client with another key did to the task', () => {
    const { exchanges } = talk();
    const other = exchanges.with(2, { ...exchanges[2]!, organisation: 'org-2' });
    const poll = { ...exchanges[1]!, organisation: 'org-2', seq: 5 };
    const { checks, summary } = judgeBothSides([...other, poll]).createReport(RUN);
    expect(summary.failed).toBe(0);
    expect(checks.find(({ id }) => id === 'client#replies/each-call')?.message).toMatch(
      /^It is not known: exchange 5 is of another client/,
    );
  });

  it('finds the defects of each side, with its side', () => {
    expect(failed(talk({ code: 501 }))).toEqual(['client client#replies/code']);
    expect(failed(talk({ input: { town: 'Kyiv' } }))).toEqual(['service service#TOOL-02']);
    const both = talk({ code: 501, input: {} });
    expect(failed(both)).toEqual(['client client#replies/code', 'service service#TOOL-02']);
    expect(failed(both, ['service'])).toEqual(['service service#TOOL-02']);
    const { causes, summary } = judgeBothSides(both.exchanges).createReport(RUN);
    expect(causes.map(({ id, explains }) => [id, explains])).toEqual([
      ['replies/code', 1],
      ['TOOL-02', 1],
    ]);
    expect(summary.failed).toBe(2);
  });

  it('has a verdict on each side', () => {
    const report = judgeBothSides(talk({ code: 501 }).exchanges).createReport(RUN);
    const text = formatPrettyReport(new ReportView(report));
    expect(text).toMatch(/^the client of http:\/\/service\.example does not conform: 1 failed/m);
    expect(text).toMatch(/^http:\/\/service\.example conforms: 0 failed/m);
  });

  it('ignores exchanges outside the API, and a service that never responds', () => {
    expect(decideVerdict(judgeBothSides([]).createReport(RUN))).toBe('untested');
    const stray = new ServiceExchangeBuilder().addExchange(
      { path: '/nothing/of/that/kind' },
      { status: 200 },
    );
    expect(decideVerdict(judgeBothSides(stray.exchanges).createReport(RUN))).toBe('untested');
    const silent = new ServiceExchangeBuilder().addExchange({ path: '/task' }, null);
    expect(decideVerdict(judgeBothSides(silent.exchanges).createReport(RUN))).toBe('untested');
    const client = judgeBothSides(silent.exchanges).createReport({ ...RUN, sides: ['client'] });
    expect(decideVerdict(client)).toBe('conforms');
  });

  it('does not depend on the order in which the exchanges are given', () => {
    const { exchanges } = talk({ code: 501 });
    const report = judgeBothSides(exchanges).createReport(RUN);
    expect(judgeBothSides([...exchanges].reverse()).createReport(RUN)).toEqual(report);
  });

  it('reports findings immediately', () => {
    const reported: string[] = [];
    const both = new BothSidesJudge(({ rule }) => reported.push(rule));
    const [first, second, third, fourth] = talk({ code: 501 }).exchanges;
    both.observe(first!);
    both.observe(second!);
    expect(reported).toEqual([]);
    both.observe(third!);
    expect(reported).toEqual(['replies/code']);
    both.observe(fourth!);
    expect(reported).toHaveLength(1);
    expect(both.exchangeCount).toBe(4);
  });

  it('has a check for each mandatory client rule, for any exchanges', () => {
    const ids = judgeBothSides([])
      .createReport({ ...RUN, sides: ['client'] })
      .checks.map(({ id }) => id);
    const must = clientRules.filter(({ level }) => level === 'must');
    expect(ids).toEqual(must.map(({ id }) => `client#${id}`));
  });

  it('takes the order that a proxy saw, not the times, for what a client could know', () => {
    const twice = (after: number) => {
      const { exchanges } = talk();
      const [create, poll, reply, end] = exchanges as [Exchange, Exchange, Exchange, Exchange];
      // In the same millisecond.
      const again = { ...reply, seq: 4 };
      const ordered = [create, poll, reply, again, { ...end, seq: 5 }];
      const sent = [0, 1, 2, after, 4];
      return ordered.map((each, n) => ({ ...each, order: { after: sent[n]!, response: n + 1 } }));
    };
    const failures = (exchanges: Exchange[]) =>
      judgeBothSides(exchanges)
        .createReport({ ...RUN, sides: ['client'] })
        .checks.filter(({ outcome }) => outcome === 'failed')
        .map(({ id }) => id);
    expect(failures(twice(3))).toEqual(['client#replies/once']);
    expect(failures(twice(2))).toEqual([]);
  });

  it('keeps the evidence of a failure when many exchanges follow', () => {
    const both = new BothSidesJudge();
    const polls = new ServiceExchangeBuilder().createWithTool();
    for (let n = 0; n < 3000; n++) polls.poll(0);
    const { exchanges } = polls;
    const broken = talk({ code: 501 }).exchanges[2]!;
    const middle = { ...broken, seq: 5000, organisation: 'org-2' };
    for (const each of [...exchanges.slice(0, 1200), middle, ...exchanges.slice(1200)]) both.observe(each);
    const report = both.createReport(RUN);
    expect(report.exchanges.length).toBeLessThan(1600);
    expect(report.exchanges).toContainEqual(middle);
  });
});
