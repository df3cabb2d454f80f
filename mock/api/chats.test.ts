import { describe, expect, it } from 'vitest';
import { type Api, createApi, createForm } from '../../test/support/mock/api.js';

/** Chats whose tasks do not wait for an approval, unless the dialect requires it. */
async function setUp(options: Parameters<typeof createApi>[0] = {}) {
  const api = createApi({ ...options, dialect: { 'request.approval': 'not-needed', ...options.dialect } });
  const headers = { 'workspace-id': (await api.send('POST', '/workspace/Work')).body.id };
  const start = (json: object = {}, query = '') =>
    api.send('POST', `/task/zero${query}`, { headers, json: { task: 'Find a flight', ...json } });
  const sendMessage = (parts: Parameters<typeof createForm>[0], query = '') =>
    api.send('POST', `/chat/message${query}`, { headers, form: createForm(parts) });
  const read = (t: number, query = '') => api.send('GET', `/chat/id?t=${t}${query}`, { headers });
  return { api, headers, start, sendMessage, read };
}

const titles = async (api: Api, headers: Record<string, string>, query = '') =>
  (await api.send('GET', `/chat${query}`, { headers })).body.chats.map(
    (chat: { title: string }) => chat.title,
  );

describe('chats', () => {
  it('start a real task, whose outcome becomes the response', async () => {
    const { api, start, read } = await setUp();
    const chat = (await start({ url: 'https://example.com' }, '?task_type=research')).body;
    expect(chat).toMatchObject({ title: 'Find a flight', status: 'running' });
    expect(chat.messages).toMatchObject([
      { role: 'user', content: 'Find a flight', requests: [] },
      { role: 'assistant', content: '', requests: [{ status: 'pending' }] },
    ]);
    expect((await api.send('GET', `/task/${chat.task_id}`)).status).toBe(202);
    expect(api.openOrganisation().tasks.get(chat.task_id)!.request).toMatchObject({
      url: 'https://example.com',
      metadata: { task_type: 'research' },
    });
    api.advance(60_000);
    const task = (await api.send('GET', `/task/${chat.task_id}`)).r;
    expect(task.status).toBe('done');
    const later = (await read(chat.t)).body;
    expect(later.status).toBe('idle');
    expect(later.messages[1].content).toBe(task.output);
    // The response outlives its task.
    await api.send('DELETE', `/task/${chat.task_id}/data`);
    const last = (await read(chat.t)).body;
    expect(last.messages[1].content).toBe(task.output);
    expect(last.task_id).toBeNull();
  });

  it('report that the task was stopped', async () => {
    const { api, start, read } = await setUp();
    const chat = (await start()).body;
    await api.send('DELETE', `/task/${chat.task_id}`);
    const { status, messages } = (await read(chat.t)).body;
    expect([status, messages[1].content]).toEqual(['idle', 'The task was not finished: cancelled.']);
  });

  it('are continued with their t', async () => {
    const { start, read } = await setUp();
    const { t } = (await start()).body;
    const more = (await start({ task: 'Book it', title: 'Trip' }, `?t=${t}`)).body;
    expect(more).toMatchObject({ t, title: 'Trip' });
    expect(more.messages.map((message: { role: string }) => message.role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
    ]);
    expect((await read(t)).body).toEqual(more);
    const third = more.messages[2].t;
    expect((await read(t, `&msg=${third - 1}`)).body.messages).toEqual(more.messages.slice(2));
    expect((await read(t, `&msg=${third}`)).body.messages).toEqual(more.messages.slice(3));
    expect((await start({}, `?t=${t + 1000}`)).status).toBe(404);
  });

  it('are listed newest first, paged by t and limit', async () => {
    const { api, headers, start } = await setUp();
    for (const title of ['a', 'b', 'c']) await start({ title });
    expect(await titles(api, headers)).toEqual(['c', 'b', 'a']);
    expect(await titles(api, headers, '?limit=2')).toEqual(['c', 'b']);
    const { chats } = (await api.send('GET', '/chat?limit=2', { headers })).body;
    expect(await titles(api, headers, `?t=${chats[1].t}`)).toEqual(['a']);
    expect(await titles(api, headers, '?limit=0')).toEqual([]);
  });

  it('are renamed, and deleted with their content', async () => {
    const { api, headers, sendMessage, read } = await setUp();
    const chat = (await sendMessage({ message: 'Look', files: new File(['x'], 'a.txt') })).body;
    const [userMessage, response] = chat.messages;
    expect((await api.send('POST', `/chat/id?t=${chat.t}&title=New`, { headers })).body).toEqual({ r: true });
    expect((await read(chat.t)).body.title).toBe('New');
    expect((await api.send('POST', `/chat/id?t=${chat.t}`, { headers })).body).toEqual({ r: true });
    expect((await read(chat.t)).body.title).toBe('New');

    expect((await api.send('DELETE', `/chat/id?t=${chat.t}`, { headers })).body).toEqual({ r: true });
    expect((await api.send('DELETE', `/chat/id?t=${chat.t}`, { headers })).status).toBe(404);
    expect((await read(chat.t)).status).toBe(404);
    expect((await api.send('POST', `/chat/id?t=${chat.t}&title=x`, { headers })).status).toBe(404);
    expect((await api.send('GET', '/chat/message', { headers: { 'chat-id': chat.id } })).status).toBe(404);
    const attachment = { 'attachment-id': userMessage.attachments[0].id };
    expect((await api.send('GET', '/attachment', { headers: attachment })).status).toBe(404);
    expect((await api.send('GET', `/tool/browser/${response.requests[0].id}`)).status).toBe(404);
    expect(await titles(api, headers)).toEqual([]);
    const { records } = api.openOrganisation();
    expect([records.messages.size, records.requests.size, records.attachments.size]).toEqual([0, 0, 0]);
  });

  it('belong to their workspace and their organisation', async () => {
    const { api, headers, start } = await setUp();
    const { t } = (await start()).body;
    const elsewhere = { 'workspace-id': (await api.send('POST', '/workspace/Other')).body.id };
    expect(await titles(api, elsewhere)).toEqual([]);
    expect((await api.send('GET', `/chat/id?t=${t}`, { headers: elsewhere })).status).toBe(404);
    expect((await api.send('GET', `/chat/id?t=${t}`, { headers, key: 'other' })).status).toBe(404);
  });

  it('leave no records if their task may not start or a limit is reached', async () => {
    const { api, headers, start } = await setUp({ limits: { records: 3 } });
    api.openOrganisation().account.credits = 0;
    expect((await start()).status).toBe(429);
    expect(await titles(api, headers)).toEqual([]);
    api.openOrganisation().account.credits = 10;
    const { t } = (await start()).body;
    expect((await start({}, `?t=${t}`)).status).toBe(400);
    expect((await start()).status).toBe(400);
    expect(api.openOrganisation().tasks.size).toBe(1);
    expect(await titles(api, headers)).toHaveLength(1);
  });
});

