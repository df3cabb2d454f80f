import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../spec/vocabulary.js';
import { createToolCall, ExchangeBuilder, START_MS } from '../../test/support/rules/exchange-builder.js';
import {
  LIVE,
  ServiceExchangeBuilder,
  buildExchanges as serviceTalk,
} from '../../test/support/rules/service-exchange-builder.js';
import { ReadExchange } from '../conversation/read-exchange.js';
import { allRules, judge as judgeAll } from './all-rules.js';
import { clientRules, untimedRules } from './client-rules.js';
import { Judge } from './judge.js';
import type { Rule } from './rule.js';
import { serviceRules } from './service-rules.js';

const judge = (exchanges: readonly Exchange[], rules = clientRules) => judgeAll(exchanges, rules);

const silence = () =>
  new ExchangeBuilder()
    .create()
    .poll(0, { events: [createToolCall('c1', 5)] })
    .complete(START_MS + 5);

describe('judge', () => {
  it('names rule, requirement, side, level, task and exchanges', () => {
    expect(judge(silence().exchanges)).toEqual([
      {
        rule: 'replies/each-call',
        requirement: 'TOOL-10',
        side: 'client',
        level: 'advice',
        message: expect.stringContaining('"c1"'),
        evidence: [2, 3],
        task: 't1',
        event: 'c1',
      },
    ]);
  });

  it('changes nothing in the exchanges, and minds not the order they are given in', () => {
    const { exchanges } = new ExchangeBuilder().create().poll(undefined).complete(0).complete(0).complete(0);
    const before = structuredClone(exchanges);
    const findings = judge(exchanges);
    expect(findings).toHaveLength(1);
    expect(exchanges).toEqual(before);
    expect(judge([...exchanges].reverse())).toEqual(findings);
  });

  it('does not count a response as known that arrived while the request was pending', () => {
    // The poll was held: its response with the end left after the action was sent.
    const talk = new ExchangeBuilder().create({ task: null }).complete(0).sendAction('a');
    const [, poll, action] = talk.exchanges;
    poll!.response!.at = action!.request.at + 1;
    expect(judge(talk.exchanges)).toEqual([]);
  });

  it('takes exchanges of one second in the order of their requests, where times are exact to a second', () => {
    // The poll took 900 ms, and the reply that followed it within that second is recorded with the same time.
    const talk = new ExchangeBuilder()
      .create()
      .poll(0, { events: [createToolCall('c1', 5)] })
      .reply('c1')
      .complete(START_MS + 5);
    const [create, poll, reply, end] = talk.exchanges;
    for (const [n, exchange] of [create!, poll!, reply!, end!].entries()) {
      exchange.request.at = START_MS + (n === 3 ? 1000 : 0);
      exchange.response!.at = exchange.request.at + (exchange === poll ? 900 : 20);
    }
    expect(judge(talk.exchanges)).not.toEqual([]);
    for (const exchange of talk.exchanges) exchange.resolution_ms = 1000;
    expect(judge(talk.exchanges)).toEqual([]);
  });

  const NULL_URL = { live_url: null, recording_url: null };
  const GOTO = { name: 'goto', input: { url: 'https://example.com' } };
  it.each([
    ['tasks/recording-url', serviceTalk().create().complete(0, NULL_URL).wait(60_200).complete(0, NULL_URL)],
    [
      'lifecycle/live-url',
      serviceTalk().create({}, NULL_URL).poll(0, NULL_URL).poll(0, NULL_URL).wait(58_500).poll(0, NULL_URL),
    ],
    [
      'results/each',
      serviceTalk().createSession().send('a', 'browser_action', GOTO).wait(30_200).poll(0).complete(0),
    ],
  ])('%s: takes no wait for longer than times in seconds show', (rule, { exchanges }) => {
    const found = () => judgeAll(exchanges, serviceRules).filter((each) => each.rule === rule);
    expect(found()).toHaveLength(1);
    for (const exchange of exchanges) exchange.resolution_ms = 1000;
    expect(found()).toEqual([]);
  });

  it('keeps tasks of different organisations apart', () => {
    const other = silence().exchanges.map((exchange): Exchange => ({ ...exchange, organisation: 'org-2' }));
    const replied = new ExchangeBuilder()
      .create()
      .poll(0, { events: [createToolCall('c1', 5)] })
      .reply('c1')
      .complete(START_MS + 5);
    expect(judge([...other, ...replied.exchanges])).toHaveLength(1);
    expect(judge([...other, ...silence().exchanges])).toHaveLength(2);
  });

  it('takes the rules it is given', () => {
    const limited = { status: 429, headers: { 'retry-after': '9' } };
    const { exchanges } = new ExchangeBuilder()
      .create()
      .addExchange({ path: '/task/t1?event_t=0' }, limited)
      .poll(0);
    expect(judge(exchanges).map(({ rule }) => rule)).toEqual(['polling/retry-after']);
    expect(judge(exchanges, untimedRules)).toEqual([]);
  });
});

