import type { Cases } from './case.js';
import { type Client, TOOL } from './client.js';

const statusOf = async (client: Client, id: string) => (await client.poll(id)).r.status;
/** What a field with three states holds. */
const state = (value: string | null) => (value === '' || value === null ? value : 'address');

/** How tasks begin and end, and what there is once they have ended. */
export const ends: Cases = {
  'task.first-status': {
    async see(client) {
      const improvised = (await client.send('POST', '/task', { task: 'x' })).r;
      const scripted = await client.scripted([{ service: 'finish', after: '1m' }]);
      const before = [improvised.status, await statusOf(client, scripted)];
      await client.pass(600);
      return [...before, await statusOf(client, scripted)];
    },
    seen: { running: ['running', 'running', 'running'], waiting: ['waiting', 'waiting', 'running'] },
  },
  'task.waiting-ends': {
    async see(client) {
      const steps = [
        { service: 'status', status: 'waiting' },
        { service: 'status', status: 'running', after: '5s' },
      ];
      const scripted = await client.scripted([...steps, { service: 'finish', after: '1m' }]);
      const plain = await client.session();
      const stopped = await client.session();
      const all = async () => [await statusOf(client, scripted), await statusOf(client, plain)];
      const seen = [await all()];
      await client.send('DELETE', `/task/${stopped}`);
      await client.pass(600);
      seen.push(await all());
      await client.pass(4400);
      seen.push(await all());
      return [...seen, await statusOf(client, stopped)];
    },
    seen: {
      'by-timeline': [['waiting', 'waiting'], ['waiting', 'running'], ['running', 'running'], 'cancelled'],
    },
    given: { 'task.first-status': 'waiting' },
  },
  'task.ending': {
    async see(client) {
      const failed = await client.scripted([{ service: 'finish', status: 'failed' }]);
      const improvised = await client.task();
      const refused = await client.task({ task: 'Do it', custom_tools: [TOOL] });
      for (let replies = 0; replies < 2; replies++) {
        await client.pass(1000);
        await client.reply(refused, (await client.poll(refused)).r.events[replies].id, 500, 'down');
      }
      await client.pass(60_000);
      return [
        await statusOf(client, failed),
        await statusOf(client, improvised),
        await statusOf(client, refused),
      ];
    },
    seen: { 'by-timeline': ['failed', 'done', 'failed'] },
  },
  'session.status-after-close': {
    async see(client) {
      const id = await client.session();
      await client.action(id, 'close');
      await client.pass(3000);
      return statusOf(client, id);
    },
    seen: { done: 'done', cancelled: 'cancelled' },
  },
  'task.recording-states': {
    async see(client) {
      const recorded = await client.scripted([{ service: 'finish' }]);
      const unrecorded = await client.scripted([{ service: 'finish' }], { enable_recording: false });
      const states = async (id: string) => state((await client.poll(id)).r.recording_url);
      const before = await states(recorded);
      await client.pass(1000);
      return [before, await states(recorded), await states(unrecorded)];
    },
    seen: { 'three-states': [null, 'address', ''] },
    given: { 'recording.delay': 1000 },
  },
  'recording.delay': {
    async see(client) {
      const id = await client.scripted([{ service: 'finish' }]);
      const states = [];
      for (const ms of [0, 999, 1, 4000]) {
        await client.pass(ms);
        states.push(state((await client.poll(id)).r.recording_url));
      }
      return states;
    },
    seen: {
      0: ['address', 'address', 'address', 'address'],
      1000: [null, null, 'address', 'address'],
      5000: [null, null, null, 'address'],
    },
  },
  'task.downloads-field': {
    async see(client) {
      const id = await client.scripted([{ service: 'finish', after: '1s' }]);
      const without = await client.scripted([{ service: 'downloads_url', value: '' }, { service: 'finish' }]);
      const downloads = async (task: string) =>
        state((await client.poll(task, 0, '&downloads=true')).r.downloads_url);
      const before = await downloads(id);
      await client.pass(1000);
      return [before, await downloads(id), await downloads(without)];
    },
    seen: { downloads_url: [null, 'address', ''] },
  },
};
