import { Agent, request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import type { MockOptions } from '../../mock/options/mock-options.js';
import { createMock } from './create-mock.js';

const START_MS = 1_767_225_600_000;
const agents: Agent[] = [];

/** A connection that stays open. */
function openConnection(baseUrl: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  agents.push(agent);
  return (path: string, body: object) =>
    new Promise<{ r?: { id: string } }>((resolve, reject) => {
      const headers = { apikey: 'key', 'content-type': 'application/json' };
      const sent = request(
        `${baseUrl}/api/v1${path}`,
        { method: 'POST', headers, agent },
        async (response) => {
          resolve(JSON.parse((await response.toArray()).join('')));
        },
      );
      sent.on('error', reject).end(JSON.stringify(body));
    });
}

afterEach(() => {
  for (const agent of agents.splice(0)) agent.destroy();
});

const createAction = (id: string, name: string, input?: object) => ({
  ...{ id, name: name === 'close' ? 'session_action' : 'browser_action' },
  payload: { name, ...(input && { input }) },
});

/** Findings about an action that arrives so long after the response to the close of its session. */
async function judgeAction(on: 'same' | 'other', wait_ms: number, options: MockOptions): Promise<number> {
  let now = START_MS;
  const mock = createMock({ ...options, wall: () => now });
  try {
    const { baseUrl } = await mock.listen();
    const [send, sendElsewhere] = [openConnection(baseUrl), openConnection(baseUrl)];
    const { id } = (await send('/task', { task: null })).r!;
    await send(`/task/${id}/event`, createAction('z', 'close'));
    now += wait_ms;
    const sendAction = on === 'same' ? send : sendElsewhere;
    await sendAction(`/task/${id}/event`, createAction('b', 'goto', { url: 'https://example.com' }));
    return mock.findings().filter(({ rule }) => rule === 'actions/after-close').length;
  } finally {
    await mock.close();
  }
}

describe('an action that arrives at a port after the close of its session', () => {
  it.each(['same', 'other'] as const)(
    'fails at once on the %s connection: the client waits for each response',
    async (on) => {
      expect(await judgeAction(on, 0, { clock: 'real' })).toBe(1);
    },
  );

  it('fails at once where time moves only on command: the order is exact', async () => {
    expect(await judgeAction('other', 0, { clock: 'manual' })).toBe(1);
  });
});
