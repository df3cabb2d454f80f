import type { RequirementId } from '../../../../spec/generated/documents.js';
import { isActive, type TaskEvent } from '../../../../spec/vocabulary.js';
import { isUrl, readField, show } from '../../../conversation/json.js';
import { summarize } from '../../http-client/response.js';
import { awaitToolCall, expectResult } from '../../test-case/await-events.js';
import {
  isActionResult,
  readCode,
  readOutput,
  readTaskId,
  type TaskHandle,
} from '../../test-case/read-task.js';
import {
  createWeather,
  expectAction,
  expectConfirmed,
  expectTask,
  openSession,
  pollRepeatedly,
  SCRIPT,
  sendReply,
} from '../../test-case/task-steps.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import { createNamed, expectRemoved } from '../resources/lifecycle.js';
import { profiles } from '../resources/lifecycles.js';

const RESULTS = ['EVENT-03', 'EVENT-08', 'EVENT-11', 'EVENT-12'] as const;
export const ACTING = ['createTask', 'getTask', 'sendTaskEvent', 'deleteTask'] as const;

const open: TestCase = {
  id: 'sessions/stays-open',
  title: 'A task without a text is a session that keeps running while it is polled, until it gets an action',
  covers: ['SESSION-01', 'TASK-10', 'TASK-02', 'TASK-03', 'TASK-06', 'TASK-09', 'POLL-02', 'POLL-08'],
  operations: ACTING,
  tasks: 1,
  async run(t) {
    const session = await expectTask(t, { task: null }, 'TASK-10');
    await t.pollUntil(session, ({ status }) => status === 'running');
    const runningFrom = t.now();
    let hasRun = false;
    for await (const response of pollRepeatedly(t, session, 5)) {
      const message = `the session has had no action yet: expected it to be running, got ${summarize(response)}`;
      if (hasRun && ['failed', 'cancelled'].includes(session.status)) {
        // How long a session waits is not stated, but it is not polling that ends it.
        const quiet = await openIdleSession(t, t.now() - runningFrom);
        const other = `${message}, while a session that was polled less was ${quiet.status} after a longer time`;
        if (isActive(quiet.status)) t.fail('POLL-08', other, session.last, quiet.last);
        return t.inconclusive(`the session was ${session.status} while it was idle`);
      }
      t.expect('POLL-08', isActive(session.status), message, session.created, response);
      if (!t.expect('SESSION-01', isActive(session.status), message, session.created, response)) return;
      hasRun = true;
    }
    const result = await expectAction(t, session, 'evaluate_js', SCRIPT, 'SESSION-01');
    if (!result) return;
    await t.sleep(t.settings.pollIntervalMs * 4);
    const response = await t.poll(session);
    // How a session ends on its own is open.
    if (!isActive(session.status)) return t.inconclusive(`the session was ${session.status} after an action`);
    // It may come late, but the browser has performed an action by now.
    const live_url = readField(response.r, 'live_url');
    const address = `the browser is at work: expected live_url to be a URL, ${session.compare('live_url', response)}`;
    t.expect('TASK-06', isUrl(live_url), address, response);
  },
};

/** A session that runs for longer than `idle_ms`, with one poll at the end. */
async function openIdleSession(t: TestContext, idle_ms: number): Promise<TaskHandle> {
  const session = await openSession(t);
  await t.sleep(idle_ms * 2);
  await t.poll(session);
  return session;
}

const withProfile: TestCase = {
  id: 'sessions/with-a-profile',
  title:
    'Sessions may use a profile, each ends on its own, and the profile is gone once it is deleted afterwards',
  covers: ['SESSION-01', 'TASK-10', 'TASK-11', 'TASK-17', 'PROFILE-04'],
  parts: ['sessions'],
  operations: [...ACTING, 'createProfile', 'listProfiles', 'deleteProfile'],
  tasks: 2,
  async run(t) {
    const profile = await createNamed(t, profiles);
    const request = { task: null, url: t.text('page'), profile_id: profile.id };
    const session = await expectTask(t, request, 'TASK-11');
    const result = await expectAction(t, session, 'evaluate_js', SCRIPT, 'SESSION-01');
    if (!result && !isActive(session.status)) {
      const message = `a task with ${show(request)}: expected a session that waits for actions, got ${summarize(session.last)}`;
      t.expect(['SESSION-01', 'TASK-10'], session.status !== 'done', message, session.created, session.last);
    } else if (result) t.expect('TASK-10', true, '', session.created, session.last);
    // Whether two sessions may use a profile at the same time is not stated.
    const second = await t.send('createTask', t.amend('createTask', { body: request, mayBeRefused: true }));
    const id = readTaskId(second);
    if (id === undefined) await stop(t, session);
    else await expectOwnEnd(t, session, t.adoptTask(second, id));
    await expectRemoved(t, profiles, profile);
  },
};

async function stop(t: TestContext, session: TaskHandle): Promise<void> {
  await t.cancel(session);
  await t.pollUntilEnd(session);
}

