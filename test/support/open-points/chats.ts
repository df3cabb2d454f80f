import { serviceOf } from '../../../mock/service.js';
import { formOf } from '../mock/api.js';
import { type Cases, described, fieldsOf } from './case.js';
import type { Client } from './client.js';

/** A chat in a workspace of its own, begun by a task. */
async function chat(client: Client, query = '') {
  const headers = await client.workspace();
  const begun = await client.send('POST', `/task/zero${query}`, { task: 'Hello' }, { headers });
  const say = async (parts: Parameters<typeof formOf>[0], more = '') =>
    client.send('POST', `/chat/message${more}`, undefined, { headers, form: formOf(parts) });
  const list = async (more = '') =>
    (await client.send('GET', `/chat${more}`, undefined, { headers })).body.chats.map(
      ({ t }: { t: number }) => t,
    );
  const read = async (more = '') =>
    (await client.send('GET', `/chat/message${more}`, undefined, { headers: { 'chat-id': begun.body.id } }))
      .body;
  return { headers, status: begun.status, body: begun.body, say, list, read };
}

/** Chats, messages, and what they carry. */
export const chats: Cases = {
  'chat.limit-not-positive': {
    async see(client) {
      const headers = await client.workspace();
      await client.send('POST', '/task/zero', { task: 'x' }, { headers });
      const seen = [];
      for (const limit of [1, 0, -1]) {
        const { status, body } = await client.send('GET', `/chat?limit=${limit}`, undefined, { headers });
        seen.push(body.chats?.length ?? status);
      }
      return seen;
    },
    seen: { empty: [1, 0, 0], refused: [1, 422, 422] },
  },
  'record.chat': {
    async see(client) {
      const { body, headers } = await chat(client);
      const untold = await client.status('POST', '/task/zero', { title: 'x' }, { headers });
      return [
        fieldsOf(body),
        fieldsOf((await client.send('GET', '/chat', undefined, { headers })).body),
        untold,
      ];
    },
    seen: { 'as-described': [described('ChatResponse'), described('ChatResponses'), 422] },
  },
  'resource.states': {
    async see(client) {
      const { body, headers } = await chat(client);
      await client.pass(60_000);
      const later = (await client.send('GET', `/chat/id?t=${body.t}`, undefined, { headers })).body;
      return [body.status, later.status];
    },
    seen: { 'as-described': ['running', 'idle'] },
    given: { 'request.approval': 'not-needed' },
  },
  'chat.task-type': {
    async see(client) {
      return [
        (await chat(client, '?task_type=task')).status,
        (await chat(client, '?task_type=anything')).status,
      ];
    },
    seen: { 'any-text': [200, 200] },
  },
  'chat.t': {
    async see(client) {
      const { body, list, headers } = await chat(client);
      const [said, answer] = body.messages;
      const after = (await client.send('GET', `/chat/id?t=${body.t}&msg=${said.t}`, undefined, { headers }))
        .body;
      const messages = after.messages.map(({ t }: { t: number }) => t === answer.t);
      const lists = [await list(), await list(`?t=${body.t}`), await list(`?t=${body.t + 1}`)];
      const unknown = await client.status('GET', `/chat/id?t=${body.t + 1}`, undefined, { headers });
      return [body.t === client.mock.clock.now('test'), lists.map(({ length }) => length), messages, unknown];
    },
    seen: { 'creation-time': [true, [1, 0, 1], [true], 404] },
  },
  'message.t': {
    async see(client) {
      const { body, say, list, read } = await chat(client);
      await say({ message: 'More' }, `?t=${body.t}`);
      const [chatsBefore] = [(await list()).length];
      await client.pass(1);
      await say({ message: 'Another' });
      const { messages } = await read();
      return [
        chatsBefore,
        (await list()).length,
        messages.length,
        (await read(`?t=${messages[1].t}`)).messages.length,
      ];
    },
    seen: { 'creation-time': [1, 2, 4, 2] },
  },
  'record.message': {
    async see(client) {
      const { read } = await chat(client);
      const body = await read();
      return [fieldsOf(body), fieldsOf(body.messages[0]), fieldsOf(body.messages[1].requests[0])];
    },
    seen: {
      'as-described': [described('MessagesResponse'), described('Message'), described('MessageRequest')],
    },
  },
  'message.part-names': {
    async see(client) {
      const { say } = await chat(client);
      const files = [new File(['a'], 'a.txt'), new File(['b'], 'b.txt')];
      const { body } = await say({ message: 'Look', files });
      const untold = (await say({ text: 'Look' })).status;
      return [body.messages[0].attachments.map(({ name }: { name: string }) => name), untold];
    },
    seen: { 'message-and-files': [['a.txt', 'b.txt'], 422] },
  },
  'request.statuses': {
    async see(client) {
      const { body } = await chat(client);
      const [request] = body.messages[1].requests;
      const statuses = [request.status];
      for (const status of ['approved', 'thinking%20about%20it']) {
        const query = `id=${request.id}&t=${request.t}&status=${status}`;
        const answer = await client.send('PUT', `/request/id?${query}`, undefined, {
          headers: { 'chat-id': body.id },
        });
        statuses.push(answer.body.messages[1].requests[0].status);
      }
      return statuses;
    },
    seen: { 'any-text': ['pending', 'approved', 'thinking about it'] },
  },
  'request.approval': {
    async see(client) {
      const { body, read } = await chat(client);
      await client.pass(60_000);
      const outcome = async () => {
        const { messages } = await read();
        return [messages[1].content === '', messages[1].requests[0].status];
      };
      const before = await outcome();
      const [{ id, t }] = body.messages[1].requests;
      await client.send('PUT', `/request/id?id=${id}&t=${t}&status=approved`, undefined, {
        headers: { 'chat-id': body.id },
      });
      await client.pass(60_000);
      return [before, await outcome()];
    },
    seen: {
      waits: [
        [true, 'pending'],
        [false, 'approved'],
      ],
      'not-needed': [
        [false, 'approved'],
        [false, 'approved'],
      ],
    },
  },
  'request.of-finished-task': {
    async see(client) {
      const { body, read } = await chat(client);
      await client.send('DELETE', `/task/${body.task_id}`);
      const [{ id, t }] = body.messages[1].requests;
      const headers = { 'chat-id': body.id };
      const put = (status: string) =>
        client.status('PUT', `/request/id?id=${id}&t=${t}&status=${status}`, undefined, { headers });
      const statuses = [await put('approved'), await put('rejected')];
      return [...statuses, (await read()).messages[1].requests[0].status];
    },
    seen: { '400': [400, 200, 'rejected'], '200': [200, 200, 'rejected'] },
  },
  'chat.context': {
    async see(client) {
      const { body: first, say, headers, read } = await chat(client);
      await client.send('POST', '/sop', { title: 'Refunds', content: 'Ask.' }, { headers });
      const file = new File(['x'], 'a.txt');
      const { body } = await say({ message: 'Look', files: [file] }, `?t=${first.t}`);
      const task = serviceOf(client.mock).organisations.get('test')!.tasks.get(body.task_id)!;
      const [{ id, t }] = body.messages.at(-1).requests;
      await client.send('PUT', `/request/id?id=${id}&t=${t}&status=approved`, undefined, {
        headers: { 'chat-id': body.id },
      });
      await client.pass(60_000);
      const { content } = (await read()).messages.at(-1);
      return [
        task.request.sops,
        task.request.attachments,
        content.includes('"Refunds"'),
        content.includes('"a.txt"'),
      ];
    },
    seen: { 'named-in-output': [['Refunds'], ['a.txt'], true, true] },
  },
  'record.attachment': {
    async see(client) {
      const { say, headers } = await chat(client);
      const file = new File(['old'], 'a.txt', { type: 'text/plain' });
      const [summary] = (await say({ message: 'Look', files: [file] })).body.messages[0].attachments;
      const selected = { ...headers, 'attachment-id': summary.id };
      const changes = { name: 'b.txt', content: 'new' };
      await client.send('POST', `/attachment?t=${summary.t}`, changes, { headers: selected });
      const { r } = await client.send('GET', '/attachment', undefined, { headers: selected });
      return [fieldsOf(summary), fieldsOf(r), r.name, r.content];
    },
    seen: {
      'as-described': [described('AttachmentSummary'), described('AttachmentResponse'), 'b.txt', 'new'],
    },
  },
  'attachment.t': {
    async see(client) {
      const { say, headers } = await chat(client);
      const { body } = await say({ message: 'Look', files: [new File(['x'], 'a.txt')] });
      const [{ id, t }] = body.messages[0].attachments;
      const update = (at: number) =>
        client.status('POST', `/attachment?t=${at}`, {}, { headers: { ...headers, 'attachment-id': id } });
      return [t - client.mock.clock.now('test'), await update(t), await update(t + 1)];
    },
    seen: { 'creation-time': [0, 200, 404] },
  },
};
