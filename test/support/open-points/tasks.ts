import { openapi } from '../../../spec/generated/documents.js';
import { listDescribedFields, listFields, type PointCases } from './case.js';

interface RecordSchema {
  properties: Record<string, RecordSchema>;
}

const createNulls = (schema: RecordSchema) =>
  Object.fromEntries(Object.keys(schema.properties).map((name) => [name, null]));
const START_S = Date.UTC(2026, 0, 1) / 1000;
const FOREVER = [{ client: 'cancel' }];

/** Requests for tasks, and the task in responses. */
export const tasks: PointCases = {
  'task.fields': {
    async observe(client) {
      const { TaskRequest, RunTaskPayload } = openapi.components.schemas as unknown as Record<
        string,
        RecordSchema
      >;
      const all = createNulls(TaskRequest!);
      const id = await client.createSession(all);
      await client.sendAction(id, 'run_task', {
        ...createNulls(RunTaskPayload!.properties.input!),
        task: 'Do it',
      });
      await client.advance(1000);
      const bounds = { metadata: 5, max_steps: 1, device: 'x', agent: 'x', certificates: [{}], files: [1] };
      const refused = [];
      for (const [field, value] of Object.entries(bounds))
        refused.push(await client.sendForStatus('POST', '/task', { [field]: value }));
      return [(await client.poll(id)).r.events[0].payload.code, refused];
    },
    expected: { 'as-described': [200, [422, 422, 422, 422, 422, 422]] },
  },
  'task.unknown-fields': {
    async observe(client) {
      const known = await client.sendForStatus('POST', '/task', { task: 'x', url: null });
      return [known, await client.sendForStatus('POST', '/task', { task: 'x', colour: 'blue' })];
    },
    expected: { ignored: [200, 200], refused: [200, 422] },
  },
  'task.device-values': {
    async observe(client) {
      const statuses = [];
      for (const device of ['desktop', 'mobile', 'desktop-lg', 'phone', 'Desktop'])
        statuses.push(await client.sendForStatus('POST', '/task', { task: 'x', device }));
      return statuses;
    },
    expected: { 'known-three': [200, 200, 200, 422, 422] },
  },
  'task.url-form': {
    async observe(client) {
      const id = await client.createSession({ url: null });
      const seen: unknown[] = [];
      for (const [n, url] of [
        'https://example.com/a b?q=é',
        'about:blank',
        'example.com',
        'not a url',
        '',
      ].entries()) {
        const statuses = [];
        statuses.push(await client.sendForStatus('POST', '/task', { task: null, url }));
        statuses.push(await client.sendForStatus('POST', '/browser/session', { url }));
        await client.sendAction(id, 'goto', { url }, { id: `goto-${n}` });
        await client.sendAction(id, 'run_task', { task: 'Read it', url }, { id: `run-${n}` });
        seen.push(statuses);
      }
      await client.advance(20_000);
      const codes = (await client.poll(id)).r.events.map(
        ({ payload }: { payload: { code: number } }) => payload.code,
      );
      return [...seen, codes];
    },
    expected: {
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
    async observe(client) {
      const id = await client.createTask();
      return [listFields((await client.send('GET', '/task')).r[0]), listFields((await client.poll(id)).r)];
    },
    expected: { 'as-described': [listDescribedFields('TaskResponse'), listDescribedFields('TaskResponse')] },
  },
  'task.created-at': {
    async observe(client) {
      await client.advance(1234);
      const id = await client.createTask();
      const listed = (await client.send('GET', '/task')).r[0].created_at;
      return [(await client.poll(id)).r.created_at ?? 'absent', listed ?? 'absent'];
    },
    expected: {
      seconds: [START_S + 1, START_S + 1],
      milliseconds: [START_S * 1000 + 1234, START_S * 1000 + 1234],
      absent: ['absent', 'absent'],
    },
  },
  'task.live-url-first': {
    async observe(client) {
      const { r } = await client.send('POST', '/task', { task: null });
      await client.advance(1000);
      return [typeof r.live_url, typeof (await client.poll(r.id)).r.live_url];
    },
    expected: { 'at-once': ['string', 'string'], late: ['object', 'string'] },
  },
  'task.credits': {
    async observe(client) {
      const said = await client.createScriptedTask([{ service: 'finish', credits_used: 7 }]);
      const event = { service: 'event', name: 'session_action', payload: {} };
      const still = await client.createScriptedTask([{ service: 'finish', at_once: true }]);
      const busy = await client.createScriptedTask([event, event, { service: 'finish', at_once: true }]);
      const readCredits = async (id: string) => (await client.poll(id)).r.credits_used;
      const session = await client.createSession();
      await client.sendAction(session, 'run_task', { task: 'Read' });
      await client.advance(1000);
      await client.send('DELETE', `/task/${session}`);
      return [
        await readCredits(said),
        (await readCredits(busy)) > (await readCredits(still)),
        await readCredits(session),
      ];
    },
    expected: { 'by-timeline': [7, true, 1] },
  },
  'task.visibility-default': {
    observe: async (client) => (await client.send('GET', `/task/${await client.createTask()}/visibility`)).r,
    expected: { private: false },
  },
  'task.list-order': {
    async observe(client) {
      const ids = [await client.createTask(), await client.createTask(), await client.createTask()];
      const listed = (await client.send('GET', '/task?l=2')).r;
      return listed.map(({ id }: { id: string }) => ids.indexOf(id));
    },
    expected: { 'newest-first': [2, 1], 'oldest-first': [0, 1] },
  },
  'task.list-t': {
    async observe(client) {
      const ids: string[] = [];
      const middle = START_S + 10;
      for (const ms of [9_500, 500, 500, 500]) {
        await client.advance(ms);
        ids.push(await client.createTask());
      }
      const listIndexes = async (t: number) =>
        (await client.send('GET', `/task?t=${t}`)).r.map(({ id }: { id: string }) => ids.indexOf(id));
      return [await listIndexes(middle), await listIndexes(middle * 1000)];
    },
    // Created at 9.5, 10, 10.5 and 11 s and shown with 9, 10, 11 and 12 s; the query is 10 s in either unit.
    expected: {
      'created-before': [[0], [0]],
      'created-after': [
        [3, 2],
        [3, 2],
      ],
    },
  },
  'task.created-at-ties': {
    async observe(client) {
      const ids = [await client.createTask(), await client.createTask(), await client.createTask()];
      const [newest] = (await client.send('GET', '/task?l=1')).r;
      const next = (await client.send('GET', `/task?t=${newest.created_at}`)).r;
      return [newest, ...next].map(({ id }: { id: string }) => ids.indexOf(id));
    },
    expected: { distinct: [2, 1, 0], shared: [2] },
  },
  'task.delete-finished': {
    async observe(client) {
      const id = await client.createScriptedTask([{ service: 'finish' }]);
      return [await client.sendForStatus('DELETE', `/task/${id}`), (await client.poll(id)).r.status];
    },
    expected: { '404': [404, 'done'], '400': [400, 'done'], '200': [200, 'done'] },
  },
  'task.delete-data-active': {
    async observe(client) {
      const id = await client.createScriptedTask(FOREVER);
      return [await client.sendForStatus('DELETE', `/task/${id}/data`), (await client.poll(id)).status];
    },
    expected: { '400': [400, 202], '404': [404, 202], '200': [200, 404] },
  },
  'task.after-data-deleted': {
    async observe(client) {
      const id = await client.createScriptedTask([{ service: 'finish' }]);
      await client.send('DELETE', `/task/${id}/data`);
      return [(await client.poll(id)).status, (await client.send('GET', '/task')).r];
    },
    expected: { '404': [404, []] },
  },
};
