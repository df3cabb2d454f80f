import type { Cases } from './case.js';
import type { Client } from './client.js';

const MINUTE = 60_000;
const isOver = async (client: Client, id: string) => (await client.poll(id)).status === 200;

export const timeouts: Cases = {
  'session.idle-timeout': {
    async see(client) {
      // Each poll, action or reply begins the time anew.
      const polled = await client.session();
      const acted = await client.session();
      const left = await client.session();
      const longLeft = await client.session();
      for (const n of [1, 2]) {
        await client.pass(MINUTE - 1);
        await client.poll(polled);
        await client.action(acted, 'goto', { url: 'https://example.com' }, { id: `a${n}` });
      }
      const seen = [await isOver(client, polled), await isOver(client, acted), await isOver(client, left)];
      await client.pass(2);
      return [...seen, await isOver(client, longLeft)];
    },
    seen: {
      0: [false, false, false, false],
      [MINUTE]: [false, false, true, true],
      [2 * MINUTE]: [false, false, false, true],
    },
  },
  'session.total-timeout': {
    async see(client) {
      const session = await client.session();
      const task = await client.scripted([{ client: 'cancel' }]);
      const seen = [];
      for (const ms of [MINUTE - 1, 1, MINUTE]) {
        await client.pass(ms);
        seen.push(await isOver(client, session));
      }
      return [...seen, await isOver(client, task)];
    },
    seen: {
      0: [false, false, false, false],
      [MINUTE]: [false, true, true, false],
      [2 * MINUTE]: [false, false, true, false],
    },
  },
  'task.idle-timeout': {
    async see(client) {
      const task = await client.scripted([{ client: 'cancel' }]);
      await client.pass(24 * 60 * MINUTE - 1);
      return isOver(client, task);
    },
    seen: { never: false },
  },
  'task.total-timeout': {
    async see(client) {
      const session = await client.session();
      const task = await client.scripted([{ client: 'cancel' }]);
      const seen = [];
      for (const ms of [MINUTE - 1, 1, MINUTE]) {
        await client.pass(ms);
        seen.push(await isOver(client, task));
      }
      return [...seen, await isOver(client, session)];
    },
    seen: {
      0: [false, false, false, false],
      [MINUTE]: [false, true, true, false],
      [2 * MINUTE]: [false, false, true, false],
    },
  },
  'file.retention': {
    async see(client) {
      const form = new FormData();
      form.append('file', new Blob(['x']), 'x.txt');
      const { id } = (await client.send('POST', '/file', undefined, { form })).r;
      const uses = () => client.status('POST', '/task', { task: 'x', files: [id] });
      const statuses = [];
      for (const ms of [MINUTE - 1, 1, MINUTE]) {
        await client.pass(ms);
        statuses.push(await uses());
      }
      return [...statuses, await client.status('DELETE', `/file/${id}`)];
    },
    seen: { 0: [200, 200, 200, 200], [MINUTE]: [200, 404, 404, 404], [2 * MINUTE]: [200, 200, 404, 404] },
  },
};
