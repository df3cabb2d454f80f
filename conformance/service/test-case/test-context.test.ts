import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { ApiRequest, ApiResponse } from '../http-client/response.js';
import { trackResources } from '../runner/cleanup.js';
import { type CaseRun, TestContext } from './test-context.js';

interface Scripted {
  status?: number;
  r?: unknown;
}

/** A service with scripted responses, and a clock that advances while the case sleeps. */
function scripted(responses: {
  [operation: string]: Scripted | ((sending: ApiRequest, nth: number) => Scripted);
}) {
  const sent: { operation: string; sending: ApiRequest; at: number }[] = [];
  const undone: (() => Promise<unknown>)[] = [];
  const counts = new Map<string, number>();
  let now = 1_700_000_000_000;
  let names = 0;
  const client = {
    async send(operation: string, sending: ApiRequest = {}) {
      const nth = counts.get(operation) ?? 0;
      counts.set(operation, nth + 1);
      sent.push({ operation, sending, at: now });
      const given = responses[operation] ?? { r: true };
      const { status = 200, r } = typeof given === 'function' ? given(sending, nth) : given;
      const ok = status < 300;
      const body = ok ? { r } : { detail: 'no' };
      const response = { seq: sent.length, operation, status, headers: {}, text: JSON.stringify(body), body };
      return { ...response, r: ok ? r : undefined, ok, at: now } as ApiResponse;
    },
  };
  const clock = {
    now: () => now,
    async sleep(ms: number) {
      now += ms;
    },
  };
  const t = new TestContext({
    client,
    target: { clock, keys: { main: 'k' } },
    cleanup: { add: (_: string, undo: () => Promise<unknown>) => undone.push(undo) },
    interruption: {},
    unique: () => `name-${++names}`,
    random: { pick: ([first]: readonly unknown[]) => first },
    settings: { timeoutMs: 60_000, pollIntervalMs: 100, texts: {}, tools: undefined },
  } as unknown as CaseRun);
  const polls = () => sent.filter(({ operation }) => operation === 'getTask');
  return { t, sent, polls, undone, passed: () => now - 1_700_000_000_000 };
}

const event = (id: string, timestamp: number, payload: object = { name: 'get_weather', input: {} }) => ({
  id,
  name: 'tool_call',
  payload,
  timestamp,
});
const created = { r: { id: 'a', status: 'running' } };
const poll = (status: string, ...events: object[]) => ({ r: { id: 'a', status, events } });

