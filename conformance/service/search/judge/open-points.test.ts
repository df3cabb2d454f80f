import { describe, expect, it } from 'vitest';
import type { ApiResponse } from '../../http-client/response.js';
import { collectTaskListFacts } from '../../operations/collect-facts.js';
import type { Command } from '../../operations/command.js';
import type { ObservedResponse, Resource } from '../../operations/observed.js';
import type { SequenceNames } from '../sequence/names.js';
import { collectMarkerFacts } from './facts.js';
import { recordSent } from './follow.js';
import { explainOpenStatus } from './open-statuses.js';

const respond = (status: number, r: unknown) => ({ status, ok: status < 400, r }) as ApiResponse;

describe('a list of tasks after the data of one were deleted', () => {
  const gone: Resource = {
    label: 'task1',
    kind: 'task',
    key: 'main',
    state: 'gone',
    removedBy: 'deleteTaskData',
  };
  const names = { get: (name: string) => ({ 'task1.task_id': 'a', 'task1.created_at': 1 })[name] };
  const name = 'tasks of this sequence that it lists';
  const listGone = (query: Record<string, number>, rows: string[]) => {
    const observed = {
      request: { query },
      response: respond(
        200,
        rows.map((id) => ({ id })),
      ),
      names,
      resources: [gone],
      isNewestFirst: true,
      settings: new Set(),
    } as unknown as ObservedResponse;
    return collectTaskListFacts(observed, { query } as unknown as Command);
  };

  it.each<[string, Record<string, number>, string[], boolean | undefined]>([
    ['shows by the whole list that it is not there', {}, ['b'], true],
    ['shows that it is there', { l: 1 }, ['a'], false],
    ['shows nothing by a list that is full without it', { l: 1 }, ['b'], undefined],
    ['shows nothing by the tasks before a time', { t: 1 }, [], undefined],
  ])('%s', (_, query, rows, expected) => {
    expect(listGone(query, rows)['that it lists no task whose data are deleted']?.value).toBe(expected);
  });

  it('shows nothing of the others by a full list, in which it may have a row', () => {
    expect(listGone({ l: 1 }, ['a'])[name]?.value).toBeUndefined();
    expect(listGone({ l: 2 }, ['b'])[name]?.value).toEqual([]);
  });

  it('shows nothing of the meaning of t by no task', () => {
    const { [name]: shown } = listGone({ t: 1 }, ['b']);
    expect(shown).toMatchObject({ value: [], isOpen: true, isVacuous: true });
  });
});

it('leaves open whether two organisations have proxies of the same id', () => {
  const observed = { response: respond(404, undefined), settings: new Set() } as unknown as ObservedResponse;
  const explain = (more: Partial<Command>) =>
    explainOpenStatus({ operation: 'updateProxy', ...more } as Command, observed, respond(200, {}));
  expect(explain({ astray: 'stranger' })).toContain('proxy');
  expect(explain({ astray: 'similar' })).toBeUndefined();
});

it('leaves open whether a file is kept once a task has used it', () => {
  const explain = (settings: readonly string[], more: Partial<Command>) => {
    const observed = {
      response: respond(200, {}),
      settings: new Set(settings),
    } as unknown as ObservedResponse;
    return explainOpenStatus(more as Command, observed, respond(404, undefined));
  };
  const withFile: Partial<Command> = { operation: 'createTask', body: { files: ['a'] } };
  expect(explain(['createTask'], withFile)).toContain('file');
  expect(explain(['createTask'], { operation: 'deleteFile' })).toContain('file');
  expect(explain(['createTask'], { operation: 'createTask', body: {} })).toBeUndefined();
  expect(explain([], withFile)).toBeUndefined();
});

it('leaves open what becomes of an action for a task that is no session', () => {
  const followAction = (isSession: boolean) => {
    const task = { isSession, status: 'running', sent: [], actions: [], calls: [] };
    const resource = { label: 'task1', kind: 'task', state: 'session', task } as unknown as Resource;
    const body = { id: 'a', name: 'browser_action', payload: { name: 'evaluate_js', input: { js: '0' } } };
    const command = { operation: 'sendTaskEvent', condition: 'plain', body } as unknown as Command;
    const names = { fillText: (text: string) => text } as unknown as SequenceNames;
    recordSent(command, resource, names, respond(200, { id: 'a' }));
    return task.sent.length;
  };
  expect(followAction(true)).toBe(1);
  expect(followAction(false)).toBe(0);
});

it('leaves open which updates of a task are taken', () => {
  const observed = { response: respond(400, undefined), settings: new Set() } as unknown as ObservedResponse;
  const explain = (more: Partial<Command>, status = 200) =>
    explainOpenStatus({ operation: 'updateTask', ...more } as Command, observed, respond(status, true));
  expect(explain({})).toContain('update');
  expect(explain({ astray: 'stranger' })).toBeUndefined();
  expect(explain({}, 500)).toBeUndefined();
});

it('leaves open whether an interactive browser makes its profile', () => {
  const profile: Resource = { label: 'profile1', kind: 'profile', key: 'main', state: 'there' };
  const explain = (status: number, more: Partial<Resource>, body: unknown = { profile_id: 'a' }) => {
    const observed = {
      request: { body },
      response: respond(200, {}),
      names: { get: () => 'a' },
      resources: [{ ...profile, ...more }],
      settings: new Set(),
    } as unknown as ObservedResponse;
    const command = { operation: 'openBrowserSession', body } as unknown as Command;
    return explainOpenStatus(command, observed, respond(status, undefined));
  };
  expect(explain(404, { state: 'gone' })).toContain('profile');
  expect(explain(404, { key: 'other' })).toContain('profile');
  expect(explain(500, { state: 'gone' })).toBeUndefined();
  expect(explain(404, {})).toBeUndefined();
  expect(explain(404, {}, {})).toBeUndefined();
});

it('leaves open whether a response repeats a text of its request', () => {
  const collect = (isOwn: boolean) => {
    const observed = {
      response: respond(200, {}),
      names: { get: () => 'the name' },
      markers: new Map([['file1', { by: 'uploadFile', owner: 'file1', role: 'file', isOwn }]]),
      resources: [],
    } as unknown as ObservedResponse;
    return collectMarkerFacts({ operation: 'uploadFile' } as Command, observed);
  };
  const about = 'that it shows "the name"';
  expect(collect(true)[about]).toMatchObject({ value: false, isLeast: true });
  expect(collect(false)[about]).toMatchObject({ value: false, isLeast: false });
});
