import { expect, it } from 'vitest';
import { type Api, createApi, createForm } from '../../test/support/mock/api.js';

type Sent = Parameters<Api['send']>[2];

/** Creates one resource of each kind that requests name. */
async function setUp() {
  const api = createApi();
  const workspace = (await api.send('POST', '/workspace/Work')).body.id as string;
  const headers = { 'workspace-id': workspace };
  const form = createForm({ message: 'Look', files: new File(['x'], 'a.txt') });
  const chat = (await api.send('POST', '/chat/message', { headers, form })).body;
  const [userMessage, response] = chat.messages;
  const task = (await api.send('POST', '/task', { json: { task: 'x' } })).r.id as string;
  return {
    api,
    workspace,
    headers,
    chat,
    task,
    attachment: userMessage.attachments[0],
    request: response.requests[0],
  };
}

it('a 404 names the missing resource as the request did, and its container', async () => {
  const { api, workspace, headers, chat, task, attachment, request } = await setUp();
  const other = { 'workspace-id': (await api.send('POST', '/workspace/Other')).body.id as string };
  const inChat = { headers: { 'chat-id': chat.id } };
  const reply = { name: 'tool_call', id: 'x', payload: { code: 200, output: 1 } };
  const body = { title: 'a', content: 'b' };
  const keyless = (header: string): Sent => ({ key: null, headers: { [header]: 'x' } });
  const cases: [method: string, path: string, sent: Sent, detail: string][] = [
    ['GET', '/task/x', {}, 'There is no task "x" in this organisation.'],
    ['POST', `/task/${task}/event`, { json: reply }, `Task "${task}" has made no tool call "x".`],
    ['PATCH', '/proxy/x?auto_renew=true', {}, 'There is no proxy "x" in this organisation.'],
    ['DELETE', '/browser/session/x', {}, 'There is no open browser session "x" in this organisation.'],
    [
      'GET',
      '/workspace',
      { headers: { 'workspace-id': 'x' } },
      'There is no workspace "x" in this organisation.',
    ],
    ['GET', '/chat/id?t=5', { headers }, `There is no chat with t=5 in workspace "${workspace}".`],
    [
      'POST',
      '/task/zero?t=5',
      { headers, json: { task: 'x' } },
      `There is no chat with t=5 in workspace "${workspace}".`,
    ],
    ['DELETE', '/sop?t=5', { headers }, `There is no SOP with t=5 in workspace "${workspace}".`],
    ['POST', '/sop?t=5', { headers, json: body }, `There is no SOP with t=5 in workspace "${workspace}".`],
    ['DELETE', '/automation?id=x', { headers }, `There is no automation "x" in workspace "${workspace}".`],
    ['POST', '/workspace/app/x', { headers, json: {} }, 'There is no app "x": GET /app lists all apps.'],
    [
      'POST',
      `/attachment?t=${attachment.t}`,
      { headers: { ...other, 'attachment-id': attachment.id }, json: {} },
      `There is no attachment "${attachment.id}" in workspace "${other['workspace-id']}".`,
    ],
    [
      'PUT',
      `/request/id?id=none&t=${request.t}&status=approved`,
      inChat,
      `There is no request "none" in the message with t=${request.t} of chat "${chat.id}".`,
    ],
    [
      'PUT',
      `/request/id?id=${request.id}&t=1&status=approved`,
      inChat,
      `There is no message with t=1 in chat "${chat.id}".`,
    ],
    [
      'PUT',
      '/request/id?id=x&t=1&status=approved',
      { headers: { 'chat-id': 'x' } },
      'There is no chat "x" in this organisation.',
    ],
    // A request without a key names no organisation.
    ['GET', '/chat/message', keyless('chat-id'), 'There is no chat "x".'],
    ['GET', '/attachment', keyless('attachment-id'), 'There is no attachment "x".'],
    ['GET', '/job/x', { key: null }, 'There is no job "x".'],
    ['GET', '/tool/browser/x', { key: null }, 'There is no call "x" of tool "browser".'],
    ['POST', '/webhook', { key: null, json: { automation_id: 'x' } }, 'There is no automation "x".'],
  ];
  for (const [method, path, sent, detail] of cases)
    expect((await api.send(method, path, sent)).body, `${method} ${path}`).toEqual({ detail });
});