describe('the test context', () => {
  it('gives up a task that lists more and more events', async () => {
    const many = (nth: number) =>
      Array.from({ length: 20_000 }, (_, n) => event(`e${nth * 20_000 + n}`, 1 + nth * 20_000 + n));
    const { t } = scripted({
      createTask: created,
      getTask: (_, nth) => poll('running', ...many(nth)),
    });
    const task = await t.createTask({ task: 'x' });
    await expect(t.pollUntilEnd(task)).rejects.toThrow('the task a has more than 50000 events');
    expect(task.events).toHaveLength(50_000);
  });

  it('polls more and more rarely, up to four times the interval, and often again after news', async () => {
    const { t, polls } = scripted({
      createTask: created,
      getTask: (_, nth) => (nth < 9 ? poll('running') : poll(nth < 12 ? 'running' : 'done', event('x', 1))),
    });
    const task = await t.createTask({ task: 'x' });
    expect(await t.pollUntilEnd(task)).toBe(true);
    const at = polls().map((each) => each.at);
    const pauses = at.slice(1).map((time, i) => Math.round(time - at[i]!));
    expect(pauses).toEqual([100, 150, 225, 338, 400, 400, 400, 400, 400, 100, 150, 225]);
  });

  it('continues from the largest timestamp and adds each event once', async () => {
    const { t, polls } = scripted({
      createTask: created,
      getTask: (_, nth) => [poll('running', event('x', 5), event('y', 7)), poll('done', event('y', 7))][nth]!,
    });
    const task = await t.createTask({ task: 'x' });
    await t.pollUntilEnd(task);
    expect(polls().map(({ sending }) => sending.query)).toEqual([{ event_t: 0 }, { event_t: 7 }]);
    expect(task.events.map(({ id }) => id)).toEqual(['x', 'y']);
    expect(task.status).toBe('done');
  });

  it('accepts responses without events and empty events', async () => {
    const odd = [
      { status: 'running' },
      { status: 'running', events: null },
      { events: [null, 7, {}] },
      'text',
    ];
    const { t } = scripted({
      createTask: created,
      getTask: (_, nth) => ({
        r: odd[nth] ?? { status: 'failed', events: [{ id: 'z', timestamp: 'soon' }] },
      }),
    });
    const task = await t.createTask({ task: 'x' });
    expect(await t.pollUntilEnd(task)).toBe(true);
    expect(task.events).toHaveLength(1);
    expect(task.event_t).toBe(0);
  });

  it('gives up when the time is up, and earlier when polls show no status', async () => {
    const slow = scripted({ createTask: created, getTask: poll('running') });
    const task = await slow.t.createTask({ task: 'x' });
    expect(await slow.t.pollUntilEnd(task, 1000)).toBe(false);
    expect(slow.passed()).toBe(1000);

    const gone = scripted({ createTask: created, getTask: { status: 404 } });
    expect(await gone.t.pollUntilEnd(await gone.t.createTask({ task: 'x' }))).toBe(false);
    expect(gone.polls()).toHaveLength(5);
  });

  it('gives out each call once, and takes a reply that is listed for no call', async () => {
    const { t, sent } = scripted({
      createTask: created,
      getTask: poll('running', event('x', 1), event('x', 2, { code: 200, output: 1 }), event('y', 3)),
      sendTaskEvent: { r: { id: 'x' } },
    });
    const task = await t.createTask({ task: 'x' });
    expect((await t.nextToolCall(task))?.id).toBe('x');
    expect((await t.nextToolCall(task))?.id).toBe('y');
    await t.reply(task, 'x', 400, 'no');
    expect(sent.at(-1)!.sending.body).toMatchObject({
      name: 'tool_call',
      id: 'x',
      payload: { code: 400, output: 'no' },
      timestamp: expect.any(Number),
    });
  });

  it('does not mistake a listed action for its result', async () => {
    const { t } = scripted({
      createTask: created,
      sendTaskEvent: { r: { id: 'name-1' } },
      getTask: (_, nth) =>
        nth < 2
          ? poll('running', { ...event('name-1', 1, { name: 'goto', input: {} }), name: 'browser_action' })
          : poll('running', { ...event('name-1', 2, { code: 200, output: null }), name: 'browser_action' }),
    });
    const task = await t.createTask({ task: null });
    const { id } = await t.act(task, 'goto', { url: 'https://example.com' });
    expect((await t.awaitResult(task, id))?.payload).toEqual({ code: 200, output: null });
  });

  it('cancels what is still active, and only that', async () => {
    const { t, sent, undone } = scripted({
      createTask: (_, nth) => ({ r: { id: `t${nth}`, status: 'running' } }),
      getTask: { r: { status: 'done' } },
    });
    const over = await t.createTask({ task: 'x' });
    const cancelled = await t.createTask({ task: 'x' });
    await t.createTask({ task: null });
    await t.pollUntilEnd(over);
    await t.cancel(cancelled);
    for (const undo of undone) await undo();
    for (const undo of undone) await undo();
    const deletes = sent.filter(({ operation }) => operation === 'deleteTask');
    expect(deletes.map(({ sending }) => sending.path)).toEqual([{ task_id: 't1' }, { task_id: 't2' }]);
  });

  it('keeps no response of a task until the end of the run, once the task is stopped', async () => {
    const { t, sent } = scripted({ createTask: created, getTask: poll('running') });
    let responses: WeakRef<object>[] = [];
    await trackResources(t, async (tracked) => {
      const task = await tracked.createTask({});
      await tracked.poll(task);
      responses = [task, task.created, task.last].map((each) => new WeakRef(each));
    });
    // A WeakRef keeps its target until the end of the turn.
    await new Promise((resolve) => setImmediate(resolve));
    setFlagsFromString('--expose-gc');
    runInNewContext('gc')();
    expect(responses.map((each) => each.deref())).toEqual([undefined, undefined, undefined]);
    expect(sent.at(-1)).toMatchObject({ operation: 'deleteTask', sending: { path: { task_id: 'a' } } });
  });

  it('ends the case if no task was created', async () => {
    const { t } = scripted({ createTask: { status: 500 } });
    await expect(t.createTask({ task: 'x' })).rejects.toThrow('POST /task returned no task');
  });
});
