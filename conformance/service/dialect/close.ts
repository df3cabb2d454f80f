import { statusOf, summarize } from '../test-case/read-task.js';
import type { TestCase } from '../test-case/test-case.js';
import { observe, observeStatus } from './observe.js';
import { resultsOf } from './results.js';
import { goto, isOver, openSession, sendEvent, sendNew } from './task.js';

/** After a close polls follow each other this closely, ms: what comes before the end has to be seen before it. */
const STEP_MS = 100;
/** So long, ms. An end that comes later is waited for at leisure, and what came just before it is not known. */
const CLOSELY_MS = 4000;

/**
 * `session.status-after-close`, `event.result-with-terminal`, `session.event-after-close`,
 * `task.delete-finished`.
 */
export const close: TestCase = {
  id: 'sessions/point-close',
  title: 'How a session ends that is closed, and what answers those who come too late',
  covers: ['SESSION-10', 'POLL-08'],
  operations: ['createTask', 'sendTaskEvent', 'getTask', 'deleteTask'],
  tasks: 1,
  async run(t) {
    const session = await openSession(t);
    await sendNew(t, session, goto(t));
    const id = t.unique();
    const payload = { name: 'close' };
    const closing = await sendEvent(t, session, { id, name: 'session_action', payload, timestamp: t.now() });
    if (!closing.ok) t.inconclusive(`the close is answered with ${closing.status}`);

    const has = () => resultsOf(session.events, id).length > 0;
    const until = t.now() + CLOSELY_MS;
    while (!has() && !isOver(session) && t.now() < until) {
      await t.poll(session);
      if (!has() && !isOver(session)) await t.sleep(STEP_MS);
    }
    const closely = has() || isOver(session);
    if (!closely) await t.pollUntil(session, has);
    const [seen, over] = [session.last, isOver(session)];
    const comes = !has() ? undefined : over ? 'with' : 'before';
    if (!over) await t.pollUntilEnd(session);
    if (!isOver(session)) t.inconclusive('the session was still open after the time to wait');
    t.expect('SESSION-10', true, '', closing, session.last);

    if (closely || comes === 'before') observe(t, 'event.result-with-terminal', comes, seen);
    // A rule says that there has to be one.
    if (!has()) await t.poll(session, 0);
    const { status } = session;
    if (status === 'done' || status === 'cancelled')
      observe(t, 'session.status-after-close', status, session.last);
    observeStatus(t, 'session.event-after-close', (await sendNew(t, session, goto(t))).answer);
    const deleted = await t.send('deleteTask', { path: { task_id: session.id } });
    observeStatus(t, 'task.delete-finished', deleted);
    const after = await t.poll(session);
    if (statusOf(after) === undefined) return;
    const message = `DELETE of a session that is ${status}: expected it to stay so, got ${summarize(after)}`;
    t.expect('POLL-08', session.status === status, message, seen, deleted, after);
  },
};
