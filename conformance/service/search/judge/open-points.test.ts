import { describe, expect, it } from 'vitest';
import type { ApiResponse } from '../../http-client/response.js';
import { collectTaskListFacts } from '../../operations/collect-facts.js';
import type { Command } from '../../operations/command.js';
import type { ObservedResponse, Resource } from '../../operations/observed.js';
import { SequenceNames } from '../sequence/names.js';
import { recordSent } from './follow.js';
import { isExistingRecord, observeResources } from './observe-resources.js';
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

it('leaves open which refusal of a poll comes first, if its event_t may be no integer', () => {
  const observed = { response: respond(404, undefined), settings: new Set() } as unknown as ObservedResponse;
  const explain = (event_t: unknown) =>
    explainOpenStatus(
      { operation: 'getTask', query: { event_t } } as unknown as Command,
      observed,
      respond(422, undefined),
    );
  expect(explain('+5')).toMatch(/Which of two refusals/);
  expect(explain('5')).toBeUndefined();
});

it('leaves open whether two organisations have proxies of the same id', () => {
  const observed = { response: respond(404, undefined), settings: new Set() } as unknown as ObservedResponse;
  const explain = (more: Partial<Command>) =>
    explainOpenStatus({ operation: 'updateProxy', ...more } as Command, observed, respond(200, {}));
  expect(explain({ astray: 'stranger' })).toContain('proxy');
  expect(explain({ astray: 'similar' })).toBeUndefined();
});

it('leaves open how long a file is kept, and whether a task uses it up', () => {
  const explain = (settings: readonly string[], more: Partial<Command>, waitedMs = 0) => {
    const observed = {
      response: respond(200, {}),
      resources: [{ kind: 'file', waitedMs }],
      settings: new Set(settings),
    } as unknown as ObservedResponse;
    return explainOpenStatus(more as Command, observed, respond(404, undefined));
  };
  const withFile: Partial<Command> = { operation: 'createTask', body: { files: ['a'] } };
  expect(explain(['createTask'], withFile)).toContain('file');
  expect(explain(['createTask'], { operation: 'deleteFile' })).toContain('file');
  expect(explain(['createTask'], { operation: 'createTask', body: {} })).toBeUndefined();
  expect(explain([], withFile)).toBeUndefined();
  expect(explain([], withFile, 600)).toContain('file');
});

it('leaves open what becomes of an event after a close', () => {
  const explain = (state: string, more: Partial<Command> = {}, status = 400) => {
    const resource = { kind: 'task', state } as Resource;
    const observed = { response: respond(200, {}), resource, settings: new Set() };
    return explainOpenStatus(
      { operation: 'sendTaskEvent', ...more } as Command,
      observed as unknown as ObservedResponse,
      respond(status, undefined),
    );
  };
  expect(explain('closing')).toContain('close');
  expect(explain('session')).toBeUndefined();
  expect(explain('closing', { astray: 'stranger' })).toBeUndefined();
  expect(explain('closing', {}, 500)).toBeUndefined();
});

it('leaves open which features the free plan has', () => {
  const explain = (key: Command['key'], status = 403) => {
    const observed = { response: respond(200, {}), settings: new Set() } as unknown as ObservedResponse;
    const command = { operation: 'createWorkspace', key } as Command;
    return explainOpenStatus(command, observed, respond(status, undefined));
  };
  expect(explain('free')).toContain('plan');
  expect(explain('main')).toBeUndefined();
  expect(explain('free', 404)).toBeUndefined();
});

it('leaves open which amounts an automatic top-up takes', () => {
  const observed = { response: respond(200, {}), settings: new Set() } as unknown as ObservedResponse;
  const explain = (active: boolean, status = 400) =>
    explainOpenStatus(
      { operation: 'setAutoTopUp', query: { active } } as unknown as Command,
      observed,
      respond(status, undefined),
    );
  expect(explain(true)).toContain('amounts');
  expect(explain(false)).toBeUndefined();
  expect(explain(true, 500)).toBeUndefined();
});

it('takes the t that a chat has after a message', () => {
  const chat: Resource = { label: 'chat1', kind: 'chat', key: 'main', state: 'there' };
  const follow = (id: string) => {
    const names = new SequenceNames('td');
    names.set('chat1', { t: 7, 'chat-id': 'a' });
    const command: Command = { operation: 'createMessage', condition: 'plain', on: 'chat1' };
    const response = { ...respond(200, undefined), body: { id, t: 14 } } as ApiResponse;
    observeResources(command, [chat], [{ names, request: {}, response }]);
    return names.get('chat1.t');
  };
  expect(follow('b')).toBe(7);
  expect(chat.hasChangedTime).toBeUndefined();
  expect(follow('a')).toBe(14);
  expect(chat.hasChangedTime).toBe(true);
});

it('leaves open whether a profile can be removed while a task uses it', () => {
  const explain = (status: string, profile_id: string, refusal = 409) => {
    const observed = {
      request: { path: { profile_id } },
      response: respond(200, {}),
      resources: [{ kind: 'task', state: 'session', task: { status }, uses: ['a'] }],
      settings: new Set(),
    } as unknown as ObservedResponse;
    return explainOpenStatus(
      { operation: 'deleteProfile' } as Command,
      observed,
      respond(refusal, undefined),
    );
  };
  expect(explain('running', 'a')).toContain('profile');
  expect(explain('running', 'b')).toBeUndefined();
  expect(explain('done', 'a')).toBeUndefined();
  expect(explain('running', 'a', 404)).toBeUndefined();
});

describe('a record that a creation gives again', () => {
  const upload = (marker: string, name: string): Command => ({
    operation: 'uploadFile',
    condition: 'plain',
    as: 'file2',
    form: [{ name: 'file', file: `{{word.${name}}}.txt`, content: `{{word.${marker}}}` }],
  });
  const isExisting = (command: Command, id: string, state = 'there') => {
    const texts = ['{{word.file01}}.txt', '{{word.content01}}'];
    const known: Resource = { label: 'file1', kind: 'file', key: 'main', state, texts };
    const names = { get: (name: string) => ({ 'file1.file_id': 'a' })[name] } as unknown as SequenceNames;
    const side = { names, request: {}, response: { ...respond(200, { id }), body: { r: { id } } } };
    return isExistingRecord(command, side, [known], new Set(['w']));
  };

  it('is one of the same content or name', () => {
    expect(isExisting(upload('content01', 'file02'), 'a')).toBe(true);
    expect(isExisting(upload('content02', 'file01'), 'a')).toBe(true);
  });

  it('is no other one, nor one that was removed', () => {
    expect(isExisting(upload('content02', 'file02'), 'a')).toBe(false);
    expect(isExisting(upload('content01', 'file02'), 'b')).toBe(false);
    expect(isExisting(upload('content01', 'file02'), 'a', 'gone')).toBe(false);
  });

  it('may be a workspace of an earlier sequence if the name is the same in all', () => {
    const create = (name: string, id: string) => {
      const command: Command = {
        operation: 'createWorkspace',
        condition: 'plain',
        as: 'workspace1',
        path: { name },
      };
      const response = { ...respond(200, { id }), body: { r: { id } } };
      const side = { names: { get: () => undefined } as unknown as SequenceNames, request: {}, response };
      return isExistingRecord(command, side, [], new Set(['w']));
    };
    expect(create('0', 'w')).toBe(true);
    expect(create('0', 'x')).toBe(false);
    expect(create('{{word.workspace01}}', 'w')).toBe(false);
  });
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
