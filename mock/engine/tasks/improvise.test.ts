import { describe, expect, it } from 'vitest';
import { ACTIONS, type ActionName } from '../../../spec/vocabulary.js';
import { advanceClock, createOrganisation } from '../../../test/support/mock/organisation.js';
import { findLastCall, poll, viewTask } from '../../../test/support/mock/task-actions.js';
import { receiveAction, receiveReply, recordPoll } from './client-events.js';
import { cancel, createTask } from './lifecycle.js';

function findResultPayload(name: ActionName, input: object): unknown {
  const organisation = createOrganisation();
  const task = createTask(organisation, { task: null });
  receiveAction(task, 'e1', ACTIONS[name], { name, input });
  advanceClock(organisation, 1000);
  return task.log.list()[0]?.payload;
}

describe('an improvising agent', () => {
  it('calls each tool, once more after a refusal, and then finishes', () => {
    const organisation = createOrganisation();
    const tool = (name: string) => ({ name, description: 'd', inputs: {}, output: 'o' });
    const task = createTask(organisation, { task: 'Go', custom_tools: [tool('one'), tool('two')] });
    const codes = [400, 200, 200] as const;
    for (const code of codes) {
      advanceClock(organisation, 1000);
      poll(task);
      receiveReply(task, findLastCall(task), code, null);
    }
    advanceClock(organisation, 1000);
    poll(task);
    expect([...task.calls!.values()].map((call) => call.tool)).toEqual(['one', 'one', 'two']);
    expect(viewTask(task)).toMatchObject({
      status: 'done',
      output: 'Done: Go The tool one returned null. The tool two returned null.',
    });
  });

  it('performs the actions of a session in order and closes it', () => {
    const organisation = createOrganisation();
    const task = createTask(organisation, { task: null });
    receiveAction(task, 'e1', 'browser_action', { name: 'goto', input: { url: 'https://example.com' } });
    receiveAction(task, 'e2', 'browser_action', { name: 'extract', input: { schema: {} } });
    advanceClock(organisation, 2000);
    expect(task.log.list().map((event) => [event.id, event.name, event.payload.code])).toEqual([
      ['e1', 'browser_action', 200],
      ['e2', 'browser_action', 200],
    ]);
    expect(task.log.list()[1]!.payload.output).toMatchObject({ output: { made: 'up' }, credits_used: 0 });
    receiveAction(task, 'e3', 'session_action', { name: 'close' });
    advanceClock(organisation, 3000);
    expect(task.status).toBe('done');
  });

  it.each([
    [
      'an unknown name',
      'browser_action',
      { name: 'navigate', input: { url: 'x' } },
      'Unknown action "navigate"',
    ],
    [
      'the wrong event',
      'session_action',
      { name: 'goto', input: { url: 'x' } },
      'must be sent as browser_action',
    ],
    ['no input', 'browser_action', { name: 'goto' }, 'needs input, which is missing'],
    [
      'an input that is a text',
      'browser_action',
      { name: 'goto', input: 'x' },
      'needs input (object); got "x"',
    ],
    ['no task', 'session_action', { name: 'run_task', input: {} }, 'needs input.task, which is missing'],
    [
      'an empty script',
      'browser_action',
      { name: 'evaluate_js', input: { js: '' } },
      'input.js (string); got ""',
    ],
    ['a wrong input', 'browser_action', { name: 'goto', input: { url: 7 } }, 'input.url (string); got 7'],
  ] as const)('responds to an action with %s with 400', (_, event, payload, message) => {
    const organisation = createOrganisation();
    const task = createTask(organisation, { task: null });
    receiveAction(task, 'e1', event, payload);
    advanceClock(organisation, 1000);
    expect(task.log.list()[0]?.payload).toMatchObject({
      code: 400,
      output: expect.stringContaining(message),
    });
  });

  it.each([
    ['goto', { url: null }, 'input.url (string); got null'],
    ['extract', { schema: {}, prompt: 5 }, 'input.prompt (string or null); got 5'],
    ['extract', { schema: [] }, 'input.schema (object); got []'],
    ['evaluate_js', { js: ['return 1'] }, 'input.js (string); got ["return 1"]'],
    ['run_task', { task: 'x', max_steps: '7' }, 'input.max_steps (integer or null); got "7"'],
    ['run_task', { task: 'x', max_steps: 1 }, 'input.max_steps, which must be >= 2; got 1'],
    ['run_task', { task: 'x', response_model: 'text' }, 'input.response_model (object or null); got "text"'],
    ['run_task', { task: 'x', url: 5 }, 'input.url (string or null); got 5'],
    ['run_task', { task: 'x', metadata: 5 }, 'input.metadata (object or null); got 5'],
    [
      'run_task',
      { task: 'x', metadata: { a: [] } },
      'input.metadata.a (string or number or boolean); got []',
    ],
    ['run_task', { task: 'x', secrets: 5 }, 'input.secrets (object or null); got 5'],
    ['run_task', { task: 'x', secrets: { pin: 5 } }, 'input.secrets.pin (object); got 5'],
    ['run_task', { task: 'x', secrets: { pin: { value: 5 } } }, 'input.secrets.pin.value (string); got 5'],
    ['run_task', { task: 'x', secrets: { pin: {} } }, 'input.secrets.pin.value, which is missing'],
    ['run_task', { task: 5, url: 5 }, 'input.task (string); got 5'],
  ] as const)('responds to %s with the input %j with 400', (name, input, message) => {
    expect(findResultPayload(name, input)).toEqual({ code: 400, output: expect.stringContaining(message) });
  });

  it.each([
    ['goto', { url: 'https://example.com', wait: 5 }],
    ['extract', { schema: {}, prompt: null, more: [] }],
    ['evaluate_js', { js: 'return 1', args: 5 }],
    ['evaluate_js', { js: 'return 1', args: null }],
    [
      'run_task',
      { task: 'x', max_steps: null, response_model: null, url: null, metadata: null, secrets: null },
    ],
    [
      'run_task',
      { task: 'x', metadata: { a: 1, b: 'c', d: true }, secrets: { pin: { value: 'x', note: 5 } } },
    ],
    ['run_task', { task: 'x', device: 5 }],
  ] as const)('performs %s with the input %j', (name, input) => {
    expect(findResultPayload(name, input)).toMatchObject({ code: 200 });
  });

  it('sends a 500 result for each pending action when the session is closed or cancelled', () => {
    for (const end of ['close', 'cancel'] as const) {
      const organisation = createOrganisation();
      const task = createTask(organisation, { task: null });
      receiveAction(task, 'slow', 'session_action', { name: 'run_task', input: { task: 'Read' } });
      if (end === 'close') receiveAction(task, 'c', 'session_action', { name: 'close' });
      else cancel(task);
      advanceClock(organisation, 1000);
      const slow = task.log.find('slow');
      expect(slow?.payload.code).toBe(500);
      expect(task.log.list().filter((event) => event.id === 'slow').length).toBe(1);
    }
  });

  it('ends an idle session after the idle time-out, counted from the last request of the client', () => {
    const organisation = createOrganisation({ dialect: { 'session.idle-timeout': 10_000 } });
    const task = createTask(organisation, { task: null });
    advanceClock(organisation, 9000);
    recordPoll(task, 0, 0);
    advanceClock(organisation, 9000);
    expect(task.status).toBe('running');
    advanceClock(organisation, 1000);
    expect(task.status).toBe('cancelled');
  });
});
