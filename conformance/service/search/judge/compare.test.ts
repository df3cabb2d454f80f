import { describe, expect, it } from 'vitest';
import type { ApiResponse } from '../../http-client/response.js';
import type { Command } from '../../operations/command.js';
import type { ObservedResponse, Resource } from '../../operations/observed.js';
import { compare, MatchCounts } from './compare.js';

const resources: Resource[] = ['task1', 'task2'].map((label) => ({
  label,
  kind: 'task',
  key: 'main',
  state: label === 'task1' ? 'gone' : 'over',
}));

function observeList(ids: readonly string[], query: Command['query'] = {}): ObservedResponse {
  const r = ids.map((id) => ({ id }));
  const body = { r };
  const response: ApiResponse = {
    seq: 1,
    status: 200,
    headers: {},
    text: JSON.stringify(body),
    body,
    r,
    ok: true,
    at: 0,
  };
  return {
    request: { query: query as Record<string, number> },
    response,
    names: new Map([
      ['task1.task_id', 'id of task1'],
      ['task2.task_id', 'id of task2'],
    ]),
    resource: undefined,
    resources,
    markers: new Map(),
    settings: new Set(),
    isNewestFirst: true,
  };
}

/** Compares lists of a service that go with those of its model, then one with a task whose data are deleted. */
function listDeletedTask(agreements: readonly Partial<Command>[]) {
  const matchCounts = new MatchCounts();
  const command: Command = { operation: 'listTasks', condition: 'plain' };
  for (const fields of agreements) {
    const list = observeList(['id of task2'], fields.query);
    for (const key of compare({ ...command, ...fields }, list, list, matchCounts).matches)
      matchCounts.add(key);
  }
  const { differences } = compare(
    command,
    observeList(['id of task2']),
    observeList(['id of task2', 'id of task1']),
    matchCounts,
  );
  return differences.find(({ requirement }) => requirement === 'TASK-21')?.isStated;
}

describe('an agreement settles what a service has chosen', () => {
  it('if the response could have shown another choice', () => {
    expect(listDeletedTask([{}, {}])).toBe(true);
    expect(listDeletedTask([{ query: { l: 127 } }, {}])).toBe(true);
  });

  it.each<{ why: string; fields: Partial<Command> }>([
    { why: 'the page is full', fields: { query: { l: 1 } } },
    { why: 'the list begins at a time', fields: { query: { t: 5 } } },
    { why: 'the list is of another organisation', fields: { key: 'other', astray: 'stranger' } },
    { why: 'the list is of the task of another organisation', fields: { key: 'other' } },
  ])('but not if $why', ({ fields }) => {
    expect(listDeletedTask([fields, fields, fields])).toBe(false);
  });
});

describe('a request about a removed resource', () => {
  const chat: Resource = { label: 'chat1', kind: 'chat', key: 'main', state: 'gone' };
  const observeStatus = (status: number): ObservedResponse => {
    const observed = observeList([]);
    return { ...observed, resource: chat, response: { ...observed.response, status, ok: status < 300 } };
  };
  const findDifference = (query: Command['query']) => {
    const matchCounts = new MatchCounts();
    for (let count = 0; count < 10; count++) matchCounts.add('createChatTask valid ok');
    const command: Command = {
      ...{ operation: 'createChatTask', condition: 't', on: 'chat1', query, open: true },
      headers: { 'workspace-id': '{{chat1.workspace-id}}' },
    };
    const { differences } = compare(command, observeStatus(404), observeStatus(200), matchCounts);
    return differences.find(({ about }) => about === 'status')?.isStated;
  };

  it('has to be refused, but not if it has another value in place of its id', () => {
    expect(findDifference({ t: '{{chat1.t}}' })).toBe(true);
    expect(findDifference({ t: '-0' })).not.toBe(true);
    expect(findDifference({ t: '{{chat1.task_id}}' })).not.toBe(true);
  });
});
