import { describe, expect, it } from 'vitest';
import { Mock } from '../../../mock/mock.js';
import type { MockOptions } from '../../../mock/options/mock-options.js';
import { loadLibrary } from '../../../scenarios/format/library/library.js';
import { conform } from '../../conform.js';
import { taskCases } from '../all-cases.js';
import { mockTarget } from '../http-client/in-process.js';
import type { FetchFunction } from '../http-client/target.js';
import { createScenarioCases } from '../scenarios/scenario-cases.js';

const cases = [...taskCases, ...createScenarioCases(await loadLibrary())];

async function against(
  options: MockOptions,
  change: (fetch: FetchFunction) => FetchFunction = (fetch) => fetch,
  only: string[] = ['*'],
) {
  const mock = new Mock({ clock: 'manual', ...options });
  await mock.ready;
  const target = mockTarget(mock, change(mock.fetch));
  return conform({ ...target, apiKey: 'main-key', cases, concurrency: 1, only });
}

const listFailures = (checks: readonly { id: string; outcome: string; message: string }[]) =>
  checks.filter(({ outcome }) => outcome === 'failed').map(({ id, message }) => `${id}: ${message}`);

describe('against the mock', () => {
  it('the ids of cases are unique', () => {
    const ids = cases.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each([
    ['as it comes', {}],
    ['with an agent that improvises', { library: false }],
  ])('everything passes, %s', async (_, options) => {
    const { checks, faults, left } = await against(options);
    expect({ failed: listFailures(checks), faults, left }).toEqual({ failed: [], faults: [], left: [] });
    expect(checks.filter(({ outcome }) => outcome !== 'passed').map(({ id }) => id)).toEqual([]);
  });
});

type Change = (
  received: {
    method: string;
    path: string;
    query: URLSearchParams;
    body: Record<string, unknown> | undefined;
  },
  response: () => Promise<Response>,
) => Promise<Response>;

/** A service with one fault. */
function broken(change: Change): (fetch: FetchFunction) => FetchFunction {
  return (fetch) => (input, init) => {
    const { pathname, searchParams } = new URL(String(input));
    const body = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
    const received = { method: init?.method ?? 'GET', path: pathname, query: searchParams, body };
    return change(received, () => fetch(input, init));
  };
}

async function changed(response: Response, change: (r: Record<string, unknown>) => void): Promise<Response> {
  const body = await response.json();
  if (body?.r !== null && typeof body?.r === 'object') change(body.r);
  return Response.json(body, { status: response.status });
}

const FAULTS: [what: string, requirement: string, only: string, change: Change][] = [
  [
    'event_t=0 gives the newest event only',
    'POLL-04',
    'polling/*',
    async ({ query }, response) =>
      query.get('event_t') === '0'
        ? changed(await response(), (r) => {
            if (Array.isArray(r.events)) r.events = r.events.slice(-1);
          })
        : response(),
  ],
  [
    'no event_t gives no events',
    'POLL-04',
    'polling/event-cursor',
    async ({ method, query }, response) =>
      method === 'GET' && !query.has('event_t')
        ? changed(await response(), (r) => {
            r.events = [];
          })
        : response(),
  ],
  [
    'ids that differ in case are one',
    'EVENT-03',
    'sessions/ids-of-any-text',
    async ({ body }, response) =>
      String(body?.id).startsWith('TD-')
        ? Response.json({ detail: 'the id was used before' }, { status: 409 })
        : response(),
  ],
  [
    'a task with an emoji in its text gives 500',
    'TASK-10',
    'status-codes/text-of-any-kind',
    async ({ body }, response) =>
      /\p{Extended_Pictographic}/u.test(String(body?.task))
        ? Response.json({ detail: 'the text cannot be stored' }, { status: 500 })
        : response(),
  ],
  [
    'a refused event uses up its id',
    'SESSION-01',
    'sessions/action-that-fails',
    (() => {
      const refused = new Set<unknown>();
      return async ({ body }, response) => {
        if (refused.has(body?.id))
          return Response.json({ detail: 'the id was used before' }, { status: 409 });
        const answer = await response();
        if (answer.status === 422) refused.add(body?.id);
        return answer;
      };
    })(),
  ],
  [
    'DELETE is confirmed and does nothing',
    'TASK-13',
    'status-codes/session-cancelled',
    async ({ method }, response) => (method === 'DELETE' ? Response.json({ r: true }) : response()),
  ],
  [
    'a null in a reply is refused',
    'TOOL-09',
    'tool-calls/output-is-any-*',
    async ({ body }, response) =>
      (body?.payload as { output?: unknown } | undefined)?.output === null
        ? Response.json({ detail: 'output is missing' }, { status: 422 })
        : response(),
  ],
  [
    'a close is confirmed and does nothing',
    'SESSION-10',
    'sessions/closed-*',
    async ({ body }, response) =>
      (body?.payload as { name?: unknown } | undefined)?.name === 'close'
        ? Response.json({ r: { id: body!.id } })
        : response(),
  ],
  [
    'an error reply is confirmed and goes nowhere',
    'TOOL-05',
    'tool-calls/corrected-input',
    async ({ body }, response) =>
      (body?.payload as { code?: unknown } | undefined)?.code === 400
        ? Response.json({ r: { id: body!.id } })
        : response(),
  ],
  [
    'an extract without a prompt is a bad request',
    'SESSION-07',
    'sessions/extract',
    async ({ body }, response) => {
      const input = (body?.payload as { name?: string; input?: object } | undefined)?.input;
      if (!input || !('schema' in input) || 'prompt' in input) return response();
      return Response.json({ detail: 'prompt is missing' }, { status: 422 });
    },
  ],
];

describe('against a service with one fault', () => {
  it.each(FAULTS)('%s: %s', async (_, requirement, only, change) => {
    const { checks, faults } = await against({}, broken(change), [only]);
    expect(faults).toEqual([]);
    const failed = checks.filter(({ outcome }) => outcome === 'failed');
    expect(failed.flatMap(({ covers }) => covers)).toContain(requirement);
  });
});

describe('the message is about the first cause', () => {
  const messagesOf = async (only: string, change: Change) => {
    const { checks, faults } = await against({}, broken(change), [only]);
    expect(faults).toEqual([]);
    const of = (id: string, outcome: string) =>
      checks.find((check) => check.id === id && check.outcome === outcome)?.message;
    return { checks, of };
  };

  it('of an event that is listed once more with another payload', async () => {
    let reads = 0;
    const { of } = await messagesOf('polling/event-cursor', async ({ method, query }, response) =>
      method === 'GET' && query.get('event_t') === '0' && ++reads > 1
        ? changed(await response(), (r) => {
            for (const event of (r.events ?? []) as Record<string, object>[])
              event.payload = { ...event.payload, input: { city: 'Nowhere' } };
          })
        : response(),
    );
    const message = of('polling/event-cursor#EVENT-02', 'failed');
    expect(message).toMatch(/^The call .* is listed with another payload than before/);
  });

  it('of a missing result after another action got 500', async () => {
    let isStuck = false;
    const { checks } = await messagesOf('sessions/evaluate-js', async ({ method, body }, response) => {
      const { args } = ((body?.payload as { input?: object })?.input ?? {}) as { args?: unknown };
      if (method !== 'POST' || args === undefined) return response();
      if (isStuck) return Response.json({ r: { id: body!.id } });
      isStuck = true;
      return Response.json({ detail: 'Oh no' }, { status: 500 });
    });
    const failed = checks.filter(({ outcome }) => outcome === 'failed');
    expect(failed.map(({ id }) => id)).toEqual(['sessions/evaluate-js#EVENT-03']);
    expect(failed[0]!.message).toContain('got 500');
  });

  it('of a field that has disappeared', async () => {
    let isActing = false;
    const { of } = await messagesOf('sessions/stays-open', async ({ method, path }, response) => {
      if (path.endsWith('/event')) isActing = true;
      if (method !== 'GET' || !isActing) return response();
      return changed(await response(), (r) => {
        r.live_url = null;
      });
    });
    const message = of('sessions/stays-open#TASK-06', 'failed');
    expect(message).toMatch(/expected live_url to be a URL, it was "http.* in exchange \d+ and is null/);
  });
});

it('leaves open how long an idle session is open', async () => {
  const { checks } = await against({ dialect: { 'session.idle-timeout': 1200 } });
  expect(listFailures(checks)).toEqual([]);
});

describe('against an agent that gives no occasion', () => {
  it('checks of tool calls are inconclusive where the agent calls none', async () => {
    // Removes the tools from the request.
    const untold = (fetch: FetchFunction): FetchFunction => {
      return (input, init) => {
        if (typeof init?.body !== 'string' || init.method !== 'POST') return fetch(input, init);
        const { custom_tools: _, ...body } = JSON.parse(init.body);
        return fetch(input, { ...init, body: JSON.stringify(body) });
      };
    };
    const { checks, faults } = await against({}, untold, [
      'tool-calls/corrected-input',
      'tool-calls/left-waiting',
    ]);
    expect(faults).toEqual([]);
    expect(listFailures(checks)).toEqual([]);
    expect(checks.find(({ id }) => id === 'tool-calls/left-waiting#TOOL-01')).toMatchObject({
      outcome: 'inconclusive',
      message: expect.stringContaining('without calling a tool'),
    });
  });
});
