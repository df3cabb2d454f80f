import { describe, expect, it } from 'vitest';
import { PointClient } from '../support/open-points/client.js';

/** What public clients rely on when they poll and read results, held against the mock without any choices. */

const GOTO = { url: 'https://example.com' };
const CALL = { service: 'tool_call', id: 'call', tool: 'weather', input: { city: 'Oslo' } };
const ASKING = [
  CALL,
  { client: 'reply', to: 'call' },
  { service: 'finish', output: '{{call.output}}', after: '1s' },
];

describe('polling', () => {
  it('the same question has the same answer, so that the first one may be thrown away', async () => {
    const client = new PointClient();
    const id = await client.createScriptedTask(ASKING);
    const first = await client.poll(id);
    expect(first.r.events).toHaveLength(1);
    for (let n = 0; n < 3; n++) expect((await client.poll(id)).body).toEqual(first.body);
    await client.poll(id, first.r.events[0].timestamp);
    expect((await client.poll(id)).body).toEqual(first.body);
    expect((await client.send('GET', `/task/${id}`)).body).toEqual(first.body);
  });

  it('events ascend, so that the last one has the next event_t', async () => {
    const client = new PointClient();
    const id = await client.createSession();
    for (const name of ['a', 'b', 'c']) await client.sendAction(id, 'goto', GOTO, { id: name });
    const seen: { id: string; timestamp: number }[] = [];
    for (let n = 0; n < 30; n++) {
      await client.advance(100);
      seen.push(...(await client.poll(id, seen.at(-1)?.timestamp ?? 0)).r.events);
    }
    expect(seen.map((event) => event.id)).toEqual(['a', 'b', 'c']);
    const times = seen.map(({ timestamp }) => timestamp);
    expect(times.every((time, n) => Number.isInteger(time) && time > (times[n - 1] ?? 0))).toBe(true);
    expect((await client.poll(id)).r.events).toEqual(seen);
  });

  it('what a client sent is not among the events', async () => {
    const client = new PointClient();
    const id = await client.createSession();
    await client.sendAction(id, 'goto', GOTO);
    expect((await client.poll(id)).r.events).toEqual([]);
    const task = await client.createScriptedTask(ASKING);
    const [call] = (await client.poll(task)).r.events;
    await client.reply(task, call.id);
    expect((await client.poll(task, call.timestamp)).r.events).toEqual([]);
  });

  it('the last result is read with a 202 by every client that polls once a second', async () => {
    for (let begun = 0; begun < 1000; begun += 50) {
      const client = new PointClient();
      const id = await client.createSession();
      await client.sendAction(id, 'close');
      await client.advance(begun);
      let answer = await client.poll(id);
      for (; answer.r.events.length === 0; answer = await client.poll(id)) await client.advance(1000);
      expect([answer.status, answer.r.status]).toEqual([202, 'running']);
      await client.advance(2000);
      expect((await client.poll(id)).status).toBe(200);
    }
  });

  it('polls change nothing for other readers: poll, list and DELETE agree at any moment', async () => {
    const statuses = async (isPolled: boolean) => {
      const client = new PointClient();
      const id = await client.createSession();
      await client.sendAction(id, 'goto', GOTO);
      await client.sendAction(id, 'close');
      const listed: string[] = [];
      for (let n = 0; n < 40; n++) {
        const { status, output } = (await client.send('GET', '/task')).r[0];
        if (isPolled) expect((await client.poll(id)).r).toMatchObject({ status, output });
        listed.push(status);
        await client.advance(100);
      }
      const deleted = await client.sendForStatus('DELETE', `/task/${id}`);
      return [...listed, deleted, (await client.poll(id)).r.status];
    };
    const seen = await statuses(false);
    expect(seen.slice(-3)).toEqual(['done', 404, 'done']);
    expect(await statuses(true)).toEqual(seen);
  });

  it.each(['manual', 'skipping'] as const)(
    'a time-out shows in the list as soon as in a poll (%s clock)',
    async (mode) => {
      const client = new PointClient({ 'session.total-timeout': 5000 }, { clock: mode });
      const id = await client.createSession();
      await client.advance(6000);
      expect((await client.send('GET', '/task')).r[0].status).toBe('failed');
      expect((await client.poll(id)).r.status).toBe('failed');
      expect(await client.sendForStatus('DELETE', `/task/${id}`)).toBe(404);
    },
  );

  it('a client that never sends event_t gets to the end, too', async () => {
    const client = new PointClient();
    const id = await client.createTask({ task: 'x' });
    const statuses = new Set<number>();
    for (let n = 0; n < 120; n++) {
      const { status, r } = await client.send('GET', `/task/${id}`);
      statuses.add(status);
      if (r.status === 'done') break;
      await client.advance(5000);
    }
    expect([...statuses]).toEqual([202, 200]);
  });

  it('a session that nobody reads does not stay open for a result that nobody sees', async () => {
    const client = new PointClient();
    const id = await client.createSession();
    await client.sendAction(id, 'close');
    await client.advance(60_000);
    expect((await client.poll(id)).status).toBe(200);
  });
});

