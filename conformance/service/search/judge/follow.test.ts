import { expect, it } from 'vitest';
import type { ApiResponse } from '../../http-client/response.js';
import type { Command } from '../../operations/command.js';
import type { Resource } from '../../operations/observed.js';
import { SequenceNames } from '../sequence/names.js';
import { followTask, recordSent } from './follow.js';
import type { ModelAccounts } from './model.js';

it('applies each listed reply to a call that got two', async () => {
  const task = {
    status: 'running',
    calls: [],
    actions: [],
    sent: [],
    seen: new Set(),
    times: 0,
    tools: true,
  };
  const resource = {
    label: 'task1',
    kind: 'task',
    key: 'main',
    state: 'one-shot',
    task,
  } as unknown as Resource;
  const names = new SequenceNames('td');
  names.set('task1', { task_id: 'a' });
  const applied: unknown[] = [];
  const accounts = {
    applyStep: async (_: string, { timestamp }: Readonly<Record<string, unknown>>) =>
      applied.push(timestamp) > 0,
  } as unknown as ModelAccounts;
  const call = { id: 'call', name: 'tool_call', payload: { name: 'find', input: {} }, timestamp: 1 };
  const reply = { id: 'call', name: 'tool_call', payload: { code: 200, output: 1 } };
  const events = [call, { ...reply, timestamp: 2 }, { ...reply, timestamp: 3 }];
  const poll = async (listed: number) => {
    const r = { id: 'a', status: 'running', events: events.slice(0, listed) };
    await followTask(resource, { status: 202, ok: true, r } as ApiResponse, names, { accounts, names });
  };
  const send = () => {
    const command = { operation: 'sendTaskEvent', condition: 'plain', body: reply } as unknown as Command;
    recordSent(command, resource, names, { status: 200, ok: true, r: { id: 'call' } } as ApiResponse);
  };
  await poll(1);
  send();
  await poll(2);
  send();
  await poll(3);
  await poll(3);
  expect(applied).toEqual([1, 2, 3]);
});