describe('messages', () => {
  it('create a chat or extend one, with files as attachments', async () => {
    const { api, sendMessage, read } = await setUp();
    const chat = (await sendMessage({ message: 'Hello' })).body;
    expect(chat).toMatchObject({ title: 'Hello', status: 'running' });
    const more = (
      await sendMessage(
        { message: 'And this', files: [new File(['1'], 'a.txt'), new File(['2'], 'b.txt')] },
        `?t=${chat.t}`,
      )
    ).body;
    expect(more.t).toBe(chat.t);
    expect(more.messages[2].attachments.map((each: { name: string }) => each.name)).toEqual([
      'a.txt',
      'b.txt',
    ]);
    api.advance(60_000);
    const updated = (await read(chat.t)).body;
    expect(updated.messages[1].content).toBe('Result of: Hello');
    expect(updated.messages[3].content).toBe('Result of: And this It uses the attachments "a.txt", "b.txt".');
    expect((await sendMessage({ message: 'x' }, '?t=5')).status).toBe(404);
    expect((await sendMessage({ files: new File([], 'a') })).status).toBe(422);
  });

  it('are read without a key, from a time on', async () => {
    const { api, sendMessage } = await setUp();
    const chat = (await sendMessage({ message: 'Hello' })).body;
    const read = (query = '', key: string | null = null) =>
      api.send('GET', `/chat/message${query}`, { headers: { 'chat-id': chat.id }, key });
    expect((await read()).body).toEqual({ messages: chat.messages });
    expect((await read('', 'other')).body).toEqual({ messages: chat.messages });
    expect((await read(`?t=${chat.messages[0].t}`)).body.messages).toEqual([chat.messages[1]]);
    expect((await read(`?t=${chat.messages[1].t}`)).body.messages).toEqual([]);
    expect((await api.send('GET', '/chat/message', { key: null })).status).toBe(422);
  });
});

