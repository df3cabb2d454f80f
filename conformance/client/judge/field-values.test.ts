import { describe, expect, it } from 'vitest';
import { createRun } from '../../../test/support/client/run.js';
import { ExchangeBuilder, START_MS } from '../../../test/support/rules/exchange-builder.js';
import type { Job } from '../types.js';
import { hasExpectedValue } from './field-values.js';
import { judgeRun } from './verdict.js';

describe('what a request carries', () => {
  it.each<[string, string, unknown, unknown]>([
    ['the same', 'metadata', { a: '', b: 0, c: false }, { c: false, b: 0, a: '' }],
    ['more', 'custom_tools', [{ name: 'a' }], [{ name: 'b' }, { name: 'a', strict: true }]],
    ['null for nothing', 'files', [], null],
    ['nothing for null', 'certificates', [{ file: 'x', password: null }], [{ file: 'x' }]],
    ['another order', 'response_model', { required: ['a', 'b'] }, { required: ['b', 'a'] }],
    ['trimmed texts for people', 'custom_tools', [{ description: ' x\n' }], [{ description: 'x' }]],
    ['line breaks in one form', 'prompt', 'one\r\ntwo\rthree', 'one\ntwo\nthree'],
    ['line breaks of a task in one form', 'task', ' one\r\ntwo\r\n', ' one\ntwo\n'],
    ['nothing for a blank prompt', 'prompt', ' \n', undefined],
    ['a normalized address', 'allowed_urls', ['https://a.example'], ['https://a.example/']],
    ['a host as URL parsers write it', 'url', 'https://BÜCHER.example', 'https://xn--bcher-kva.example/'],
    ['a path without dot segments', 'url', 'https://a.example/x/../b?q=a b', 'https://a.example/b?q=a%20b'],
    ['a secret, which no record shows', 'proxy_password', 'p', '<redacted>'],
  ])('%s is carried', (_, name, expected, sent) => {
    expect(hasExpectedValue(name, expected, sent)).toBe(true);
  });

  it.each<[string, string, unknown, unknown]>([
    ['a lost null among values', 'response_model', { enum: [null, 'a'] }, { enum: ['a'] }],
    ['a lost empty member', 'response_model', { examples: [[]] }, { examples: [] }],
    ['something for null', 'experimental_features', { a: null }, { a: 'none' }],
    ['something for an empty list', 'files', [], ['f']],
    ['a list for an empty object', 'additional_tools', { a: {} }, { a: [] }],
    ['a lost falsy value', 'metadata', { zero: 0 }, {}],
    ['a number as text', 'max_steps', 2, '2'],
    ['a path in another form', 'url', 'https://a.example/b', 'https://a.example/b/'],
    ['a query in another order', 'url', 'https://a.example/?b=1&a=2', 'https://a.example/?a=2&b=1'],
    ['a query without a repetition', 'url', 'https://a.example/?a=1&a=1', 'https://a.example/?a=1'],
    ['an address without its fragment', 'url', 'https://a.example/#b', 'https://a.example/'],
    ['a trimmed task', 'task', ' x\n', 'x'],
    ['a trimmed value', 'response_model', { const: ' x' }, { const: 'x' }],
    ['a text in another composition', 'metadata', { a: 'e\u0301' }, { a: '\u00e9' }],
  ])('%s is not', (_, name, expected, sent) => {
    expect(hasExpectedValue(name, expected, sent)).toBe(false);
  });
});

type Input = Record<string, unknown>;
const SESSION = { task: null };

/** A session with one action, whose input is `sent` where the job has `input`. */
function acted(name: string, input: Input, sent: Input): string[] {
  const kind = name === 'run_task' ? 'session_action' : 'browser_action';
  const job: Partial<Job> = {
    request: SESSION,
    actions: [{ name: kind, payload: { name, input } }],
    close: 'event',
  };
  const payload = { code: 200, output: null };
  const talk = new ExchangeBuilder()
    .create(SESSION)
    .sendAction('a', { name, input: sent }, undefined, kind)
    .poll(0, { events: [{ id: 'a', name: kind, payload, timestamp: START_MS + 5 }] })
    .sendAction('z', { name: 'close' }, undefined, 'session_action')
    .complete(START_MS + 5, { output: null });
  const line = { status: 'done', output: null, results: [{ name, code: 200, output: null }], tool_runs: [] };
  return judgeRun(createRun(talk, { job, line })).map(({ rule, message }) => `${rule}: ${message}`);
}

describe('the input of an action', () => {
  const js = { js: 'return args // all of it\n' };
  it.each<[string, string, Input, Input]>([
    ['as the job has it', 'evaluate_js', { ...js, args: [0, null] }, { ...js, args: [0, null] }],
    ['null left out', 'evaluate_js', { ...js, args: null }, js],
    ['a blank prompt left out', 'extract', { schema: {}, prompt: ' ' }, { schema: {} }],
    ['null for what is not set', 'extract', { schema: {} }, { schema: {}, prompt: null }],
    ['a blank prompt added', 'extract', { schema: {} }, { schema: {}, prompt: '' }],
    ['the default added', 'run_task', { task: 'x' }, { task: 'x', max_steps: 32, secrets: null }],
    ['a field that is not listed added', 'run_task', { task: 'x' }, { task: 'x', metadata: { a: 1 } }],
  ])('passes: %s', (_, name, input, sent) => {
    expect(acted(name, input, sent)).toEqual([]);
  });

  it.each<[string, string, Input, Input]>([
    ['falsy arguments are lost', 'evaluate_js', { ...js, args: 0 }, js],
    ['the order of arguments is lost', 'evaluate_js', { ...js, args: [1, 2] }, { ...js, args: [2, 1] }],
    ['a number of steps is added', 'run_task', { task: 'x' }, { task: 'x', max_steps: 10 }],
    ['a prompt is added', 'extract', { schema: {} }, { schema: {}, prompt: 'all of it' }],
    ['a prompt is lost', 'extract', { schema: {}, prompt: 'x' }, { schema: {} }],
    ['a script is on one line', 'evaluate_js', { js: '// x\nreturn 1' }, { js: '// x return 1' }],
  ])('fails: %s', (_, name, input, sent) => {
    expect(acted(name, input, sent).join()).toMatch(/^actions\/match-job: /);
  });

  it('is compared with each action of its name, whatever was sent again', () => {
    const url = (n: number) => ({ name: 'goto', input: { url: `https://${n}.example/` } });
    const talk = new ExchangeBuilder()
      .create(SESSION)
      .sendAction('a', url(1), null)
      .sendAction('a2', url(1))
      .sendAction('b', url(2));
    const job: Partial<Job> = {
      request: SESSION,
      actions: [1, 2].map((n) => ({ name: 'browser_action', payload: url(n) })),
    };
    const rules = judgeRun(createRun(talk, { job })).map(({ rule }) => rule);
    expect(rules).not.toContain('actions/match-job');
  });
});
