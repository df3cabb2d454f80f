import { beforeEach, describe, expect, it } from 'vitest';
import { startMock, type TestMock } from '../support/mock/mock.js';

const GOTO = { name: 'browser_action', payload: { name: 'goto', input: { url: 'https://example.com' } } };
const CLOSE = { name: 'session_action', payload: { name: 'close' } };

let mock: TestMock;
let session: string;

/** A session that follows this timeline. */
async function open(timeline: object[]): Promise<void> {
  mock = await startMock();
  const scenario = { name: 'test', title: 'Test', request: { task: null }, timeline };
  expect((await mock.control.scenarios.add(scenario)).problems).toEqual([]);
  await mock.control.scenarios.queue('test', 'a');
  session = await mock.create({ task: null });
}

/** Polls until it ends, a minute at most; what came. */
async function end() {
  for (let n = 0; n < 60; n++) {
    const { status, r } = await mock.poll(session);
    if (status === 200) return r;
    await mock.control.clock.set({ advance: '1s' }, 'a');
  }
  return (await mock.poll(session)).r;
}

const results = (task: { events: { id: string; payload: { code: number } }[] }) =>
  Object.fromEntries(task.events.map(({ id, payload }) => [id, payload.code]));

describe('closing a session that follows a script', () => {
  describe('before the script comes to it', () => {
    const goto = [
      { client: 'action', id: 'goto', name: 'goto' },
      { service: 'result', to: 'goto' },
    ];

    it('ends the session: what the script waits for cannot come any more', async () => {
      await open([...goto, { client: 'close', id: 'close' }, { service: 'finish' }]);
      await mock.sendEvent(session, { id: 'c', ...CLOSE });
      const task = await end();
      expect(task.status).toBe('done');
      expect(results(task)).toEqual({ c: 200 });
    });

    it('answers the close, too, where the script would', async () => {
      await open([
        ...goto,
        { client: 'close', id: 'close' },
        { service: 'result', to: 'close' },
        { service: 'finish' },
      ]);
      await mock.sendEvent(session, { id: 'c', ...CLOSE });
      const task = await end();
      expect(task.status).toBe('done');
      expect(results(task)).toEqual({ c: 200 });
    });
  });

  it('leaves the end to the script that has come to it', async () => {
    await open([
      { client: 'close', id: 'close' },
      { service: 'finish', status: 'failed', after: '20s' },
    ]);
    await mock.sendEvent(session, { id: 'c', ...CLOSE });
    expect((await end()).status).toBe('failed');
  });

  describe('while an action is under way that the script only waits for', () => {
    beforeEach(async () => {
      await open([
        { client: 'action', id: 'goto', name: 'goto' },
        { client: 'close', id: 'close' },
      ]);
      await mock.sendEvent(session, { id: 'g', ...GOTO });
      await mock.sendEvent(session, { id: 'c', ...CLOSE });
    });

    it('answers the action with 500', async () => {
      expect(results(await end())).toEqual({ g: 500, c: 200 });
    });
  });
});
