import { createForm } from '../mock/api.js';
import type { PointCases } from './case.js';
import { type PointClient, TOOL } from './client.js';

const createTools = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ ...TOOL, name: `tool-${n}` }));

/** Opens sessions until one is refused, at most 60. */
async function countSessions(client: PointClient, key: string): Promise<number> {
  for (let count = 0; count < 60; count++)
    if ((await client.sendForStatus('POST', '/task', { task: null }, { key })) !== 200) return count;
  return 60;
}

export const limits: PointCases = {
  'limits.rate': {
    async observe(client) {
      const statuses = [];
      for (let n = 0; n < 4; n++) statuses.push(await client.sendForStatus('GET', '/usage'));
      await client.advance(1000);
      return [...statuses, await client.sendForStatus('GET', '/usage')];
    },
    expected: { 0: [200, 200, 200, 200, 200], 2: [200, 200, 429, 429, 200], 3: [200, 200, 200, 429, 200] },
  },
  'limits.upload-size': {
    async observe(client) {
      const statuses = [];
      // The largest is larger than what the server reads of an upload.
      for (const size of [1024, 1025, 2048, 2049, 100_000]) {
        const form = createForm({ file: new Uint8Array(size) });
        statuses.push(await client.sendForStatus('POST', '/file', undefined, { form }));
      }
      return statuses;
    },
    expected: { 1024: [200, 413, 413, 413, 413], 2048: [200, 200, 200, 413, 413] },
  },
  'limits.body-size': {
    async observe(client) {
      const empty = JSON.stringify({ task: '' }).length;
      const statuses = [];
      for (const size of [1024, 1025, 2048, 2049])
        statuses.push(await client.sendForStatus('POST', '/task', { task: 'x'.repeat(size - empty) }));
      return statuses;
    },
    expected: { 1024: [200, 413, 413, 413], 2048: [200, 200, 200, 413] },
  },
  'limits.custom-tools': {
    async observe(client) {
      const statuses = [];
      for (const count of [1, 2, 128, 129])
        statuses.push(
          await client.sendForStatus('POST', '/task', { task: 'x', custom_tools: createTools(count) }),
        );
      return statuses;
    },
    expected: { 1: [200, 422, 422, 422], 2: [200, 200, 422, 422], 128: [200, 200, 200, 422] },
  },
  'limits.custom-tool-size': {
    async observe(client) {
      const sendTool = (tool: object) =>
        client.sendForStatus('POST', '/task', { task: 'x', custom_tools: [{ ...TOOL, ...tool }] });
      const long = 'x'.repeat(300 * 1024);
      const createExamples = (count: number) => ({
        examples: Array.from({ length: count - 2 }, (_, n) => n),
      });
      const nestSchema = (levels: number): object => (levels === 0 ? {} : { not: nestSchema(levels - 1) });
      return [
        await sendTool({ description: long }),
        await sendTool({ inputs: { description: long } }),
        [await sendTool({ inputs: createExamples(5000) }), await sendTool({ inputs: createExamples(5001) })],
        [await sendTool({ inputs: nestSchema(32) }), await sendTool({ inputs: nestSchema(33) })],
      ];
    },
    expected: { 'by-schema': [200, 422, [200, 422], [200, 422]] },
  },
  'limits.uploads': {
    async observe(client) {
      const statuses: Record<number, number> = {};
      for (let n = 1; n <= 10_001; n++) {
        const status = await client.sendForStatus('POST', '/profile', {});
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
      return statuses;
    },
    expected: { '10000': { 200: 10_000, 400: 1 } },
  },
  'limits.concurrent-sessions': {
    async observe(client) {
      const counts = [];
      for (const plan of ['free', 'starter', 'growth', 'enterprise']) {
        await client.send('POST', `/plan?plan=${plan}`, undefined, { key: plan });
        counts.push(await countSessions(client, plan));
      }
      const [last] = (await client.send('GET', '/task', undefined, { key: 'free' })).r;
      await client.send('DELETE', `/task/${last.id}`, undefined, { key: 'free' });
      return [...counts, await client.sendForStatus('POST', '/task', { task: null }, { key: 'free' })];
    },
    expected: { 'by-plan': [2, 5, 50, 60, 200], off: [60, 60, 60, 60, 200] },
  },
  'limits.max-steps-default': {
    async observe(client) {
      const id = await client.createSession({ custom_tools: createTools(40) });
      await client.sendAction(id, 'run_task', { task: 'Use your tools' });
      let event_t = 0;
      for (let calls = 0; calls <= 40; calls++) {
        await client.advance(1000);
        const [event] = (await client.poll(id, event_t)).r.events;
        if (event.name !== 'tool_call') return [calls, event.payload.code];
        event_t = event.timestamp;
        await client.reply(id, event.id);
      }
      return 'never ends';
    },
    expected: { '32': [32, 200] },
  },
  'limits.max-steps-maximum': {
    async observe(client) {
      const id = await client.createSession();
      for (const max_steps of [1, 2, 128, 129, 2.5])
        await client.sendAction(id, 'run_task', { task: 'x', max_steps }, { id: `steps-${max_steps}` });
      await client.advance(5000);
      // biome-ignore lint/suspicious/noExplicitAny: results of every shape
      const { events } = (await client.poll(id)).r as { events: any[] };
      return Object.fromEntries(events.map((event) => [event.id.slice(6), event.payload.code]));
    },
    expected: { '128': { 1: 400, 2: 200, 128: 200, 129: 400, 2.5: 400 } },
  },
};
