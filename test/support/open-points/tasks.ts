import { openapi } from '../../../spec/generated/documents.js';
import { type Cases, described, fieldsOf } from './case.js';

interface Node {
  properties: Record<string, Node>;
}

const nulls = (schema: Node) =>
  Object.fromEntries(Object.keys(schema.properties).map((name) => [name, null]));
const START_S = Date.UTC(2026, 0, 1) / 1000;
const FOREVER = [{ client: 'cancel' }];

/** What a task request takes, and what a task shows. */
export const tasks: Cases = {
  'task.fields': {
    async see(client) {
      const { TaskRequest, RunTaskPayload } = openapi.components.schemas as unknown as Record<string, Node>;
      const all = nulls(TaskRequest!);
      const id = await client.session(all);
      await client.action(id, 'run_task', { ...nulls(RunTaskPayload!.properties.input!), task: 'Do it' });
      await client.pass(1000);
      const bounds = { metadata: 5, max_steps: 1, device: 'x', agent: 'x', certificates: [{}], files: [1] };
      const refused = [];
      for (const [field, value] of Object.entries(bounds))
        refused.push(await client.status('POST', '/task', { [field]: value }));
      return [(await client.poll(id)).r.events[0].payload.code, refused];
    },
    seen: { 'as-described': [200, [422, 422, 422, 422, 422, 422]] },
  },
  'task.unknown-fields': {
    async see(client) {
      const known = await client.status('POST', '/task', { task: 'x', url: null });
      return [known, await client.status('POST', '/task', { task: 'x', colour: 'blue' })];
    },
    seen: { ignored: [200, 200], refused: [200, 422] },
  },
  'task.device-values': {
    async see(client) {
      const statuses = [];
      for (const device of ['desktop', 'mobile', 'desktop-lg', 'phone', 'Desktop'])
        statuses.push(await client.status('POST', '/task', { task: 'x', device }));
      return statuses;
    },
    seen: { 'known-three': [200, 200, 200, 422, 422] },
  },
  'task.url-form': {
    async see(client) {
      const id = await client.session({ url: null });
      const seen: unknown[] = [];
      for (const [n, url] of [
        'https://example.com/a b?q=é',
        'about:blank',
        'example.com',
        'not a url',
        '',
      ].entries()) {
        const statuses = [];
        statuses.push(await client.status('POST', '/task', { task: null, url }));
        statuses.push(await client.status('POST', '/browser/session', { url }));
        await client.action(id, 'goto', { url }, { id: `goto-${n}` });
        await client.action(id, 'run_task', { task: 'Read it', url }, { id: `run-${n}` });
        seen.push(statuses);
      }
      await client.pass(20_000);
      const codes = (await client.poll(id)).r.events.map(
        ({ payload }: { payload: { code: number } }) => payload.code,
      );
      return [...seen, codes];
    },
    seen: {
      absolute: [
        [200, 200],
        [200, 200],
        [422, 422],
        [422, 422],
        [422, 422],
        [200, 200, 200, 200, 400, 400, 400, 400, 400, 400],
      ],
      'any-text': [
        [200, 200],
        [200, 200],
        [200, 200],
        [200, 200],
        [200, 200],
        [200, 200, 200, 200, 200, 200, 200, 200, 400, 200],
      ],
    },
  },
  'task.response-fields': {
    async see(client) {
      const id = await client.task();
      return [fieldsOf((await client.send('GET', '/task')).r[0]), fieldsOf((await client.poll(id)).r)];
    },
    seen: { 'as-described': [described('TaskResponse'), described('TaskResponse')] },
  },
  'task.created-at': {
    async see(client) {
      await client.pass(1234);
      const id = await client.task();
      const listed = (await client.send('GET', '/task')).r[0].created_at;
      return [(await client.poll(id)).r.created_at ?? 'absent', listed ?? 'absent'];
    },
    seen: {
      seconds: [START_S + 1, START_S + 1],
      milliseconds: [START_S * 1000 + 1234, START_S * 1000 + 1234],
      absent: ['absent', 'absent'],
    },
  },
  'task.live-url-first': {
    async see(client) {
      const { r } = await client.send('POST', '/task', { task: null });
      await client.pass(1000);
      return [typeof r.live_url, typeof (await client.poll(r.id)).r.live_url];
    },
    seen: { 'at-once': ['string', 'string'], late: ['object', 'string'] },
  },
  'task.credits': {
    async see(client) {
      const said = await client.scripted([{ service: 'finish', credits_used: 7 }]);
      const event = { service: 'event', name: 'session_action', payload: {} };
      const still = await client.scripted([{ service: 'finish', at_once: true }]);
      const busy = await client.scripted([event, event, { service: 'finish', at_once: true }]);
      const credits = async (id: string) => (await client.poll(id)).r.credits_used;
      const session = await client.session();
      await client.action(session, 'run_task', { task: 'Read' });
      await client.pass(1000);
      await client.send('DELETE', `/task/${session}`);
      return [await credits(said), (await credits(busy)) > (await credits(still)), await credits(session)];
    },
    seen: { 'by-timeline': [7, true, 1] },
  },
  'task.visibility-default': {
    see: async (client) => (await client.send('GET', `/task/${await client.task()}/visibility`)).r,
    seen: { private: false },
  },
  'task.list-order': {
    async see(client) {
      const ids = [await client.task(), await client.task(), await client.task()];
      const listed = (await client.send('GET', '/task?l=2')).r;
      return listed.map(({ id }: { id: string }) => ids.indexOf(id));
    },
    seen: { 'newest-first': [2, 1], 'oldest-first': [0, 1] },
  },
  'task.list-t': {
    async see(client) {
      const ids: string[] = [];
      const middle = START_S + 10;
      for (const ms of [9_500, 500, 500, 500]) {
        await client.pass(ms);
        ids.push(await client.task());
      }
      const indexes = async (t: number) =>
        (await client.send('GET', `/task?t=${t}`)).r.map(({ id }: { id: string }) => ids.indexOf(id));
      return [await indexes(middle), await indexes(middle * 1000)];
    },
    // Created at 9.5, 10, 10.5 and 11 s and shown with 9, 10, 11 and 12 s, asked for 10 s in either unit.
    seen: {
      'created-before': [[0], [0]],
      'created-after': [
        [3, 2],
        [3, 2],
      ],
    },
  },
  'task.created-at-ties': {
    async see(client) {
      const ids = [await client.task(), await client.task(), await client.task()];
      const [newest] = (await client.send('GET', '/task?l=1')).r;
      const next = (await client.send('GET', `/task?t=${newest.created_at}`)).r;
      return [newest, ...next].map(({ id }: { id: string }) => ids.indexOf(id));
    },
    seen: { distinct: [2, 1, 0], shared: [2] },
  },
  'task.delete-finished': {
    async see(client) {
      const id = await client.scripted([{ service: 'finish' }]);
      return [await client.status('DELETE', `/task/${id}`), (await client.poll(id)).r.status];
    },
    seen: { '404': [404, 'done'], '400': [400, 'done'], '200': [200, 'done'] },
  },
  'task.delete-data-active': {
    async see(client) {
      const id = await client.scripted(FOREVER);
      return [await client.status('DELETE', `/task/${id}/data`), (await client.poll(id)).status];
    },
    seen: { '400': [400, 202], '404': [404, 202], '200': [200, 404] },
  },
  'task.after-data-deleted': {
    async see(client) {
      const id = await client.scripted([{ service: 'finish' }]);
      await client.send('DELETE', `/task/${id}/data`);
      return [(await client.poll(id)).status, (await client.send('GET', '/task')).r];
    },
    seen: { '404': [404, []] },
  },
};
