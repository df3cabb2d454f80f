import { describe, expect, it } from 'vitest';
import type { Scenario } from '../../../scenarios/format/types.js';
import { createScenario, oneCall, WEATHER } from '../../../test/support/client/scenarios.js';
import { play } from '../run/play.js';
import type { ClientContext, ClientFunction, ResultLine } from '../types.js';
import { describeWait } from './run-end.js';

type Call = (
  method: string,
  path: string,
  body?: object,
) => Promise<{ id: string; status: string; events?: Sent[] }>;
type Sent = { id: string; timestamp: number; payload: Record<string, unknown> };

/** A client made of one function, which is given the call. */
function client(does: (call: Call, context: ClientContext) => Promise<unknown>): ClientFunction {
  return async (context) => {
    const { fetch, baseUrl, apiKey: apikey } = context;
    const call: Call = async (method, path, body) => {
      const headers = { apikey, 'content-type': 'application/json' };
      const response = await fetch(`${baseUrl}/api/v1${path}`, {
        method,
        headers,
        body: body ? JSON.stringify(body) : null,
      });
      return ((await response.json()) as { r: never }).r;
    };
    return (await does(call, context)) as ResultLine;
  };
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const never = () => new Promise(() => {});

async function waitsFor(played: Scenario, does: Parameters<typeof client>[0]): Promise<string | undefined> {
  const run = await play(played, { kind: 'function', run: client(does) }, { deadlineMs: 5000 });
  return describeWait(run);
}

/** Polls n times, a second apart; the last response. */
async function poll(call: Call, id: string, times: number) {
  let task = { id, status: '', events: [] as Sent[] | undefined };
  for (let n = 0; n < times; n++) {
    await sleep(400);
    task = { events: [], ...(await call('GET', `/task/${id}?event_t=0`)) };
  }
  return task;
}

const create = (call: Call, { job }: ClientContext) => call('POST', '/task', job.request);
const act = (call: Call, id: string, name: string, payload: object) =>
  call('POST', `/task/${id}/event`, { id: 'mine', name, payload, timestamp: 1 });

const session = createScenario(
  [
    { client: 'action', id: 'open', name: 'goto', input: { url: 'https://example.com' } },
    { service: 'result', to: 'open', after: { time_ms: 100 } },
    { client: 'action', id: 'read', name: 'evaluate_js', input: { js: '1' } },
    { service: 'result', to: 'read', output: 1 },
    { client: 'close', id: 'close' },
    { service: 'finish' },
  ],
  { request: { task: null } },
);
const goto = { name: 'goto', input: { url: 'https://example.com' } };

describe('what a hanging client waits for', () => {
  it('is a missing reply', async () => {
    const forgets = async (call: Call, context: ClientContext) => {
      const { id } = await create(call, context);
      await poll(call, id, 4);
      await never();
    };
    expect(await waitsFor(oneCall, forgets)).toBe(
      'a service that itself waits for the reply to call c1 (get_weather), which was delivered in exchange 2',
    );
  });

  it('is a call that no response had', async () => {
    const late = async (call: Call, context: ClientContext) => {
      const { id } = await create(call, context);
      for (;;) {
        await sleep(2000);
        await call('GET', `/task/${id}?event_t=9999999999999`);
      }
    };
    expect(await waitsFor(oneCall, late)).toBe(
      'a service that itself waits for the reply to call c1 (get_weather), which no response had',
    );
  });

  it('is a task that was never created', async () => {
    const failing = { network: 'fail', of: { create: true }, status: 503 };
    const refused = createScenario([failing, ...oneCall.timeline], { request: oneCall.request });
    const waits = async (call: Call, context: ClientContext) => {
      await create(call, context).catch(() => {});
      await never();
    };
    expect(await waitsFor(refused, waits)).toBe('a task: POST /task (exchange 1) got status 503');
    expect(await waitsFor(oneCall, never)).toMatch(/made no request for a task/);
  });

  it('is a response that is held back', async () => {
    const held = { network: 'hold', of: { poll: 1 }, until: { gate: 'never' }, at_most_ms: 60_000 };
    const waits = async (call: Call, context: ClientContext) =>
      poll(call, (await create(call, context)).id, 9);
    expect(await waitsFor(createScenario([held, { service: 'finish' }]), waits)).toEqual(
      expect.stringMatching(
        /^the response to GET \/task\/.* \(exchange 2\), which was held back when the run was over$/,
      ),
    );
  });

  it('is the next part of its job', async () => {
    const stops = (actions: number) => async (call: Call, context: ClientContext) => {
      const { id } = await create(call, context);
      if (actions > 0) await act(call, id, 'browser_action', goto);
      await poll(call, id, 1);
      await never();
    };
    expect(await waitsFor(session, stops(0))).toBe(
      'a service that itself waits for goto, action 1 of the job, which was never sent',
    );
    expect(await waitsFor(session, stops(1))).toBe(
      'a service that itself waits for evaluate_js, action 2 of the job, which was never sent',
    );
    const closing = createScenario([...session.timeline.slice(0, 2), { client: 'close', id: 'close' }], {
      request: { task: null },
    });
    expect(await waitsFor(closing, stops(1))).toMatch(/waits for the close, the last thing in the job/);
    expect(await waitsFor(createScenario([{ client: 'cancel', after: { time_ms: 100 } }]), stops(0))).toMatch(
      /waits for the client to stop the task \(DELETE\) after 100 ms/,
    );
  });

  it('is a result that was not delivered', async () => {
    const waits = async (call: Call, context: ClientContext) => {
      const { id } = await create(call, context);
      await act(call, id, 'browser_action', goto);
      await never();
    };
    expect(await waitsFor(session, waits)).toBe('the result of open (goto), which no response had');
  });

  it('is something that can no longer arrive, after the end of the task', async () => {
    const done = createScenario([{ service: 'finish', status: 'done' }], {
      request: { task: 'x', custom_tools: [WEATHER] },
    });
    const polls = async (call: Call, context: ClientContext) => {
      const { id } = await create(call, context);
      await poll(call, id, 6);
      await never();
    };
    expect(await waitsFor(done, polls)).toBe('something that can no longer arrive: the task is done');
  });
});
