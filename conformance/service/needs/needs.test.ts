import { describe, expect, it } from 'vitest';
import type { OperationId } from '../../../spec/generated/operations.js';
import type { ApiResponse } from '../http-client/response.js';
import { applyChange, findChanges } from './changes.js';
import { Needs } from './needs.js';

function refusedWith(detail: unknown): ApiResponse {
  const body = { detail };
  const text = JSON.stringify(body);
  return { seq: 7, status: 422, headers: {}, text, body, r: undefined, ok: false, at: 0 };
}

const tool = (name: string) => ({ name, description: 'd', inputs: { type: 'object' }, output: 'o' });

const entry = (loc: (string | number)[], msg: string, ctx?: object) => [
  { loc: ['body', ...loc], msg, type: 't', ctx },
];

describe('changes of a request that was refused', () => {
  const event = { name: 'session_action', id: 'a', timestamp: 1_767_225_600_000 };
  const run = { ...event, payload: { name: 'run_task', input: { task: 'Go', max_steps: 1 } } };
  it.each<[string, OperationId, object, unknown, object]>([
    [
      'a required field',
      'createTask',
      { task: 'Go' },
      'device is required',
      { task: 'Go', device: 'desktop' },
    ],
    [
      'what a field is called',
      'createTask',
      { task: null },
      'a start page is needed',
      { task: null, url: 'https://example.com/' },
    ],
    [
      'values to choose from',
      'createTask',
      { device: 'desktop' },
      "device: one of 'tv', 'watch'",
      { device: 'tv' },
    ],
    ['an unknown field', 'createTask', {}, 'Missing field: team', { team: 'taskdouble' }],
    [
      'a list that is too long',
      'createTask',
      { custom_tools: ['a', 'b', 'c'].map(tool) },
      'at most two tools',
      { custom_tools: ['a', 'b'].map(tool) },
    ],
    ['a place', 'createTask', { metadata: null }, entry(['metadata'], 'Field required'), { metadata: {} }],
    [
      'a member',
      'createTask',
      { custom_tools: [tool('a_b')] },
      entry(['custom_tools', 0, 'name'], 'No underscores'),
      { custom_tools: [tool('a-b')] },
    ],
    [
      'a length',
      'createTask',
      { task: 'Find the title.' },
      entry(['task'], 'too long', { max_length: 8 }),
      { task: 'Find the' },
    ],
    [
      'a bound',
      'sendTaskEvent',
      run,
      'max_steps: at least 5',
      { ...run, payload: { name: 'run_task', input: { task: 'Go', max_steps: 5 } } },
    ],
    ['a unit', 'sendTaskEvent', run, 'timestamp in seconds', { ...run, timestamp: 1_767_225_600 }],
    ['an address', 'createTask', { url: 'http://a.test' }, 'url: https only', { url: 'https://a.test' }],
  ])('meet %s', (_, operation, body, detail, expected) => {
    const changes = findChanges(operation, body, refusedWith(detail));
    expect(changes.map((change) => applyChange(body, change))).toContainEqual(expected);
  });

  it.each<[string, OperationId, object, unknown]>([
    [
      'leave out a field that is refused',
      'createTask',
      { task: 'Go', device: 'desktop' },
      'device is not known',
    ],
    ['add a field that is optional', 'createTask', { task: 'Go' }, 'response_model is required'],
    ['choose another id of an event', 'sendTaskEvent', { ...event, payload: {} }, 'id has to be a UUID'],
    ['pad a text for the number of an id', 'createTask', { task: 'Find it' }, 'task: see case 98765432109'],
    ['add anything where nothing is named', 'createTask', { task: 'Go' }, 'This cannot be done.'],
    ['change a body whose fields are open', 'createChatTask', { text: 'Go' }, 'device is required'],
    ['change the body for a parameter', 'createTask', {}, [{ loc: ['query', 'x'], msg: 'Field required' }]],
  ])('do not %s', (_, operation, body, detail) => {
    expect(findChanges(operation, body, refusedWith(detail))).toEqual([]);
  });
});

it('what one request needs, later ones of its kind have, and a limit is one for all kinds', () => {
  const learned: string[] = [];
  const needs = new Needs((need) => learned.push(need));
  const session = { body: { task: null, custom_tools: ['a', 'b'].map(tool) } };
  const [url] = findChanges('createTask', session.body, refusedWith('url is required'));
  const [most] = findChanges('createTask', session.body, refusedWith('one tool at most'));
  needs.recordNeed('createTask', session, [url!, most!], refusedWith(''));
  needs.recordNeed('createTask', session, [url!], refusedWith(''));
  expect(learned).toEqual([
    expect.stringMatching(
      /^POST \/task \(session\) needs url, such as "https:.*exchange 7 was refused with 422/,
    ),
    expect.stringMatching(/needs at most 1 in custom_tools/),
  ]);
  expect(needs.amend('createTask', session).body).toEqual({
    task: null,
    custom_tools: [tool('a')],
    url: 'https://example.com/',
  });
  const task = { body: { task: 'Go', custom_tools: ['a', 'b'].map(tool) } };
  expect(needs.amend('createTask', task).body).toEqual({ task: 'Go', custom_tools: [tool('a')] });
  expect(needs.amend('createProfile', { body: { id: 'a' } }).body).toEqual({ id: 'a' });
});
