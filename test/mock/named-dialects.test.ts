import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PointClient, TOOL } from '../support/open-points/client.js';

const names = readdirSync(new URL('../../spec/dialects/', import.meta.url)).map((file) =>
  basename(file, '.yaml'),
);

/** Polls twice a second until the task is over; replies to every call. What was seen of statuses and results. */
async function follow(client: PointClient, id: string): Promise<{ statuses: string[]; codes: unknown[] }> {
  const statuses: string[] = [];
  const codes: unknown[] = [];
  let event_t = 0;
  let answer: Awaited<ReturnType<PointClient['poll']>> | undefined;
  const poll = () => void client.poll(id, event_t).then((each) => (answer = each));
  poll();
  // A long poll is held for more than one of these.
  for (let times = 0; times < 100; times++) {
    await client.settlePending();
    await client.advance(500);
    if (!answer) continue;
    const { status, r } = answer;
    answer = undefined;
    if (statuses.at(-1) !== r.status) statuses.push(r.status);
    for (const event of r.events ?? []) {
      event_t = event.timestamp;
      if (event.payload.code !== undefined) codes.push(event.payload.code);
      else await client.sendEvent(id, { ...event, payload: { code: 200, output: 'fine' } });
    }
    if (status === 200) return { statuses, codes };
    poll();
  }
  throw new Error(`Not over after ${statuses.join(', ')}`);
}

describe.each(names)('the dialect %s', (name) => {
  // Where polls are held until there is news, none of them shows the queue.
  const first = name === 'reference-pages' ? 'waiting' : 'running';

  it('plays a task with a tool to its end', async () => {
    const client = new PointClient(name);
    const { status, r } = await client.send('POST', '/task', { task: 'x', custom_tools: [TOOL] });
    expect([status, r.status]).toEqual([200, first]);
    expect((await follow(client, r.id)).statuses).toEqual(['running', 'done']);
  });

  it('plays a session from its first action to its close', async () => {
    const client = new PointClient(name);
    const id = await client.createSession();
    const event = { timestamp: 1 };
    expect((await client.sendAction(id, 'goto', { url: 'https://example.com' }, event)).status).toBe(200);
    await client.advance(2000);
    expect((await client.sendAction(id, 'close', undefined, event)).status).toBe(200);
    const { statuses, codes } = await follow(client, id);
    expect(statuses.at(-1)).toBe('done');
    expect(codes).toEqual([200, 200]);
  });
});
