import { describe, expect, it } from 'vitest';
import { loadNetwork } from '../load/load.js';
import { loadNetworkText, parseNetworkSpec } from './shorthand.js';

describe('parseNetworkSpec', () => {
  it.each([
    ['delay 200ms', { network: 'delay', time_ms: 200 }],
    [
      'delay 200ms jitter 50ms side request',
      { network: 'delay', time_ms: 200, jitter_ms: 50, side: 'request' },
    ],
    ['fail 503 of poll times 3', { network: 'fail', status: 503, of: { poll: true }, times: 3 }],
    [
      'fail 429 retry_after 2s of poll 4',
      { network: 'fail', status: 429, retry_after_s: 2, of: { poll: 4 } },
    ],
    ['fail 500 detail "no; not now" of any', { network: 'fail', status: 500, detail: 'no; not now' }],
    ['quota 10 per 1s', { network: 'quota', requests: 10, per_ms: 1000 }],
    [
      'drop response of reply probability 0.1 expires 1m',
      { network: 'drop', side: 'response', of: { reply: true }, probability: 0.1, expires_ms: 60_000 },
    ],
    [
      'hold of reply until gate g at_most 5s',
      { network: 'hold', of: { reply: true }, until: { gate: 'g' }, at_most_ms: 5000 },
    ],
    ['hold until arrive poll 2', { network: 'hold', until: { arrive: { poll: 2 } } }],
    ['hold until g', { network: 'hold', until: { gate: 'g' } }],
    ['duplicate of create', { network: 'duplicate', of: { create: true } }],
    ['reorder of poll at_most 1s', { network: 'reorder', of: { poll: true }, at_most_ms: 1000 }],
    ['garble', { network: 'garble' }],
    [
      'garble 200 body "<p>" content_type text/html',
      { network: 'garble', status: 200, body: '<p>', content_type: 'text/html' },
    ],
    [
      'truncate 20 of listTasks skip 1',
      { network: 'truncate', bytes: 20, of: { operation: 'listTasks' }, skip: 1 },
    ],
    ['drop of GET /task/*', { network: 'drop', of: { method: 'GET', path: '/task/*' } }],
    ['drop of action goto', { network: 'drop', of: { action: 'goto' } }],
  ])('%s', (spec, rule) => {
    expect(parseNetworkSpec(spec)).toEqual({ rules: [rule], problems: [] });
  });

  it('reads several rules joined by ;', () => {
    expect(parseNetworkSpec('delay 1s; fail 503 of poll ;').rules.map((rule) => rule.network)).toEqual([
      'delay',
      'fail',
    ]);
  });

  it.each([
    ['', 1, /found nothing/],
    ['dely 200ms', 1, /did you mean delay\?/],
    ['delay', 1, /"time".*missing/],
    ['delay soon', 7, /time: expected a duration.*found "soon"/],
    ['fail 200', 6, /from 400 to 599; found 200/],
    ['fail 503 of pol', 10, /did you mean poll\?/],
    ['fail 503 times', 10, /expected a value after "times"/],
    ['delay 1s; fail 503 tims 3', 20, /expected one of .*times.*found "tims"/],
    ['drop sideways', 6, /side: expected one of request, response/],
    ['drop probability 2', 18, /from 0 to 1.*found 2/],
    ['quota 10', 1, /"per".*missing/],
    ['fail 429 retry_after 1500ms', 22, /whole seconds/],
    ['same-instant of poll', 1, /timelines only/],
    ['hold until step x', 6, /timelines only/],
  ])('%s: column %i', (spec, column, message) => {
    const { rules, problems } = parseNetworkSpec(spec);
    expect(rules).toEqual([]);
    expect(problems[0]).toMatchObject({
      file: '--network',
      line: 1,
      column,
      message: expect.stringMatching(message),
    });
  });
});

describe('loadNetworkText', () => {
  const load = (text: string) => loadNetworkText(text, { file: 'net.yaml' });

  it('reads a list, and a mapping with rules', () => {
    const rule = { network: 'delay', time_ms: 2000, of: { poll: true } };
    expect(load('- network: delay\n  time: 2s\n  of: poll\n')).toEqual({ rules: [rule], problems: [] });
    expect(load('rules:\n  - { network: delay, time: 2000, of: { poll: true } }\n')).toEqual({
      rules: [rule],
      problems: [],
    });
  });

  it.each(['delay 1s; drop of poll', '"delay 1s; drop of poll"', '{"rules": "delay 1s; drop of poll"}'])(
    'reads rules in short: %s',
    (text) => {
      expect(load(text)).toEqual({
        rules: [
          { network: 'delay', time_ms: 1000 },
          { network: 'drop', of: { poll: true } },
        ],
        problems: [],
      });
    },
  );

  it.each([
    ['GET /usage', { method: 'GET', path: '/usage' }],
    ['DELETE', { method: 'DELETE' }],
    ['/task/*', { path: '/task/*' }],
  ])('reads of: %s as the short form does', (of, target) => {
    const rules = [{ network: 'drop', of: target }];
    expect(load(`- network: drop\n  of: "${of}"\n`)).toEqual({ rules, problems: [] });
    expect(parseNetworkSpec(`drop of ${of}`)).toEqual({ rules, problems: [] });
  });

  it.each([
    ['delay', 1, 1, /"time".*missing/],
    ['rules: dely 1s', 1, 8, /did you mean delay/],
    ['- network: drop\n  of: GETT /usage\n', 2, 7, /a method and a path/],
    ['- network: drop\n  of: GET usage\n', 2, 7, /a method and a path/],
    ['3', 1, 1, /expected a list of rules/],
    ['rules: 3', 1, 1, /expected a list of rules/],
    ['rules: []\nmore: 1\n', 2, 1, /unknown key "more"/],
    ['- network: delay\n  time: 1s\n  after: 1s\n', 3, 3, /"after".*timeline/],
    ['- service: finish\n', 1, 3, /expected a step with an actor \(network\)/],
    ['- network: hold\n  until: { step: x }\n', 2, 10, /timelines only/],
    ['- network: drop\n  of: { operation: listTask }\n', 2, 20, /did you mean listTasks\?/],
    ['- network: drop\n\tof: any\n', 2, 2, /tab/],
    ['- network: garble\n  content_type: "text/html\\r\\nx: y"\n', 2, 17, /printable ASCII/],
  ])('%j', (text, line, column, message) => {
    const { rules, problems } = load(text);
    expect(rules).toEqual([]);
    expect(problems[0]).toMatchObject({
      file: 'net.yaml',
      line,
      column,
      message: expect.stringMatching(message),
    });
  });

  it('takes what looks like a file for a file', () => {
    expect(loadNetwork('nowhere.yaml').problems[0]).toMatchObject({
      file: 'nowhere.yaml',
      message: expect.stringMatching(/nothing there/),
    });
    expect(loadNetwork('delay 1s').rules).toEqual([{ network: 'delay', time_ms: 1000 }]);
  });
});
