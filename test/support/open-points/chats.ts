import { getService } from '../../../mock/service.js';
import { createForm } from '../mock/api.js';
import { listDescribedFields, listFields, type PointCases } from './case.js';
import type { PointClient } from './client.js';

/** Starts a chat by a task in a new workspace. */
async function startChat(client: PointClient, query = '') {
  const headers = await client.createWorkspace();
  const begun = await client.send('POST', `/task/zero${query}`, { task: 'Hello' }, { headers });
  const sendMessage = async (parts: Parameters<typeof createForm>[0], more = '') =>
    client.send('POST', `/chat/message${more}`, undefined, { headers, form: createForm(parts) });
  const list = async (more = '') =>
    (await client.send('GET', `/chat${more}`, undefined, { headers })).body.chats.map(
      ({ t }: { t: number }) => t,
    );
  const read = async (more = '') =>
    (await client.send('GET', `/chat/message${more}`, undefined, { headers: { 'chat-id': begun.body.id } }))
      .body;
  return { headers, status: begun.status, body: begun.body, say: sendMessage, list, read };
}

/** Chats, messages and attachments. */
export const chats: PointCases = {
  'chat.limit-not-positive': {
    async observe(client) {
      const headers = await client.createWorkspace();
      await client.send('POST', '/task/zero', { task: 'x' }, { headers });
      const seen = [];
      for (const limit of [1, 0, -1]) {
        const { status, body } = await client.send('GET', `/chat?limit=${limit}`, undefined, { headers });
        seen.push(body.chats?.length ?? status);
      }
      return seen;
    },
    expected: { empty: [1, 0, 0], refused: [1, 422, 422] },
  },
  'record.chat': {
    async observe(client) {
      const { body, headers } = await startChat(client);
      const untold = await client.sendForStatus('POST', '/task/zero', { title: 'x' }, { headers });
      return [
        listFields(body),
        listFields((await client.send('GET', '/chat', undefined, { headers })).body),
        untold,
      ];
    },
    expected: {
      'as-described': [listDescribedFields('ChatResponse'), listDescribedFields('ChatResponses'), 422],
    },
  },
  'resource.states': {
    async observe(client) {
      const { body, headers } = await startChat(client);
      await client.advance(60_000);
      const later = (await client.send('GET', `/chat/id?t=${body.t}`, undefined, { headers })).body;
      return [body.status, later.status];
    },
    expected: { 'as-described': ['running', 'idle'] },
    given: { 'request.approval': 'not-needed' },
  },
  'chat.task-type': {
    async observe(client) {
      return [
        (await startChat(client, '?task_type=task')).status,
        (await startChat(client, '?task_type=anything')).status,
      ];
    },
    expected: { 'any-text': [200, 200] },
  },
  'chat.t': {
    async observe(client) {
      const { body, list, headers } = await startChat(client);
      const [message, response] = body.messages;
      const after = (
        await client.send('GET', `/chat/id?t=${body.t}&msg=${message.t}`, undefined, { headers })
      ).body;
      const messages = after.messages.map(({ t }: { t: number }) => t === response.t);
      const lists = [await list(), await list(`?t=${body.t}`), await list(`?t=${body.t + 1}`)];
      const unknown = await client.sendForStatus('GET', `/chat/id?t=${body.t + 1}`, undefined, { headers });
      return [body.t === client.mock.clock.now('test'), lists.map(({ length }) => length), messages, unknown];
    },
    expected: { 'creation-time': [true, [1, 0, 1], [true], 404] },
  },
  'message.t': {
    async observe(client) {
      const { body, say, list, read } = await startChat(client);
      await say({ message: 'More' }, `?t=${body.t}`);
      const [chatsBefore] = [(await list()).length];
      await client.advance(1);
      await say({ message: 'Another' });
      const { messages } = await read();
      return [
        chatsBefore,
        (await list()).length,
        messages.length,
        (await read(`?t=${messages[1].t}`)).messages.length,
      ];
    },
    expected: { 'creation-time': [1, 2, 4, 2] },
  },
  'record.message': {
    async observe(client) {
      const { read } = await startChat(client);
      const body = await read();
      return [listFields(body), listFields(body.messages[0]), listFields(body.messages[1].requests[0])];
    },
    expected: {
      'as-described': [
        listDescribedFields('MessagesResponse'),
        listDescribedFields('Message'),
        listDescribedFields('MessageRequest'),
      ],
    },
  },
  'message.part-names': {
    async observe(client) {
      const { say } = await startChat(client);
      const files = [new File(['a'], 'a.txt'), new File(['b'], 'b.txt')];
      const { body } = await say({ message: 'Look', files });
      const untold = (await say({ text: 'Look' })).status;
      return [body.messages[0].attachments.map(({ name }: { name: string }) => name), untold];
    },
    expected: { 'message-and-files': [['a.txt', 'b.txt'], 422] },
  },
  'request.statuses': {
    async observe(client) {
      const { body } = await startChat(client);
      const [request] = body.messages[1].requests;
      const statuses = [request.status];
      for (const status of ['approved', 'thinking%20about%20it']) {
        const query = `id=${request.id}&t=${request.t}&status=${status}`;
        const response = await client.send('PUT', `/request/id?${query}`, undefined, {
          headers: { 'chat-id': body.id },
        });
        statuses.push(response.body.messages[1].requests[0].status);
      }
      return statuses;
    },
    expected: { 'any-text': ['pending', 'approved', 'thinking about it'] },
  },
  'request.approval': {
    async observe(client) {
      const { body, read } = await startChat(client);
      await client.advance(60_000);
      const readOutcome = async () => {
        const { messages } = await read();
        return [messages[1].content === '', messages[1].requests[0].status];
      };
      const before = await readOutcome();
      const [{ id, t }] = body.messages[1].requests;
      await client.send('PUT', `/request/id?id=${id}&t=${t}&status=approved`, undefined, {
        headers: { 'chat-id': body.id },
      });
      await client.advance(60_000);
      return [before, await readOutcome()];
    },
    expected: {
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
    async observe(client) {
      const { body, read } = await startChat(client);
      await client.send('DELETE', `/task/${body.task_id}`);
      const [{ id, t }] = body.messages[1].requests;
      const headers = { 'chat-id': body.id };
      const putStatus = (status: string) =>
        client.sendForStatus('PUT', `/request/id?id=${id}&t=${t}&status=${status}`, undefined, { headers });
      const statuses = [await putStatus('approved'), await putStatus('rejected')];
      return [...statuses, (await read()).messages[1].requests[0].status];
    },
    expected: { '400': [400, 200, 'rejected'], '200': [200, 200, 'rejected'] },
  },
  'chat.context': {
    async observe(client) {
      const { body: first, say, headers, read } = await startChat(client);
      await client.send('POST', '/sop', { title: 'Refunds', content: 'Ask.' }, { headers });
      const file = new File(['x'], 'a.txt');
      const { body } = await say({ message: 'Look', files: [file] }, `?t=${first.t}`);
      const task = getService(client.mock).organisations.get('test')!.tasks.get(body.task_id)!;
      const [{ id, t }] = body.messages.at(-1).requests;
      await client.send('PUT', `/request/id?id=${id}&t=${t}&status=approved`, undefined, {
        headers: { 'chat-id': body.id },
      });
      await client.advance(60_000);
      const { content } = (await read()).messages.at(-1);
      return [
        task.request.sops,
        task.request.attachments,
        content.includes('"Refunds"'),
        content.includes('"a.txt"'),
      ];
    },
    expected: { 'named-in-output': [['Refunds'], ['a.txt'], true, true] },
  },
  'record.attachment': {
    async observe(client) {
      const { say, headers } = await startChat(client);
      const file = new File(['old'], 'a.txt', { type: 'text/plain' });
      const [summary] = (await say({ message: 'Look', files: [file] })).body.messages[0].attachments;
      const selected = { ...headers, 'attachment-id': summary.id };
      const changes = { name: 'b.txt', content: 'new' };
      await client.send('POST', `/attachment?t=${summary.t}`, changes, { headers: selected });
      const { r } = await client.send('GET', '/attachment', undefined, { headers: selected });
      return [listFields(summary), listFields(r), r.name, r.content];
    },
    expected: {
      'as-described': [
        listDescribedFields('AttachmentSummary'),
        listDescribedFields('AttachmentResponse'),
        'b.txt',
        'new',
      ],
    },
  },
  'attachment.t': {
    async observe(client) {
      const { say, headers } = await startChat(client);
      const { body } = await say({ message: 'Look', files: [new File(['x'], 'a.txt')] });
      const [{ id, t }] = body.messages[0].attachments;
      const update = (at: number) =>
        client.sendForStatus(
          'POST',
          `/attachment?t=${at}`,
          {},
          { headers: { ...headers, 'attachment-id': id } },
        );
      return [t - client.mock.clock.now('test'), await update(t), await update(t + 1)];
    },
    expected: { 'creation-time': [0, 200, 404] },
  },
};
