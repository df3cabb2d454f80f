import { describe, expect, it } from 'vitest';
import { createApi } from '../../test/support/mock/api.js';
import { createScenario } from '../../test/support/mock/mock.js';

const HOUR_MS = 3_600_000;

/** A chat whose assistant has just requested the use of a tool. */
async function startChat(options: Parameters<typeof createApi>[0] = {}, follows?: string) {
  const api = createApi(options);
  const headers = { 'workspace-id': (await api.send('POST', '/workspace/Work')).body.id };
  const named = follows === undefined ? headers : { ...headers, 'x-taskdouble-scenario': follows };
  const json = { task: 'Find a flight' };
  const chat = (await api.send('POST', '/task/zero', { headers: named, json })).body;
  const [request] = chat.messages[1].requests;
  return {
    api,
    chat,
    request,
    put: (status: string) =>
      api.send('PUT', `/request/id?id=${request.id}&t=${request.t}&status=${status}`, {
        headers: { 'chat-id': chat.id },
      }),
    read: async () => (await api.send('GET', `/chat/id?t=${chat.t}`, { headers })).body,
    task: async () => (await api.send('GET', `/task/${chat.task_id}`)).r,
    data: async () => (await api.send('GET', `/tool/${request.tool}/${request.id}`, { key: null })).body,
  };
}

describe('a request in a chat', () => {
  it('keeps its task waiting until the client approves it', async () => {
    const { api, request, put, read, task, data } = await startChat();
    api.advance(HOUR_MS);
    expect(await task()).toMatchObject({ status: 'running', output: null });
    expect((await read()).messages[1]).toMatchObject({ content: '', requests: [{ status: 'pending' }] });
    expect(await data()).toEqual({
      id: request.id,
      tool: request.tool,
      status: 'pending',
      input: request.input,
      output: null,
      code: null,
    });

    const approved = await put('approved');
    expect(approved.body.messages).toEqual((await read()).messages);
    expect(approved.body.messages[1].requests[0].status).toBe('approved');
    expect(await data()).toMatchObject({ status: 'done', output: true, code: 200 });
    expect((await task()).status).toBe('running');
    api.advance(60_000);
    expect((await task()).status).toBe('done');
    expect((await read()).messages[1].content).toBe('Result of: Find a flight');
  });

  it('that is rejected cancels the task for good', async () => {
    const { api, put, read, task, data } = await startChat();
    expect((await put('rejected')).body.messages[1]).toMatchObject({
      content: expect.stringContaining('not allowed'),
      requests: [{ status: 'rejected' }],
    });
    expect((await task()).status).toBe('cancelled');
    expect(await data()).toMatchObject({ status: 'failed', code: 400 });
    expect((await put('approved')).body).toEqual({
      detail:
        'The request is rejected and its task is over: the status cannot be changed to "approved" any more.',
    });
    api.advance(HOUR_MS);
    const { status, messages } = await read();
    expect(status).toBe('idle');
    expect(messages[1]).toMatchObject({
      content: expect.stringContaining('not allowed'),
      requests: [{ status: 'rejected' }],
    });
  });

  it('accepts any status while its task runs: an approval can be revoked, another text leaves it open', async () => {
    const { put, data, task } = await startChat();
    expect((await put('asked%20again')).body.messages[1].requests[0].status).toBe('asked again');
    expect(await data()).toMatchObject({ status: 'pending', code: null });
    await put('approved');
    await put('rejected');
    expect(await data()).toMatchObject({ status: 'failed', code: 400 });
    expect((await task()).status).toBe('cancelled');
  });

  it.each([
    ['400', 400],
    ['200', 200],
  ])(
    'whose task is over changes no more (dialect %s); the same status again is confirmed',
    async (choice, status) => {
      const { api, put, data, read } = await startChat({ dialect: { 'request.of-finished-task': choice } });
      await put('approved');
      api.advance(60_000);
      expect((await put('rejected')).status).toBe(status);
      expect((await put('thinking')).status).toBe(status);
      expect((await put('approved')).status).toBe(200);
      expect((await read()).messages[1].requests[0].status).toBe('approved');
      expect(await data()).toMatchObject({ status: 'done', code: 200 });
    },
  );

  it('is settled with its task if the task does not wait', async () => {
    const { api, put, read, task, data } = await startChat({ dialect: { 'request.approval': 'not-needed' } });
    await put('thinking');
    api.advance(60_000);
    expect((await task()).status).toBe('done');
    expect(await data()).toMatchObject({ status: 'done', code: 200 });
    expect((await read()).messages[1].requests[0].status).toBe('approved');
    expect((await put('rejected')).status).toBe(400);
  });

  it('is rejected if its task is stopped', async () => {
    const { api, chat, read, put } = await startChat();
    await api.send('DELETE', `/task/${chat.task_id}`);
    expect((await read()).messages[1].requests[0].status).toBe('rejected');
    expect((await put('approved')).status).toBe(400);
  });

  it('is approved for a scenario by the gate "approval"', async () => {
    const finish = (output: string) => ({ service: 'finish' as const, output });
    const scenarios = [
      createScenario('Careful', [{ ...finish('allowed'), after: { gate: 'approval' } }]),
      createScenario('Bold', [finish('not asked')]),
    ];
    const careful = await startChat({ scenarios }, 'Careful');
    careful.api.advance(HOUR_MS);
    expect((await careful.task()).status).toBe('running');
    await careful.put('approved');
    expect(await careful.task()).toMatchObject({ status: 'done', output: 'allowed' });
    const bold = await startChat({ scenarios }, 'Bold');
    expect(await bold.task()).toMatchObject({ status: 'done', output: 'not asked' });
  });

  it('belongs to its chat', async () => {
    const { api, chat, request } = await startChat();
    const other = await api.send('PUT', `/request/id?id=${request.id}&t=${request.t}&status=approved`, {
      headers: { 'chat-id': 'none' },
    });
    expect(other.status).toBe(404);
    expect((await api.send('GET', `/tool/other/${request.id}`, { key: null })).status).toBe(404);
    expect((await api.send('GET', `/task/${chat.task_id}`)).status).toBe(202);
  });
});

describe('the data of a tool call that the agent of a task made', () => {
  async function called() {
    const api = createApi();
    const tool = { name: 'get_weather', description: 'Weather', inputs: { type: 'object' }, output: 'text' };
    const task = (await api.send('POST', '/task', { json: { task: 'x', custom_tools: [tool] } })).r.id;
    api.advance(60_000);
    const [call] = (await api.send('GET', `/task/${task}`)).r.events;
    const data = async () => (await api.send('GET', `/tool/get_weather/${call.id}`, { key: null })).body;
    return { api, task, call, data };
  }

  it('is pending, then that of the reply', async () => {
    const { api, task, call, data } = await called();
    expect(await data()).toMatchObject({ status: 'pending', input: call.payload.input });
    const payload = { code: 500, output: 'no' };
    await api.send('POST', `/task/${task}/event`, { json: { name: 'tool_call', id: call.id, payload } });
    expect(await data()).toMatchObject({ status: 'failed', code: 500, output: 'no' });
  });

  it('shows a failed call once its task is cancelled', async () => {
    const { api, task, data } = await called();
    await api.send('DELETE', `/task/${task}`);
    expect(await data()).toMatchObject({
      status: 'failed',
      code: 500,
      output: 'The task was cancelled before the call had a reply.',
    });
  });
});