/** Stops one of two sessions with the same profile, which must not stop the other one, and then the other. */
async function expectOwnEnd(t: TestContext, session: TaskHandle, other: TaskHandle): Promise<void> {
  await t.poll(other);
  const isAtWork = isActive(other.status);
  await stop(t, session);
  const polled = await t.poll(other);
  const message = `DELETE /task/${session.id} was sent: expected another session with the same profile, ${other.id}, to keep running, got ${summarize(polled)}`;
  if (isAtWork) t.expect('TASK-17', isActive(other.status), message, session.last, polled);
  await stop(t, other);
}

const schema = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] };

interface ActionRow {
  name: string;
  requirement: RequirementId;
  title: string;
  /** Of each list, one input has to be accepted. */
  inputs: (t: TestContext) => Record<string, unknown>[][];
}

const ACTION_ROWS: readonly ActionRow[] = [
  {
    name: 'goto',
    requirement: 'SESSION-06',
    title: 'goto is performed and has a result',
    inputs: (t) => [[{ url: t.text('page') }], [{ url: t.text('page') }]],
  },
  {
    name: 'extract',
    requirement: 'SESSION-07',
    title: 'extract is performed and has a result, with and without a prompt',
    inputs: () => [[{ schema, prompt: 'The title of the page.' }], [{ schema }]],
  },
  {
    name: 'evaluate_js',
    requirement: 'SESSION-08',
    title: 'evaluate_js is performed and has a result, with and without args',
    // The form of args is not stated.
    inputs: () => [
      [SCRIPT],
      [
        { ...SCRIPT, args: { n: 1 } },
        { ...SCRIPT, args: [1] },
      ],
    ],
  },
  {
    name: 'run_task',
    requirement: 'SESSION-09',
    title: 'run_task is performed and has a result, with and without max_steps',
    inputs: (t) => [[{ task: t.text('session-task') }], [{ task: t.text('session-task'), max_steps: 8 }]],
  },
];

const actions = ACTION_ROWS.map(
  ({ name, requirement, title, inputs }): TestCase => ({
    id: `sessions/${name.replace('_', '-')}`,
    title: `In a session ${title}`,
    covers: [requirement, ...RESULTS],
    operations: ACTING,
    tasks: 1,
    async run(t) {
      const session = await openSession(t);
      for (const choices of inputs(t)) {
        const others = choices.slice(0, -1);
        if (await tryInputs(t, session, name, others)) continue;
        const result = await expectAction(t, session, name, choices.at(-1)!, requirement);
        if (!result) return;
        if (name === 'extract') expectData(t, session, result);
      }
    },
  }),
);

/** The data match the schema; additional data are open. */
function expectData(t: TestContext, session: TaskHandle, result: TaskEvent): void {
  if (readCode(result) !== 200) return;
  const fits = typeof readField(readOutput(result), 'title') === 'string';
  const message = `extract with the schema ${show(schema)}: expected an object whose title is a text, got ${show(result.payload)}`;
  t.expect('SESSION-07', fits, message, session.last);
}

/** Whether an action with one of these inputs succeeds, without a finding if not. */
async function tryInputs(
  t: TestContext,
  session: TaskHandle,
  name: string,
  inputs: readonly Record<string, unknown>[],
): Promise<boolean> {
  for (const input of inputs) {
    const { id, response } = await t.act(session, name, input);
    const result = response.ok ? await t.awaitResult(session, id) : undefined;
    if (result && readCode(result) === 200) return true;
  }
  return false;
}

/** Calls of one run_task, at most. */
const MOST_CALLS = 4;

const beside: TestCase = {
  id: 'sessions/action-beside-run-task',
  title: 'An action that comes while run_task waits for a tool has its result, and run_task has its own',
  covers: ['EVENT-08', 'SESSION-09'],
  parts: ['sessions', 'tools'],
  operations: ACTING,
  tasks: 1,
  async run(t) {
    const session = await t.createTask({
      task: null,
      url: t.text('page'),
      custom_tools: [t.tool('get_weather')],
    });
    await t.pollUntil(session, ({ status }) => status === 'running');
    const work = await t.act(session, 'run_task', { task: t.text('session-tool-call') });
    if (!(await expectConfirmed(t, session, work.response, 'run_task'))) return;
    let call: TaskEvent | undefined = await awaitToolCall(t, session);
    const script = await t.act(session, 'evaluate_js', SCRIPT, { mayBeRefused: true });
    const hasResult = () => session.events.some((event) => isActionResult(event, work.id));
    for (let calls = 0; call && calls < MOST_CALLS; calls++) {
      if (!(await sendReply(t, session, call, createWeather(t)))) return;
      call = await t.nextToolCall(session, hasResult);
    }
    const what = 'run_task that calls a tool';
    await expectResult(t, session, { id: work.id, what, sent: work.response }, 'SESSION-09');
    // Whether an action is accepted beside another one is not stated.
    const sent = script.response;
    const late = 'evaluate_js that was sent while run_task waited for a tool';
    if (sent.ok) await expectResult(t, session, { id: script.id, what: late, sent }, 'EVENT-08');
  },
};

export const sessionCases: readonly TestCase[] = [open, withProfile, ...actions, beside];
