import { show } from '../../../conversation/json.js';
import { codeOf, isActive, isResultOf, summarize } from '../../test-case/read-task.js';
import {
  expectAction,
  expectConfirmed,
  expectStillKnown,
  IN_TIME,
  openSession,
} from '../../test-case/task-steps.js';
import type { TaskHandle, TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import { ACTING } from './sessions.js';

const SCRIPT = { js: 'return 1' };

/** So often all events of a closed session are read before its close counts as not answered. */
const READINGS = 4;

const closed: TestCase = {
  id: 'sessions/closed-by-event',
  title: 'A close ends the session, and nothing is done in it any more',
  covers: ['SESSION-10', 'POLL-02', 'TASK-02', 'TASK-07', 'TASK-08', 'EVENT-03', 'EVENT-08'],
  operations: ACTING,
  tasks: 1,
  async run(t) {
    const session = await openSession(t);
    if (!(await expectAction(t, session, 'evaluate_js', SCRIPT, 'SESSION-08'))) return;
    const id = await close(t, session);
    if (id === undefined) return;
    await closeIsAnswered(t, session, id);
    await nothingIsDone(t, session);
    const { status } = session;
    const response = await t.poll(session);
    const message = `expected a session that is ${status} to stay so, got ${summarize(response)}`;
    t.expect('SESSION-10', session.status === status, message, response);
  },
};

const unused: TestCase = {
  id: 'sessions/closed-unused',
  title: 'A session can be closed before anything was done in it',
  covers: ['SESSION-10', 'POLL-02', 'EVENT-03'],
  operations: ACTING,
  tasks: 2,
  async run(t) {
    const other = await openSession(t);
    const session = await openSession(t);
    if ((await close(t, session)) === undefined) return;
    const response = await t.poll(other);
    const message = `session ${session.id} was closed: expected ${other.id} to go on running, got ${summarize(response)}`;
    t.expect('SESSION-10', isActive(other.status), message, session.last, response);
  },
};

const deleted: TestCase = {
  id: 'sessions/stopped-by-delete',
  title: 'After DELETE nothing is done in a session any more',
  covers: ['TASK-17', 'TASK-13', 'POLL-02'],
  operations: ACTING,
  tasks: 1,
  async run(t) {
    const session = await openSession(t);
    if (!(await expectAction(t, session, 'evaluate_js', SCRIPT, 'SESSION-08'))) return;
    const response = await t.cancel(session);
    const taken = `DELETE of an open session: expected success, got ${summarize(response)}`;
    if (!t.expect('TASK-17', response.ok, taken, session.last, response)) return;
    const over = await t.pollUntilEnd(session);
    const message = `DELETE was accepted: expected the status cancelled, got ${summarize(session.last)}`;
    if (!t.expect('TASK-13', over && session.status === 'cancelled', message, session.last)) return;
    await nothingIsDone(t, session, 'TASK-17');
  },
};

/** Sends a close, which has to end the session. Its id; undefined where it did not. */
async function close(t: TestContext, session: TaskHandle): Promise<string | undefined> {
  const { id, response } = await t.act(session, 'close');
  const refused = response.ok ? [] : (['SESSION-10'] as const);
  if (!(await expectConfirmed(t, session, response, 'close', ...refused))) return undefined;
  const over = await t.pollUntilEnd(session);
  const message = `close was accepted: expected the session to be over ${IN_TIME}, got ${summarize(session.last)}`;
  if (!t.expect('SESSION-10', over, message, response, session.last)) return undefined;
  await expectStillKnown(t, session);
  return id;
}

/** Like every action a close has a result, with the end of the session at the latest. */
async function closeIsAnswered(t: TestContext, session: TaskHandle, id: string): Promise<void> {
  const { settings } = t;
  // One that failed had no part in the close.
  if (session.status === 'failed') return;
  const found = () => session.events.find((event) => isResultOf(event, id));
  for (let i = 0; i < READINGS && !found(); i++) {
    if (i > 0) await t.sleep(settings.pollIntervalMs);
    await t.poll(session, 0);
  }
  const result = found();
  const ids = show(session.events.map((event) => event.id));
  const expected = `close was accepted and the session is ${session.status}: expected a result with the id ${show(id)} and the name session_action`;
  const message = `${expected}, got ${result ? show(result) : `events with the ids ${ids}`}`;
  t.expect('EVENT-08', result?.name === 'session_action', message, session.last);
}

/** It may be refused or be confirmed and go nowhere: an action to what is over must not be carried out. */
async function nothingIsDone(
  t: TestContext,
  session: TaskHandle,
  requirement: 'SESSION-10' | 'TASK-17' = 'SESSION-10',
): Promise<void> {
  const { settings } = t;
  const { id, response } = await t.act(session, 'evaluate_js', SCRIPT);
  for (let i = 0; i < 4; i++) {
    await t.sleep(settings.pollIntervalMs);
    await t.poll(session);
  }
  const done = session.events.find((event) => event.id === id && codeOf(event) === 200);
  const message = `the session is ${session.status}: expected an action to be refused or to go nowhere, got its result ${show(done)}`;
  t.expect(requirement, done === undefined, message, response, session.last);
}

export const closingCases: readonly TestCase[] = [closed, unused, deleted];
