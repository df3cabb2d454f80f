import type { PointCases } from './case.js';
import type { PointClient } from './client.js';

const MINUTE = 60_000;
const isOver = async (client: PointClient, id: string) => (await client.poll(id)).status === 200;

export const timeouts: PointCases = {
  'session.idle-timeout': {
    async observe(client) {
      // Each poll, action or reply restarts the time.
      const polled = await client.createSession();
      const acted = await client.createSession();
      const left = await client.createSession();
      const longLeft = await client.createSession();
      for (const n of [1, 2]) {
        await client.advance(MINUTE - 1);
        await client.poll(polled);
        await client.sendAction(acted, 'goto', { url: 'https://example.com' }, { id: `a${n}` });
      }
      const seen = [await isOver(client, polled), await isOver(client, acted), await isOver(client, left)];
      await client.advance(2);
      return [...seen, await isOver(client, longLeft)];
    },
    expected: {
      0: [false, false, false, false],
      [MINUTE]: [false, false, true, true],
      [2 * MINUTE]: [false, false, false, true],
    },
  },
  'session.total-timeout': {
    async observe(client) {
      const session = await client.createSession();
      const task = await client.createScriptedTask([{ client: 'cancel' }]);
      const seen = [];
      for (const ms of [MINUTE - 1, 1, MINUTE]) {
        await client.advance(ms);
        seen.push(await isOver(client, session));
      }
      return [...seen, await isOver(client, task)];
    },
    expected: {
      0: [false, false, false, false],
      [MINUTE]: [false, true, true, false],
      [2 * MINUTE]: [false, false, true, false],
    },
  },
  'task.idle-timeout': {
    async observe(client) {
      const task = await client.createScriptedTask([{ client: 'cancel' }]);
      await client.advance(24 * 60 * MINUTE - 1);
      return isOver(client, task);
    },
    expected: { never: false },
  },
  'task.total-timeout': {
    async observe(client) {
      const session = await client.createSession();
      const task = await client.createScriptedTask([{ client: 'cancel' }]);
      const seen = [];
      for (const ms of [MINUTE - 1, 1, MINUTE]) {
        await client.advance(ms);
        seen.push(await isOver(client, task));
      }
      return [...seen, await isOver(client, session)];
    },
    expected: {
      0: [false, false, false, false],
      [MINUTE]: [false, true, true, false],
      [2 * MINUTE]: [false, false, true, false],
    },
  },
  'file.retention': {
    async observe(client) {
      const form = new FormData();
      form.append('file', new Blob(['x']), 'x.txt');
      const { id } = (await client.send('POST', '/file', undefined, { form })).r;
      const sendWithFile = () => client.sendForStatus('POST', '/task', { task: 'x', files: [id] });
      const statuses = [];
      for (const ms of [MINUTE - 1, 1, MINUTE]) {
        await client.advance(ms);
        statuses.push(await sendWithFile());
      }
      return [...statuses, await client.sendForStatus('DELETE', `/file/${id}`)];
    },
    expected: { 0: [200, 200, 200, 200], [MINUTE]: [200, 404, 404, 404], [2 * MINUTE]: [200, 200, 404, 404] },
  },
};
