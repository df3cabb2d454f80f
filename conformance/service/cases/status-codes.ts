import { show } from '../../conversation/json.js';
import { idOf, isActive, isCall, summarize } from '../test-case/read-task.js';
import {
  cancelAtWork,
  expectAction,
  expectEnd,
  expectTask,
  firstToolCall,
  openSession,
} from '../test-case/task-steps.js';
import type { TaskHandle, TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import { textFor, toolFor } from '../test-case/texts.js';

const CANCEL = ['TASK-13', 'TASK-17', 'POLL-02', 'TASK-02'] as const;

const session: TestCase = {
  id: 'status-codes/session-cancelled',
  title: 'DELETE stops a session for good, and that one only',
  covers: [...CANCEL, 'POLL-08'],
  operations: ['createTask', 'getTask', 'deleteTask', 'sendTaskEvent'],
  tasks: 2,
  async run(t) {
    // The older one, lest a service stops whatever came last.
    const stopped = await openSession(t);
    const other = await openSession(t);
    const js = { js: 'return 1' };
    await expectAction(t, stopped, 'evaluate_js', js, 'SESSION-08');
    if (!(await stop(t, stopped))) return;
    await staysCancelled(t, stopped);
    // What was sent to one must not have hit the other.
    const polled = await t.poll(other);
    const message = `DELETE /task/${stopped.id} was sent: expected the other session, ${other.id}, to go on running, got ${summarize(polled)}`;
    t.expect('TASK-17', isActive(other.status), message, stopped.last, polled);
    if (isActive(other.status)) await expectAction(t, other, 'evaluate_js', js, 'SESSION-08');
  },
};

const atACall: TestCase = {
  id: 'status-codes/task-cancelled-at-a-call',
  title: 'DELETE stops a task that waits for the reply to a call',
  covers: CANCEL,
  operations: ['createTask', 'getTask', 'deleteTask', 'sendTaskEvent'],
  tasks: 1,
  async run(t) {
    const { settings } = t;
    const task = await t.createTask({
      task: textFor(settings, 'tool-calls'),
      custom_tools: [toolFor(settings, 'get_weather')],
    });
    const call = await firstToolCall(t, task);
    if (!(await stop(t, task))) return;
    await t.poll(task);
    const calls = task.events.filter(isCall).length;
    // Whatever is said to a reply that comes too late, the agent has stopped.
    await t.reply(task, call.id, 200, { temp_c: 21 });
    await staysCancelled(t, task);
    const more = task.events.filter(isCall).length - calls;
    const message = `expected a cancelled task to call no more tools, got ${show(task.events.at(-1))}`;
    t.expect('TASK-17', more === 0, message, task.last);
  },
};

const atWork: TestCase = {
  id: 'status-codes/task-cancelled-at-work',
  title: 'DELETE stops a one-shot task that has just begun',
  covers: CANCEL,
  operations: ['createTask', 'getTask', 'deleteTask'],
  tasks: 1,
  async run(t) {
    const { settings } = t;
    const task = await t.createTask({ task: textFor(settings, 'long') });
    await cancelAtWork(t, task);
    if (task.status === 'cancelled') await staysCancelled(t, task);
  },
};

/** Stops a task that is active for certain. */
async function stop(t: TestContext, task: TaskHandle): Promise<boolean> {
  const deleted = await t.cancel(task);
  const accepted = `DELETE of a task that is ${task.status}: expected success, got ${summarize(deleted)}`;
  if (!t.expect('TASK-17', deleted.ok, accepted, task.last, deleted)) return false;
  await t.pollUntilEnd(task);
  const message = `DELETE was accepted: expected the status cancelled, got ${summarize(task.last)}`;
  t.expect('TASK-17', !isActive(task.status), message, deleted, task.last);
  return t.expect('TASK-13', task.status === 'cancelled', message, deleted, task.last);
}

async function staysCancelled(t: TestContext, task: TaskHandle): Promise<void> {
  for (let i = 1; i <= 3; i++) {
    await t.sleep(t.settings.pollIntervalMs * i);
    const response = await t.poll(task);
    const message = `expected a cancelled task to stay cancelled, got ${summarize(response)}`;
    t.expect('TASK-13', task.status === 'cancelled' && response.ok, message, response);
  }
}

const failing: TestCase = {
  id: 'status-codes/task-that-cannot-be-done',
  title: 'A task that cannot be done ends like any other, with a status that polls keep showing',
  covers: ['SERVICE-01', 'POLL-02', 'TASK-02', 'TASK-05'],
  operations: ['createTask', 'getTask'],
  tasks: 1,
  async run(t) {
    const task = await t.createTask({ task: textFor(t.settings, 'failing') });
    if (!(await expectEnd(t, task))) return;
    await t.sleep(t.settings.pollIntervalMs);
    await t.poll(task);
  },
};

const fields: TestCase = {
  id: 'status-codes/optional-fields',
  title: 'Each field of a task request beside its text may be there or be left out',
  covers: ['TASK-10', 'TASK-11', 'TASK-14'],
  operations: ['createTask', 'deleteTask'],
  tasks: 6,
  async run(t) {
    const { settings } = t;
    const bare = { task: textFor(settings, 'long') };
    const plain = await expectTask(t, bare, 'TASK-10');
    await t.cancel(plain);
    const more: Record<string, unknown>[] = [
      { task: null, url: textFor(settings, 'page') },
      { device: 'desktop' },
      { custom_tools: [toolFor(settings, 'get_weather')] },
      { response_model: { type: 'object', properties: { title: { type: 'string' } } } },
      { files: [], custom_tools: [] },
    ];
    for (const given of more) {
      const created = await t.send('createTask', { body: { ...bare, ...given } });
      if (created.status === 429 || created.status === 403)
        return t.inconclusive(`POST /task was answered with ${summarize(created)}`);
      const message = `a task without it was accepted; with ${show(given)} expected the same, got ${summarize(created)}`;
      t.expect('TASK-11', created.ok, message, plain.created, created);
      const id = idOf(created);
      if (id !== undefined) await t.cancel(t.adoptTask(created, id));
    }
  },
};

export const statusCases: readonly TestCase[] = [session, atACall, atWork, failing, fields];