describe('the result of an action', () => {
  const nulls = { response_model: null, url: null, metadata: null, secrets: null, max_steps: null };
  const secrets = { card: { value: '4111', allowed_urls: ['https://shop.example.com'] } };

  it.each([
    ['goto', GOTO],
    ['extract', { schema: { type: 'object' }, prompt: null }],
    ['evaluate_js', { js: '1 + 1', args: null }],
    ['run_task', { task: 'x', ...nulls }],
    ['run_task', { task: 'x', ...nulls, secrets, max_steps: 128, metadata: { a: 1 } }],
  ])('%s has output, credits_used and duration', async (name, input) => {
    const client = new PointClient();
    const id = await client.createSession();
    await client.sendAction(id, name, input, { timestamp: null });
    await client.advance(5000);
    const [{ payload, ...event }] = (await client.poll(id)).r.events;
    expect(event).toMatchObject({
      id: `my-${name}`,
      name: name === 'run_task' ? 'session_action' : 'browser_action',
    });
    expect(payload.code).toBe(200);
    const numbers = { credits_used: expect.any(Number), duration: expect.any(Number) };
    if (name === 'goto') expect(payload.output).toEqual(numbers);
    else expect(payload.output).toEqual({ output: payload.output.output, ...numbers });
    expect(payload.output).not.toHaveProperty('output', undefined);
  });

  it.each([{}, { id: null, timestamp: null }])(
    'comes also when the event has no id and no time: %j',
    async (more) => {
      const client = new PointClient();
      const id = await client.createSession();
      const { status, r } = await client.sendEvent(id, {
        name: 'browser_action',
        payload: { name: 'goto', input: GOTO },
        ...more,
      });
      expect(status).toBe(200);
      await client.advance(5000);
      expect((await client.poll(id)).r.events).toMatchObject([{ id: r.id, payload: { code: 200 } }]);
    },
  );
});

describe('the reply to a tool call', () => {
  it('may be sent twice, and the first counts', async () => {
    const client = new PointClient();
    const id = await client.createScriptedTask(ASKING);
    const [call] = (await client.poll(id)).r.events;
    const answers = [
      await client.reply(id, call.id, 200, 'sun'),
      await client.reply(id, call.id, 200, 'rain'),
    ];
    expect(answers.map(({ body }) => body)).toEqual([{ r: { id: call.id } }, { r: { id: call.id } }]);
    await client.advance(1000);
    expect((await client.poll(id)).r.output).toBe('sun');
  });

  it('may come the old way, with PUT and the output as JSON text', async () => {
    const client = new PointClient();
    const id = await client.createScriptedTask(ASKING);
    const [call] = (await client.poll(id)).r.events;
    const tool_response = { id: call.id, code: 200, output: '{"temp":7}' };
    expect((await client.send('PUT', `/task/${id}`, { tool_response })).body).toEqual({ r: true });
    await client.advance(1000);
    expect((await client.poll(id)).r.output).toEqual({ temp: 7 });
  });
});
