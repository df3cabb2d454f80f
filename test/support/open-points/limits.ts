import { formOf } from '../mock/api.js';
import type { Cases } from './case.js';
import { type Client, TOOL } from './client.js';

const tools = (count: number) => Array.from({ length: count }, (_, n) => ({ ...TOOL, name: `tool-${n}` }));

/** How many sessions can be opened, up to 60. */
async function open(client: Client, key: string): Promise<number> {
  for (let count = 0; count < 60; count++)
    if ((await client.status('POST', '/task', { task: null }, { key })) !== 200) return count;
  return 60;
}

export const limits: Cases = {
  'limits.rate': {
    async see(client) {
      const statuses = [];
      for (let n = 0; n < 4; n++) statuses.push(await client.status('GET', '/usage'));
      await client.pass(1000);
      return [...statuses, await client.status('GET', '/usage')];
    },
    seen: { 0: [200, 200, 200, 200, 200], 2: [200, 200, 429, 429, 200], 3: [200, 200, 200, 429, 200] },
  },
  'limits.upload-size': {
    async see(client) {
      const statuses = [];
      // The largest goes beyond what the door reads of an upload.
      for (const size of [1024, 1025, 2048, 2049, 100_000]) {
        const form = formOf({ file: new Uint8Array(size) });
        statuses.push(await client.status('POST', '/file', undefined, { form }));
      }
      return statuses;
    },
    seen: { 1024: [200, 413, 413, 413, 413], 2048: [200, 200, 200, 413, 413] },
  },
  'limits.body-size': {
    async see(client) {
      const empty = JSON.stringify({ task: '' }).length;
      const statuses = [];
      for (const size of [1024, 1025, 2048, 2049])
        statuses.push(await client.status('POST', '/task', { task: 'x'.repeat(size - empty) }));
      return statuses;
    },
    seen: { 1024: [200, 413, 413, 413], 2048: [200, 200, 200, 413] },
  },
  'limits.custom-tools': {
    async see(client) {
      const statuses = [];
      for (const count of [1, 2, 128, 129])
        statuses.push(await client.status('POST', '/task', { task: 'x', custom_tools: tools(count) }));
      return statuses;
    },
    seen: { 1: [200, 422, 422, 422], 2: [200, 200, 422, 422], 128: [200, 200, 200, 422] },
  },
  'limits.custom-tool-size': {
    async see(client) {
      const status = (tool: object) =>
        client.status('POST', '/task', { task: 'x', custom_tools: [{ ...TOOL, ...tool }] });
      const long = 'x'.repeat(300 * 1024);
      const values = (count: number) => ({ examples: Array.from({ length: count - 2 }, (_, n) => n) });
      const deep = (levels: number): object => (levels === 0 ? {} : { not: deep(levels - 1) });
      return [
        await status({ description: long }),
        await status({ inputs: { description: long } }),
        [await status({ inputs: values(5000) }), await status({ inputs: values(5001) })],
        [await status({ inputs: deep(32) }), await status({ inputs: deep(33) })],
      ];
    },
    seen: { 'by-schema': [200, 422, [200, 422], [200, 422]] },
  },
  'limits.uploads': {
    async see(client) {
      const statuses: Record<number, number> = {};
      for (let n = 1; n <= 10_001; n++) {
        const status = await client.status('POST', '/profile', {});
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
      return statuses;
    },
    seen: { '10000': { 200: 10_000, 400: 1 } },
  },
  'limits.concurrent-sessions': {
    async see(client) {
      const counts = [];
      for (const plan of ['free', 'starter', 'growth', 'enterprise']) {
        await client.send('POST', `/plan?plan=${plan}`, undefined, { key: plan });
        counts.push(await open(client, plan));
      }
      const [last] = (await client.send('GET', '/task', undefined, { key: 'free' })).r;
      await client.send('DELETE', `/task/${last.id}`, undefined, { key: 'free' });
      return [...counts, await client.status('POST', '/task', { task: null }, { key: 'free' })];
    },
    seen: { 'by-plan': [2, 5, 50, 60, 200], off: [60, 60, 60, 60, 200] },
  },
  'limits.max-steps-default': {
    async see(client) {
      const id = await client.session({ custom_tools: tools(40) });
      await client.action(id, 'run_task', { task: 'Use your tools' });
      let event_t = 0;
      for (let calls = 0; calls <= 40; calls++) {
        await client.pass(1000);
        const [event] = (await client.poll(id, event_t)).r.events;
        if (event.name !== 'tool_call') return [calls, event.payload.code];
        event_t = event.timestamp;
        await client.reply(id, event.id);
      }
      return 'never ends';
    },
    seen: { '32': [32, 200] },
  },
  'limits.max-steps-maximum': {
    async see(client) {
      const id = await client.session();
      for (const max_steps of [1, 2, 128, 129, 2.5])
        await client.action(id, 'run_task', { task: 'x', max_steps }, { id: `steps-${max_steps}` });
      await client.pass(5000);
      // biome-ignore lint/suspicious/noExplicitAny: results of every shape
      const { events } = (await client.poll(id)).r as { events: any[] };
      return Object.fromEntries(events.map((event) => [event.id.slice(6), event.payload.code]));
    },
    seen: { '128': { 1: 400, 2: 200, 128: 200, 129: 400, 2.5: 400 } },
  },
};
