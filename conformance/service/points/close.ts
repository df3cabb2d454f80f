import type { Probe } from '../probe.js';
import { observe, observeStatus } from './observe.js';
import { resultsOf } from './results.js';
import { goto, isOver, openSession, sendEvent, sendNew } from './task.js';

/** How long the first poll after a close waits, ms: a client that looks at once sees less of what comes together. */
const AFTER_CLOSE_MS = 1000;

/**
 * `session.close-result`, `session.status-after-close`, `event.result-with-terminal`, `session.event-after-close`,
 * `task.delete-finished`. The action before the close shows when results come where a close gets none.
 */
export const close: Probe = {
  id: 'sessions/point-close',
  title: 'How a session ends that is closed, and what answers those who come too late',
  covers: ['SESSION-10'],
  operations: ['createTask', 'sendTaskEvent', 'getTask', 'deleteTask'],
  tasks: 1,
  async run(t) {
    const session = await openSession(t);
    const action = await sendNew(t, session, goto(t));
    const id = t.unique();
    const payload = { name: 'close' };
    const closing = await sendEvent(t, session, { id, name: 'session_action', payload, timestamp: t.now() });
    if (!closing.ok) t.inconclusive(`the close is answered with ${closing.status}`);
    await t.sleep(AFTER_CLOSE_MS);

    const has = (event: string) => resultsOf(session.events, event).length > 0;
    await t.player.pollUntil(session, () => has(id) || has(action.id));
    let seen = { when: session.last, over: isOver(session), any: has(id) || has(action.id) };
    if (!has(id) && !seen.over) {
      await t.player.pollUntil(session, () => has(id));
      if (has(id)) seen = { when: session.last, over: isOver(session), any: true };
    }
    if (!isOver(session)) await t.player.untilEnd(session);
    if (!isOver(session)) t.inconclusive('the session was still open after the time to wait');
    t.expect('SESSION-10', true, '', closing, session.last);

    observe(t, 'session.close-result', has(id) ? 'result-event' : 'none', session.last);
    if (seen.any) observe(t, 'event.result-with-terminal', seen.over ? 'with' : 'before', seen.when);
    const { status } = session;
    if (status === 'done' || status === 'cancelled')
      observe(t, 'session.status-after-close', status, session.last);
    observeStatus(t, 'session.event-after-close', (await sendNew(t, session, goto(t))).answer);
    observeStatus(t, 'task.delete-finished', await t.send('deleteTask', { path: { task_id: session.id } }));
  },
};
