import type { PointCases } from './case.js';
import { type PointClient, TOOL } from './client.js';

const readStatus = async (client: PointClient, id: string) => (await client.poll(id)).r.status;
/** The state of a URL field: null, empty or an address. */
const classifyUrl = (value: string | null) => (value === '' || value === null ? value : 'address');

/** Start and completion of tasks, and completed tasks. */
export const ends: PointCases = {
  'task.first-status': {
    async observe(client) {
      const improvised = (await client.send('POST', '/task', { task: 'x' })).r;
      const scripted = await client.createScriptedTask([{ service: 'finish', after: '1m' }]);
      const before = [improvised.status, await readStatus(client, scripted)];
      await client.advance(600);
      return [...before, await readStatus(client, scripted)];
    },
    expected: { running: ['running', 'running', 'running'], waiting: ['waiting', 'waiting', 'running'] },
  },
  'task.waiting-ends': {
    async observe(client) {
      const steps = [
        { service: 'status', status: 'waiting' },
        { service: 'status', status: 'running', after: '5s' },
      ];
      const scripted = await client.createScriptedTask([...steps, { service: 'finish', after: '1m' }]);
      const plain = await client.createSession();
      const stopped = await client.createSession();
      const readStatuses = async () => [await readStatus(client, scripted), await readStatus(client, plain)];
      const seen = [await readStatuses()];
      await client.send('DELETE', `/task/${stopped}`);
      await client.advance(600);
      seen.push(await readStatuses());
      await client.advance(4400);
      seen.push(await readStatuses());
      return [...seen, await readStatus(client, stopped)];
    },
    expected: {
      'by-timeline': [['waiting', 'waiting'], ['waiting', 'running'], ['running', 'running'], 'cancelled'],
    },
    given: { 'task.first-status': 'waiting' },
  },
  'task.ending': {
    async observe(client) {
      const failed = await client.createScriptedTask([{ service: 'finish', status: 'failed' }]);
      const improvised = await client.createTask();
      const refused = await client.createTask({ task: 'Do it', custom_tools: [TOOL] });
      for (let replies = 0; replies < 2; replies++) {
        await client.advance(1000);
        await client.reply(refused, (await client.poll(refused)).r.events[replies].id, 500, 'down');
      }
      await client.advance(60_000);
      return [
        await readStatus(client, failed),
        await readStatus(client, improvised),
        await readStatus(client, refused),
      ];
    },
    expected: { 'by-timeline': ['failed', 'done', 'failed'] },
  },
  'session.status-after-close': {
    async observe(client) {
      const id = await client.createSession();
      await client.sendAction(id, 'close');
      await client.advance(3000);
      return readStatus(client, id);
    },
    expected: { done: 'done', cancelled: 'cancelled' },
  },
  'task.recording-states': {
    async observe(client) {
      const recorded = await client.createScriptedTask([{ service: 'finish' }]);
      const unrecorded = await client.createScriptedTask([{ service: 'finish' }], {
        enable_recording: false,
      });
      const readRecordingState = async (id: string) => classifyUrl((await client.poll(id)).r.recording_url);
      const before = await readRecordingState(recorded);
      await client.advance(1000);
      return [before, await readRecordingState(recorded), await readRecordingState(unrecorded)];
    },
    expected: { 'three-states': [null, 'address', ''] },
    given: { 'recording.delay': 1000 },
  },
  'recording.delay': {
    async observe(client) {
      const id = await client.createScriptedTask([{ service: 'finish' }]);
      const states = [];
      for (const ms of [0, 999, 1, 4000]) {
        await client.advance(ms);
        states.push(classifyUrl((await client.poll(id)).r.recording_url));
      }
      return states;
    },
    expected: {
      0: ['address', 'address', 'address', 'address'],
      1000: [null, null, 'address', 'address'],
      5000: [null, null, null, 'address'],
    },
  },
  'task.downloads-field': {
    async observe(client) {
      const id = await client.createScriptedTask([{ service: 'finish', after: '1s' }]);
      const without = await client.createScriptedTask([
        { service: 'downloads_url', value: '' },
        { service: 'finish' },
      ]);
      const readDownloadsState = async (task: string) =>
        classifyUrl((await client.poll(task, 0, '&downloads=true')).r.downloads_url);
      const before = await readDownloadsState(id);
      await client.advance(1000);
      return [before, await readDownloadsState(id), await readDownloadsState(without)];
    },
    expected: { downloads_url: [null, 'address', ''] },
  },
};