describe('Judge', () => {
  it('reports the current findings at any time, and withdraws refuted ones', () => {
    const judging = new Judge(clientRules);
    for (const exchange of silence().exchanges) judging.observe(exchange);
    expect(judging.findings()).toHaveLength(1);
    expect(judging.findings()).toEqual(judging.findings());
    const late = silence().reply('c1', undefined, { status: 400 }).exchanges.at(-1)!;
    judging.observe(late);
    expect(judging.findings()).toEqual([]);
  });

  it('hands out copies', () => {
    const judging = new Judge(clientRules);
    for (const exchange of new ExchangeBuilder().create().complete(0).complete(0).exchanges)
      judging.observe(exchange);
    judging.findings()[0]!.evidence.push(99);
    expect(judging.findings()[0]!.evidence).toEqual([2, 3]);
  });

  it('makes one finding of a mistake that is made for ever, with the first of its evidence', () => {
    const talk = new ExchangeBuilder();
    for (let n = 0; n < 50; n++) talk.addExchange({ path: '/org', headers: {} }, { status: 401 });
    const findings = judge(talk.exchanges).filter(({ rule }) => rule === 'auth/key-sent');
    expect(findings).toHaveLength(1);
    expect(findings[0]!.evidence).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
  });

  it('names an exchange once, in findings and as kept, with the one that decides last', () => {
    const twofold = (scope: Rule['scope']): Rule => ({
      id: 'test/twofold',
      requirements: ['POLL-01'],
      side: 'service',
      level: 'must',
      title: 'Sees each exchange twice.',
      scope,
      start({ reportKept: kept }) {
        return {
          observe({ seq }) {
            kept(seq);
            kept(seq);
            return [{ message: 'no', evidence: seq === 1 ? [2, 1, 2] : [4, 3, 4, 3] }];
          },
        };
      },
    });
    // Findings about a whole stream are merged per operation.
    const expected = {
      task: [[1, 2, 4, 3]],
      stream: [
        [1, 2],
        [4, 3],
      ],
    };
    for (const scope of ['task', 'stream'] as const) {
      const judging = new Judge([twofold(scope)]);
      for (const exchange of new ExchangeBuilder().create().poll(0).exchanges) judging.observe(exchange);
      expect([...judging.collectKeptRules()]).toEqual([['test/twofold', [1, 2]]]);
      expect(judging.findings().map(({ evidence }) => evidence)).toEqual(expected[scope]);
    }
  });

  it('takes a request that no operation is there for as no word of the protocol', () => {
    // Below another base these would be a task, its polls after its end, a reply without a key.
    const { exchanges } = new ExchangeBuilder()
      .create()
      .complete(0)
      .complete(0)
      .poll(0)
      .addExchange({ path: '/org', headers: {} }, null);
    const typed = exchanges.map(({ operation: _, ...exchange }) => ({
      ...exchange,
      request: { ...exchange.request, url: `/base${exchange.request.url}` },
    }));
    expect(judge(typed)).not.toEqual([]);
    const strays = typed.map((exchange) => ({ ...exchange, kind: 'unknown' }));
    expect(judge(strays)).toEqual([]);
    const nosy: Rule = {
      id: 'test/nosy',
      requirements: ['POLL-01'],
      side: 'client',
      level: 'advice',
      title: 'Complains of whatever it is shown.',
      scope: 'stream',
      check: ({ seq }) => [{ message: 'no', evidence: [seq] }],
    };
    const judging = new Judge([...allRules, nosy]);
    for (const exchange of strays) judging.observe(exchange);
    expect([judging.findings(), judging.collectKeptRules().size]).toEqual([[], 0]);
    expect(
      strays.map((exchange) => new ReadExchange(exchange)).filter(({ operation, task }) => operation || task),
    ).toEqual([]);
  });

  it('keeps the first findings where there are too many', () => {
    const noisy: Rule = {
      id: 'test/noise',
      requirements: ['POLL-01'],
      side: 'client',
      level: 'advice',
      title: 'Complains.',
      scope: 'stream',
      check: ({ seq }) => [{ message: 'no', evidence: [seq], about: String(seq) }],
    };
    const judging = new Judge([noisy]);
    const [exchange] = new ExchangeBuilder().create().exchanges;
    for (let seq = 1; seq <= 1010; seq++) judging.observe({ ...exchange!, seq });
    expect(judging.findings().map(({ evidence }) => evidence)).toEqual(
      Array.from({ length: 1000 }, (_, n) => [n + 1]),
    );
  });
});

