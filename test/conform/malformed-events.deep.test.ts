import { expect, it } from 'vitest';
import { conform } from '../../conformance/conform.js';
import { toFields } from '../../conformance/conversation/json.js';
import { allCases } from '../../conformance/service/all-cases.js';
import { mockTarget } from '../../conformance/service/http-client/in-process.js';
import type { FetchFunction } from '../../conformance/service/http-client/target.js';
import { Mock } from '../../mock/mock.js';

type Loose = Record<string, unknown>;

/** A service that tells something else in each event of a poll. */
function telling(change: (event: Loose) => unknown): (fetch: FetchFunction) => FetchFunction {
  return (fetch) => async (input, init) => {
    const answer = await fetch(input, init);
    const isPoll = (init?.method ?? 'GET') === 'GET' && /\/task\/[^/]+$/.test(new URL(input).pathname);
    if (!isPoll || !answer.ok) return answer;
    const body = await answer.json();
    const task = toFields(body.r) as Loose | undefined;
    if (task && Array.isArray(task.events)) task.events = task.events.map(change);
    return Response.json(body, { status: answer.status });
  };
}

/** Cases that read what events hold. */
const READING = ['tool-calls/*', 'resources/tool-data', 'sessions/*', 'polling/*', 'scenarios/*'];

it.each<[string, (event: Loose) => unknown]>([
  ['a text as payload', (event) => ({ ...event, payload: JSON.stringify(event.payload) })],
  ['null as payload', (event) => ({ ...event, payload: null })],
  ['a list as payload', (event) => ({ ...event, payload: [event.payload] })],
  ['no payload', ({ payload: _, ...event }) => event],
  ['a payload without a name', (event) => ({ ...event, payload: { ...(event.payload as Loose), name: 7 } })],
  ['no name', ({ name: _, ...event }) => event],
  ['null as its name', (event) => ({ ...event, name: null })],
  ['no timestamp', ({ timestamp: _, ...event }) => event],
  ['nothing but an id', ({ id }) => ({ id })],
  ['no object', ({ id }) => id],
])('events with %s crash no test case', async (_, change) => {
  const mock = new Mock({ clock: 'manual' });
  await mock.ready;
  const target = mockTarget(mock, telling(change)(mock.fetch));
  const { checks, faults } = await conform({
    ...target,
    apiKey: 'main-key',
    cases: allCases,
    concurrency: 1,
    only: READING,
    timeoutMs: 3000,
  });
  expect(faults).toEqual([]);
  expect(checks.some(({ outcome }) => outcome === 'failed')).toBe(true);
});
