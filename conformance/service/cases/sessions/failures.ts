import { RESULT_CODES } from '../../../../spec/vocabulary.js';
import { field, show } from '../../../conversation/json.js';
import type { ApiResponse } from '../../http-client/response.js';
import { codeOf, isActive, summarize } from '../../test-case/read-task.js';
import {
  expectAction,
  expectConfirmed,
  IN_TIME,
  isFailure,
  openSession,
} from '../../test-case/task-steps.js';
import type { TaskHandle, TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import { ACTING } from './sessions.js';

const SCRIPT = { js: 'return 1' };

const NO_ACTION = 'taskdouble_no_such_action';

interface Failing {
  name: string;
  input: Record<string, unknown>;
  /** Nothing is wrong with the request, so that it has to be taken. */
  sound: boolean;
  /** Why it cannot be a success, where that is certain. */
  fails?: string;
}

/** Actions that fail, or may. */
const FAILING: readonly Failing[] = [
  {
    name: 'evaluate_js',
    input: { js: 'throw new Error("on purpose")' },
    sound: true,
    fails: 'the script throws',
  },
  { name: 'goto', input: { url: 'https://taskdouble.invalid/' }, sound: true },
  { name: 'goto', input: {}, sound: false },
  { name: 'extract', input: { schema: 'not a schema' }, sound: false },
  { name: NO_ACTION, input: {}, sound: false, fails: 'there is no such action' },
];

const failing: TestCase = {
  id: 'sessions/action-that-fails',
  title: 'What became of a failed action stands in its result, and the session goes on',
  covers: ['ERROR-09', 'EVENT-08', 'EVENT-11', 'EVENT-12', 'SESSION-01'],
  operations: ACTING,
  tasks: 1,
  async run(t) {
    const session = await openSession(t);
    for (const { name, input, sound, fails } of FAILING) {
      const { id, response } = await t.act(session, name, input);
      const what = `${name} ${show(input)}`;
      // Input that does not validate may be refused like any other.
      if (!response.ok && !sound && response.status < 500) continue;
      const refused = response.ok ? [] : (['ERROR-09'] as const);
      if (!(await expectConfirmed(t, session, response, what, ...refused))) return;
      const result = await t.awaitResult(session, id);
      if (!result && !isActive(session.status)) break;
      const missing = `${what}: expected a result ${IN_TIME}, got none`;
      if (!t.expect('EVENT-08', result !== undefined, missing, response, session.last)) return;
      if (isFailure(result!)) t.expect('ERROR-09', true, what, response, session.last);
      const code = codeOf(result!);
      if (fails !== undefined) {
        const message = `${what}: ${fails}, expected code 400 or 500, got ${show(result!.payload)}`;
        t.expect('EVENT-12', code !== 200, message, response, session.last);
      }
      const known = RESULT_CODES.some((each) => each === code);
      const message = `${what}: expected code 200, 400 or 500, got ${show(code)}`;
      t.expect('EVENT-11', known, message, response, session.last);
    }
    const response = await t.poll(session);
    const message = `an action failed: expected the session to go on running, got ${summarize(response)}`;
    if (!t.expect('SESSION-01', isActive(session.status), message, response)) return;
    await expectAction(t, session, 'evaluate_js', SCRIPT, 'SESSION-01');
  },
};

const refusals: TestCase = {
  id: 'sessions/events-refused',
  title: 'Events under other names, or with a payload that is no object, are refused with 422',
  covers: ['EVENT-05', 'EVENT-03', 'ERROR-01', 'ERROR-02'],
  operations: ACTING,
  tasks: 1,
  async run(t) {
    const session = await openSession(t);
    const good = { name: 'browser_action', payload: { name: 'evaluate_js', input: SCRIPT } };
    const twin = await post(t, session, good);
    if (!(await expectConfirmed(t, session, twin, show(good)))) return;
    const wrong = [
      { name: 'taskdouble_event' },
      { name: 'tool_result' },
      { name: '' },
      { name: 7 },
      { payload: 'evaluate_js' },
      { payload: [good.payload] },
      { payload: 7 },
    ];
    for (const change of wrong) {
      const response = await post(t, session, { ...good, ...change });
      const message = `an event was accepted; the same with ${show(change)}: expected 422, got ${summarize(response)}`;
      if (!t.expect('EVENT-05', response.status === 422, message, twin, response)) continue;
      t.expect('ERROR-01', true, message, twin, response);
      const told = field(response.body, 'detail') !== undefined;
      t.expect('ERROR-02', told, `expected a 422 with detail, got ${summarize(response)}`, response);
    }
    const response = await t.poll(session);
    const message = `events were refused: expected the session to go on running, got ${summarize(response)}`;
    t.expect('EVENT-05', isActive(session.status), message, response);
  },
};

function post(
  t: TestContext,
  session: TaskHandle,
  event: { name: unknown; payload: unknown },
): Promise<ApiResponse> {
  const timestamp = Math.floor(t.now());
  const body = { ...event, id: t.unique(), timestamp };
  return t.send('sendTaskEvent', { path: { task_id: session.id }, body });
}

export const failureCases: readonly TestCase[] = [failing, refusals];
