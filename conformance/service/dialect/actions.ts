import { field } from '../../conversation/json.js';
import { codeOf, eventsOf, summarize } from '../test-case/read-task.js';
import type { TaskHandle, TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import { observe } from './observe.js';
import { isEchoed, resultsOf, shapeOf } from './results.js';
import { goto, openSession, SUM, sendEvent, sendNew } from './task.js';

const THROW = { name: 'evaluate_js', input: { js: 'throw new Error("on purpose")' } };

/** `event.echo`, `event.result-shape`, `event.script-error`, `event.id-reuse`, `event.missing-id`, `event.missing-timestamp`. */
export const actions: TestCase = {
  id: 'sessions/point-actions',
  title:
    'What becomes of an action that is sent again, fails, or has no id or timestamp, and what a result looks like',
  covers: ['EVENT-03', 'EVENT-08'],
  operations: ['createTask', 'sendTaskEvent', 'getTask'],
  tasks: 1,
  async run(t) {
    const session = await openSession(t);
    const first = { id: t.unique(), payload: goto(t), timestamp: t.now() };
    const sent = await sendEvent(t, session, first);
    if (!sent.ok) t.inconclusive(`an action is answered with ${summarize(sent)}`);
    const confirmed = typeof field(sent.r, 'id') === 'string';
    t.expect('EVENT-03', confirmed, `an action: expected its id in r, got ${summarize(sent)}`, sent);
    const result = await t.awaitResult(session, first.id);
    if (!result) return t.inconclusive('the session never told the result of an action');
    const message = `the result of a browser_action: expected its name, got ${JSON.stringify(result.name)}`;
    t.expect('EVENT-08', result.name === 'browser_action', message, session.last);

    const again = await sendEvent(t, session, first);
    await leaveOut(t, session);
    const thrown = await sendNew(t, session, THROW);
    // A browser does one thing after another: once this one is done, what came before it is.
    const last = await sendNew(t, session, SUM);
    const value = await t.awaitResult(session, last.id);
    if (value) observe(t, 'event.result-shape', shapeOf(value), session.last);
    await t.sleep(4 * t.settings.pollIntervalMs);
    const all = await t.send('getTask', { path: { task_id: session.id }, query: { event_t: 0 } });
    const events = eventsOf(all);
    const [failed] = resultsOf(events, thrown.id);
    const code = failed && codeOf(failed);
    if (code === 400 || code === 500) observe(t, 'event.script-error', `${code}`, all);
    const times = resultsOf(events, first.id).length;
    if (times === 0) return;
    observe(t, 'event.echo', isEchoed(events, first.id) ? 'plain' : 'none', all);
    if (again.status === 400) observe(t, 'event.id-reuse', 'refused-400', again);
    if (again.ok && value) observe(t, 'event.id-reuse', times > 1 ? 'accepted' : 'same-answer', again, all);
  },
};

async function leaveOut(t: TestContext, session: TaskHandle): Promise<void> {
  const nameless = await sendEvent(t, session, { payload: SUM, timestamp: t.now() });
  if (typeof field(nameless.r, 'id') === 'string') observe(t, 'event.missing-id', 'generated', nameless);
  if (nameless.status === 422) observe(t, 'event.missing-id', 'refused', nameless);
  const timeless = await sendEvent(t, session, { id: t.unique(), payload: SUM });
  if (timeless.ok) observe(t, 'event.missing-timestamp', 'generated', timeless);
  if (timeless.status === 422) observe(t, 'event.missing-timestamp', 'refused', timeless);
}