describe('the context of the task of a chat', () => {
  it('contains the SOPs of the workspace and the files of the chat: the response names them', async () => {
    const { api, headers, sendMessage, read } = await setUp();
    const addSop = (title: string) =>
      api.send('POST', '/sop', { headers, json: { title, content: 'First ask.' } });
    await addSop('Refunds');
    const chat = (await sendMessage({ message: 'Pay back', files: new File(['x'], 'bill.txt') })).body;
    const { request } = api.openOrganisation().tasks.get(chat.task_id)!;
    expect(request).toMatchObject({ sops: ['Refunds'], attachments: ['bill.txt'] });
    api.advance(60_000);
    const [, first] = (await read(chat.t)).body.messages;
    expect(first.content).toBe(
      'Result of: Pay back It follows the SOP "Refunds". It uses the attachment "bill.txt".',
    );
    expect((await api.send('GET', `/task/${chat.task_id}`)).r.output).toBe(first.content);

    // Later messages are given the context of the chat; another chat of the workspace is given only the SOPs.
    await addSop('Tone');
    const more = (await sendMessage({ message: 'Again' }, `?t=${chat.t}`)).body;
    const other = (await sendMessage({ message: 'Hi' })).body;
    api.advance(60_000);
    expect((await read(more.t)).body.messages[3].content).toBe(
      'Result of: Again It follows the SOPs "Refunds", "Tone". It uses the attachment "bill.txt".',
    );
    expect((await read(other.t)).body.messages[1].content).toBe(
      'Result of: Hi It follows the SOPs "Refunds", "Tone".',
    );
  });

  it('is bounded: the newest eight of each, with their first 80 characters', async () => {
    const { api, headers, start, read } = await setUp();
    for (let n = 1; n <= 9; n++)
      await api.send('POST', '/sop', { headers, json: { title: `${n}`.repeat(100), content: '' } });
    const { t } = (await start()).body;
    api.advance(60_000);
    const { content } = (await read(t)).body.messages[1];
    expect(content.match(/"\d+"/g).map((title: string) => title.length)).toEqual(Array(8).fill(82));
    expect(content).not.toContain('111');
  });
});

describe('attachments', () => {
  it('are read without a key and changed', async () => {
    const { api, headers, sendMessage } = await setUp();
    const bytes = Uint8Array.of(0, 255, 10);
    const files = [
      new File(['{"a":1}'], 'a.json', { type: 'application/json' }),
      new File([bytes], 'b.png', { type: 'image/png' }),
    ];
    const [userMessage] = (await sendMessage({ message: 'Look', files })).body.messages;
    const read = async (id: string) =>
      (await api.send('GET', '/attachment', { key: null, headers: { 'attachment-id': id } })).r;
    const [a, b] = userMessage.attachments;
    expect(await read(a.id)).toEqual({ ...a, content: '{"a":1}' });
    expect(await read(b.id)).toEqual({ ...b, content: 'AP8K' });
    const update = (t: number, json: object, where = headers) =>
      api.send('POST', `/attachment?t=${t}`, { headers: { ...where, 'attachment-id': a.id }, json });
    expect((await update(a.t, { content: 'new' })).body).toEqual({ r: true });
    expect((await update(a.t, { name: 'c.txt', content: null })).body).toEqual({ r: true });
    expect(await read(a.id)).toEqual({ ...a, name: 'c.txt', content: 'new' });
    expect((await update(b.t, { name: 'x' })).status).toBe(404);
    const elsewhere = { 'workspace-id': (await api.send('POST', '/workspace/Other')).body.id };
    expect((await update(a.t, { name: 'x' }, elsewhere)).status).toBe(404);
    expect((await read(a.id)).name).toBe('c.txt');
  });

  it('are limited in size, each and together', async () => {
    const { api, sendMessage } = await setUp({ dialect: { 'limits.upload-size': 1024 } });
    expect((await sendMessage({ message: 'x', files: new File(['x'.repeat(1025)], 'a.txt') })).status).toBe(
      413,
    );
    const { attachments } = api.openOrganisation().records;
    const [userMessage] = (await sendMessage({ message: 'x', files: new File(['x'], 'a.txt') })).body
      .messages;
    attachments.get(userMessage.attachments[0].id)!.content = 'x'.repeat(64 * 1024 * 1024);
    expect((await sendMessage({ message: 'x', files: new File(['x'], 'a.txt') })).status).toBe(413);
    expect((await sendMessage({ message: 'x' })).status).toBe(200);
    expect(attachments.size).toBe(1);
  });
});
