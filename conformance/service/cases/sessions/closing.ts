import { isActive } from '../../../../spec/vocabulary.js';
import { show } from '../../../conversation/json.js';
import { summarize } from '../../http-client/response.js';
import { IN_TIME } from '../../test-case/await-events.js';
import { isActionResult, readCode, type TaskHandle } from '../../test-case/read-task.js';
import {
  cancelActive,
  expectAction,
  expectCancelled,
  expectConfirmed,
  expectStillKnown,
  openSession,
  pollRepeatedly,
  SCRIPT,
} from '../../test-case/task-steps.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import { ACTING } from './sessions.js';

/** Full reads of a closed session until its close counts as having no result. */
const READINGS = 4;

const closed: TestCase = {
  id: 'sessions/closed-by-event',
  title: 'A close ends the session, and later actions have no effect',
  covers: ['SESSION-10', 'POLL-02', 'TASK-02', 'TASK-07', 'TASK-08', 'EVENT-03', 'EVENT-08'],
  parts: ['close'],
  operations: ACTING,
  tasks: 1,
  async run(t) {
    const session = await openSession(t);
    if (!(await expectAction(t, session, 'evaluate_js', SCRIPT, 'SESSION-08'))) return;
    const before = await t.act(session, 'evaluate_js', SCRIPT, { mayBeRefused: true });
    const id = await closeSession(t, session);
    if (id === undefined) return;
    await awaitCloseResult(t, session, id);
    const hasResult = session.events.some((event) => isActionResult(event, before.id));
    const lost = `evaluate_js was accepted before the close: expected a result with its id ${show(before.id)}, got none by the end of the session`;
    if (before.response.ok) t.expect('EVENT-08', hasResult, lost, before.response, session.last);
    await expectNoResult(t, session, 'SESSION-10');
  },
};

/** Sends a close, which has to end the session. Returns its id; undefined if the session did not end. */
async function closeSession(t: TestContext, session: TaskHandle): Promise<string | undefined> {
  const { id, response } = await t.act(session, 'close');
  const refused = response.ok ? [] : (['SESSION-10'] as const);
  // The client may send it twice, before the first has an effect.
  const again = await t.act(session, 'close', undefined, { mayBeRefused: true });
  if (!(await expectConfirmed(t, session, response, 'close', ...refused))) return undefined;
  const second = `a second close right after the first: expected a success or a refusal, got ${summarize(again.response)}`;
  if (again.response.status === 500) t.fail('EVENT-03', second, response, again.response);
  const over = await t.pollUntilEnd(session);
  const message = `close was accepted: expected the session to be over ${IN_TIME}, got ${summarize(session.last)}`;
  if (!t.expectInTime(session, 'SESSION-10', over, message, response, session.last)) return undefined;
  await expectStillKnown(t, session);
  return id;
}

/** Like every action, a close has a result, at the latest with the end of the session: a rule judges that. */
async function awaitCloseResult(t: TestContext, session: TaskHandle, id: string): Promise<void> {
  const hasResult = () => session.events.some((event) => isActionResult(event, id));
  for (let i = 0; i < READINGS && !hasResult(); i++) {
    if (i > 0) await t.sleep(t.settings.pollIntervalMs);
    await t.poll(session, 0);
  }
}

/** The action may be refused, or confirmed without effect: a terminal session must not perform it. */
async function expectNoResult(
  t: TestContext,
  session: TaskHandle,
  requirement: 'SESSION-10' | 'TASK-17',
): Promise<void> {
  const { id, response } = await t.act(session, 'evaluate_js', SCRIPT, { mayBeRefused: true });
  for await (const _ of pollRepeatedly(t, session, 3));
  const done = session.events.find((event) => event.id === id && readCode(event) === 200);
  const message = `the session is ${session.status}: expected an action to be refused or to have no effect, got its result ${show(done)}`;
  t.expect(requirement, done === undefined, message, response, session.last);
}

const CANCEL = ['TASK-13', 'TASK-17', 'POLL-02', 'TASK-02'] as const;

const cancelled: TestCase = {
  id: 'status-codes/session-cancelled',
  title: 'DELETE stops a session, and no other; later actions have no effect',
  covers: [...CANCEL, 'POLL-08'],
  parts: ['sessions'],
  operations: ACTING,
  tasks: 2,
  async run(t) {
    // The older session, since a defective service may stop the latest one.
    const stopped = await openSession(t);
    const other = await openSession(t);
    await expectAction(t, stopped, 'evaluate_js', SCRIPT, 'SESSION-08');
    // How a session ends on its own is open.
    if (!isActive(stopped.status)) return t.inconclusive(`the session was ${stopped.status} after an action`);
    // A pending action must not keep it open.
    await t.act(stopped, 'evaluate_js', SCRIPT);
    await t.poll(other);
    if (!isActive(other.status)) return t.inconclusive(`the other session was ${other.status} by itself`);
    if (!(await cancelActive(t, stopped))) return;
    // At once: how long an idle session stays open is not stated.
    const polled = await t.poll(other);
    const message = `DELETE /task/${stopped.id} was sent: expected the other session, ${other.id}, to keep running, got ${summarize(polled)}`;
    t.expect('TASK-17', isActive(other.status), message, stopped.last, polled);
    await expectCancelled(t, stopped);
    await expectNoResult(t, stopped, 'TASK-17');
    // An event for one session must not affect the other.
    if (isActive(other.status)) await expectAction(t, other, 'evaluate_js', SCRIPT, 'SESSION-08');
  },
};

export const closingCases: readonly TestCase[] = [closed, cancelled];