describe('ReadExchange', () => {
  const seen = (url: string, method = 'GET', operation?: string) => {
    const [exchange] = new ExchangeBuilder().addExchange({ method, path: '' }, null).exchanges;
    return new ReadExchange({ ...exchange!, operation, request: { ...exchange!.request, url } });
  };

  it.each([
    ['/api/v1/task/t1?event_t=0', 'getTask', 't1'],
    ['https://example.com/base/api//v1//task/t%2F1/', 'getTask', 't/1'],
    ['/api/v1/task?l=3', 'listTasks', undefined],
    ['/api/v1x/task/t1', undefined, undefined],
    ['/elsewhere', undefined, undefined],
    ['', undefined, undefined],
  ])('reads the operation and the task off the address %s', (url, operation, task) => {
    expect(seen(url).operation?.id).toBe(operation);
    expect(seen(url).task).toBe(task);
  });

  it('prefers a literal path, and the name that the exchange gives', () => {
    expect(seen('/api/v1/task/zero', 'post').operation?.id).toBe('createChatTask');
    expect(seen('/renamed/task/t1', 'GET', 'getTask').operation?.id).toBe('getTask');
    expect(seen('/api/v1/task/t1', 'GET', 'constructor').operation?.id).toBe('getTask');
  });

  it('knows that a response takes a moment to be acted on', () => {
    const { exchanges } = new ExchangeBuilder().create().wait(3).poll(0);
    const [create, poll] = exchanges.map((exchange) => new ReadExchange(exchange, 5));
    const soon = { ...poll!.exchange, request: { ...poll!.exchange.request, at: create!.respondedAt + 4 } };
    expect(poll!.canKnow(create!)).toBe(true);
    expect(new ReadExchange(soon, 5).canKnow(create!)).toBe(false);
    expect(new ReadExchange(soon).canKnow(new ReadExchange(create!.exchange))).toBe(true);
  });

  it('counts that moment on the clock of the client, not on one that jumps', () => {
    const { exchanges } = new ExchangeBuilder().create().wait(4000).poll(0);
    const [create, poll] = exchanges.map((exchange, index) => {
      const times = { at: exchange.request.at, respondedAt: exchange.response?.at };
      return new ReadExchange(exchange, 5, times, { at: 100 + 3 * index, respondedAt: 101 + 3 * index });
    });
    expect(poll!.canKnow(create!)).toBe(false);
    expect(poll!.at - create!.respondedAt).toBeGreaterThan(3900);
  });

  it('takes a response that the network cut off for one that cannot be read', () => {
    const [exchange] = new ExchangeBuilder().poll(0, { status: 'done' }).exchanges;
    expect(new ReadExchange(exchange!).status).toBe('done');
    const cut = new ReadExchange({ ...exchange!, network: [{ effect: 'cut', note: '' }] });
    expect([cut.status, cut.unclear, cut.events]).toEqual([undefined, true, []]);
  });

  it('remembers a bounded number of tasks, and reports the final findings of a task that it forgets', () => {
    const reported: string[] = [];
    const judging = new Judge(clientRules, ({ rule, task }) => reported.push(`${rule} ${task}`), 2);
    const talks = ['t1', 't2', 't3'].map((task) => {
      return silence().exchanges.map((exchange): Exchange => ({ ...exchange, task }));
    });
    for (const each of talks.flat()) judging.observe(each);
    expect(reported).toEqual(['replies/each-call t1']);
    const tasks = judging.findings().map(({ task }) => task);
    expect(tasks).toEqual(['t1', 't2', 't3']);
  });

  it('judges the service behind a proxy by what it sent, and the client by what it saw', () => {
    const right = {
      status: 202,
      headers: {},
      body: JSON.stringify({ r: { id: 't1', status: 'running', live_url: LIVE } }),
    };
    const wrong = {
      ...right,
      body: JSON.stringify({ r: { id: 'other', status: 'running', live_url: LIVE } }),
    };
    const { exchanges } = new ServiceExchangeBuilder().create().poll(0);
    const [create, poll] = exchanges;
    const { at } = poll!.response!;
    const behind = (sent: typeof right): Exchange => ({
      ...poll!,
      response: { status: 503, headers: {}, body: '{"detail":"no"}', at },
      network: [{ verb: 'fail', effect: 'replaced', note: 'response replaced' }],
      upstream: [{ at: poll!.request.at, response: { ...sent, at } }],
    });
    const found = (sent: typeof right) =>
      judgeAll([create!, behind(sent)]).map(({ side, evidence }) => `${side} ${evidence.at(-1)}`);
    expect(found(right)).toEqual([]);
    expect(found(wrong)).toEqual(['service 2']);
  });
});
