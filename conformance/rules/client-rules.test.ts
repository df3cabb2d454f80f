import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requirements } from '../../spec/generated/documents.js';
import { operations } from '../../spec/generated/operations.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { loadExamples } from '../../test/support/rules/example.js';
import { ExchangeBuilder, type ResponseParts, START_MS } from '../../test/support/rules/exchange-builder.js';
import { ReadExchange } from '../conversation/read-exchange.js';
import { judge as judgeAll } from './all-rules.js';
import { clientRules } from './client-rules.js';

const judge = (exchanges: readonly Exchange[]) => judgeAll(exchanges, clientRules);
const examples = await loadExamples('client');
const good = Object.entries(examples).flatMap(([rule, each]) =>
  Object.entries(each.good).map(([why, talk]) => ({ rule, why, talk })),
);
const bad = Object.entries(examples).flatMap(([rule, each]) =>
  Object.entries(each.bad).map(([mistake, expected]) => ({ rule, mistake, ...expected })),
);

describe('the rules', () => {
  it('have ids of their own, each with a good and a bad conversation', () => {
    const ids = clientRules.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const message = 'examples have to stand under the id of each rule, in client/NAME.examples.ts';
    expect(Object.keys(examples).sort(), message).toEqual([...ids].sort());
    for (const [rule, each] of Object.entries(examples)) {
      expect(Object.keys(each.good), rule).not.toEqual([]);
      expect(Object.keys(each.bad), rule).not.toEqual([]);
    }
  });

  it.each(clientRules)('$id holds requirements that exist, and is no heavier than they are', (rule) => {
    const held = rule.requirements.map((id) => requirements.find((each) => each.id === id));
    expect(held).not.toContain(undefined);
    const [first] = held;
    if (rule.level === 'must') expect(first?.level).toBe('must');
    // The service examples cover rules about both messages, and ids in paths.
    if (!['SERVICE-02', 'TASK-01'].includes(first!.id)) expect(first?.side).toBe(rule.side);
  });

  it.each(good)('$rule lets pass: $why', ({ rule, talk }) => {
    expect(judge(talk.exchanges).filter((finding) => finding.rule === rule)).toEqual([]);
  });

  it.each(bad)('$rule finds: $mistake', ({ rule, talk, says, evidence }) => {
    const findings = judge(talk.exchanges);
    expect(findings.map((finding) => finding.rule)).toEqual([rule]);
    expect(findings[0]).toMatchObject({ side: 'client', message: expect.stringMatching(says), evidence });
  });

  it('have no findings without exchanges', () => {
    expect(judge([])).toEqual([]);
  });
});

describe('a service that responds with nonsense', () => {
  const anyResponse: fc.Arbitrary<ResponseParts> = fc.option(
    fc.record({
      status: fc.constantFrom(200, 202, 204, 400, 404, 429, 500, 0, 999),
      headers: fc.constantFrom<Record<string, string>>({}, { 'retry-after': '-1' }, { 'retry-after': 'x' }),
      body: fc.oneof(
        fc.constantFrom('', '<html>', '{"r":', 'null', '[]', '{"r":null}', `{"r":${'['.repeat(5000)}`),
        fc.json(),
        fc.anything().map((value) =>
          JSON.stringify(
            {
              r: {
                id: value,
                status: value,
                events: [value, { id: 'c', name: 'tool_call', payload: value, timestamp: value }],
              },
            },
            safe,
          ),
        ),
      ),
    }),
    { nil: null },
  );

  it('has no findings for a correct client', () => {
    fc.assert(
      fc.property(fc.array(anyResponse, { minLength: 8, maxLength: 8 }), (responses) => {
        const body = { task: null };
        const talk = new ExchangeBuilder().addExchange(
          { method: 'POST', path: '/task', body },
          responses[0]!,
        );
        let eventT = 0;
        for (const response of responses.slice(1, 5)) {
          talk.wait(500).addExchange({ path: `/task/t1?event_t=${eventT}` }, response);
          for (const { timestamp } of new ReadExchange(talk.exchanges.at(-1)!).events) {
            if (timestamp !== undefined) eventT = Math.max(eventT, timestamp);
          }
        }
        const event = {
          id: 'a',
          name: 'browser_action',
          payload: { name: 'goto', input: { url: 'x' } },
          timestamp: START_MS,
        };
        for (const response of responses.slice(5)) {
          talk.addExchange(
            { method: 'POST', path: '/task/t1/event', body: { ...event, id: `a${talk.now}` } },
            response,
          );
        }
        expect(judge(talk.exchanges)).toEqual([]);
      }),
      { numRuns: 500, seed: 1 },
    );
  });

  it('and a client that sends nonsense are judged without a fall', () => {
    const paths = Object.values(operations).map(({ method, path }) => ({
      method,
      path: path.replace(/\{\w+\}/g, '%20z'),
    }));
    const polls = paths
      .filter(({ path }) => /^\/task(\/%20z)?$/.test(path))
      .flatMap((path) => Array(8).fill(path));
    const anyCursor = fc
      .constantFrom(-1, 0, 1, 7, START_MS / 1000, START_MS, START_MS + 5000)
      .map((event_t) => `event_t=${event_t}`);
    const anyRequest = fc.record({
      target: fc.constantFrom(
        ...paths,
        ...polls,
        { method: 'POST', path: '/task/t1/event' },
        { method: '', path: '' },
      ),
      query: fc.oneof(fc.string(), anyCursor),
      body: fc.oneof(
        fc.string(),
        fc.json(),
        fc
          .anything()
          .map((value) =>
            JSON.stringify(
              { id: value, name: value, payload: value, files: value, tool_response: value },
              safe,
            ),
          ),
      ),
      response: anyResponse,
    });
    fc.assert(
      fc.property(fc.array(anyRequest), (requests) => {
        const talk = new ExchangeBuilder();
        for (const { target, query, body, response } of requests) {
          talk.addExchange({ method: target.method, path: `${target.path}?${query}`, body }, response);
        }
        for (const { message, evidence } of judge(talk.exchanges)) {
          expect(message.length).toBeGreaterThan(20);
          expect(message).not.toMatch(/exchange 0\b|up to 0\b|last event, 0\b/);
          expect(talk.exchanges.map(({ seq }: Exchange) => seq)).toEqual(expect.arrayContaining(evidence));
        }
      }),
      { numRuns: 500, seed: 1 },
    );
  });
});

function safe(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' || typeof value === 'symbol' ? String(value) : value;
}
