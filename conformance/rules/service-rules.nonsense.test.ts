import fc from 'fast-check';
import { expect, it } from 'vitest';
import { operations } from '../../spec/generated/operations.js';
import { ExchangeBuilder } from '../../test/support/rules/exchange-builder.js';
import { judgeExchanges } from './judge.js';
import { serviceRules } from './service-rules.js';

const any = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>('done', 'running', 'cancelled', null, 200, 202, 1e308, -1, '', '__proto__'),
);
const timestamp = fc.oneof(any, fc.constantFrom(1_767_225_600_000, 1_767_225_600_001, 5));
const id = fc.constantFrom<unknown>('t1', 'c1', 'a', '', 7, null, '__proto__');
const event = fc.record(
  {
    id,
    name: fc.oneof(any, fc.constantFrom('tool_call', 'browser_action', 'session_action')),
    payload: fc.oneof(any, fc.dictionary(fc.constantFrom('code', 'output', 'name', 'input'), any)),
    timestamp,
  },
  { requiredKeys: [] },
);
const task = fc.dictionary(
  fc.constantFrom('status', 'output', 'live_url', 'recording_url', 'credits_used', 'extra'),
  any,
);
const record = fc
  .tuple(task, id, fc.oneof(any, fc.array(event, { maxLength: 6 })))
  .map(([fields, name, events]) => ({ ...fields, id: name, events }));
const body = fc.oneof(
  any,
  event,
  record.map((r) => ({ r })),
  fc.array(record, { maxLength: 4 }).map((r) => ({ r })),
  fc.constantFrom<unknown>('<html>', '', `{"r":${'['.repeat(5000)}`),
);
const paths = [
  ...Object.values(operations).map(({ method, path }) => ({ method, path: path.replace(/\{\w+\}/g, 't1') })),
  { method: 'POST', path: '/task' },
  ...Array.from({ length: 40 }, () => ({ method: 'GET', path: '/task/t1' })),
  ...Array.from({ length: 20 }, () => ({ method: 'POST', path: '/task/t1/event' })),
];
const create = fc.record(
  {
    task: any,
    response_model: any,
    custom_tools: fc.oneof(any, fc.array(fc.dictionary(fc.constantFrom('name', 'inputs'), any))),
  },
  { requiredKeys: [] },
);
const exchange = fc.record({
  target: fc.constantFrom(...paths),
  query: fc.constantFrom(
    '',
    'event_t=0',
    'event_t=5',
    'event_t=1767225600000',
    'event_t=-1',
    'l=0',
    'l=1',
    '%zz',
  ),
  body: fc.oneof(event, create, any, fc.string()),
  wait_ms: fc.constantFrom(0, 1, 7000, 60_000),
  response: fc.option(
    fc.record({
      status: fc.constantFrom(200, 200, 200, 202, 202, 204, 301, 400, 401, 404, 422, 429, 500, 0, 999),
      headers: fc.constantFrom<Record<string, string>>({}, { 'content-type': 'text/html' }),
      body,
    }),
    { nil: null },
  ),
});

it('services with nonsense responses are judged without an error, and each finding shows its exchanges', () => {
  fc.assert(
    fc.property(fc.array(exchange, { maxLength: 40 }), (exchanges) => {
      const talk = new ExchangeBuilder();
      for (const { target, query, body: sent, response, wait_ms } of exchanges) {
        talk.wait(wait_ms).addExchange({ ...target, path: `${target.path}?${query}`, body: sent }, response);
      }
      const before = structuredClone(talk.exchanges);
      const judge = judgeExchanges(serviceRules, talk.exchanges);
      const seqs = talk.exchanges.map(({ seq }) => seq);
      for (const { message, evidence } of judge.findings()) {
        expect(message.length).toBeGreaterThan(20);
        expect(message.length).toBeLessThan(600);
        expect(evidence.length).toBeGreaterThan(0);
        expect(seqs).toEqual(expect.arrayContaining(evidence));
      }
      for (const held of judge.collectKeptRules().values()) {
        expect(held.length).toBeLessThanOrEqual(20);
        expect(seqs).toEqual(expect.arrayContaining(held));
      }
      expect(judge.findings()).toEqual(judge.findings());
      expect(talk.exchanges).toEqual(before);
    }),
    { numRuns: 500, seed: 1 },
  );
});
