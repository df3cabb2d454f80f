import { isActive, type TaskEvent } from '../../../../spec/vocabulary.js';
import {
  LONG_TEXTS,
  MEMBERS,
  NUMBERS,
  STORABLE_TEXTS,
  TEXT_ENDS,
} from '../../../common/interesting-values.js';
import { isSameJson, readField, show, showDifference } from '../../../conversation/json.js';
import { summarize } from '../../http-client/response.js';
import { awaitResult, expectResult, IN_TIME } from '../../test-case/await-events.js';
import { isActionResult, readCode, readOutput, type TaskHandle } from '../../test-case/read-task.js';
import { expectAction, expectConfirmed, openSession, SCRIPT } from '../../test-case/task-steps.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import { ACTING } from './sessions.js';

const NO_ACTION = 'taskdouble_no_such_action';

interface FailingAction {
  name: string;
  input: Record<string, unknown>;
  /** The request is valid and has to be accepted. */
  sound: boolean;
  /** Why it cannot succeed, if that is certain. */
  fails?: string;
}

const FAILING: readonly FailingAction[] = [
  {
    name: 'evaluate_js',
    input: { js: 'throw new Error("on purpose")' },
    sound: true,
    fails: 'the script throws',
  },
  { name: 'goto', input: { url: 'https://taskdouble.invalid/' }, sound: true },
  // One step may be too few.
  { name: 'run_task', input: { task: 'Tell me the title of this page.', max_steps: 1 }, sound: true },
  { name: 'goto', input: {}, sound: false },
  { name: 'extract', input: { schema: 'not a schema' }, sound: false },
  { name: NO_ACTION, input: {}, sound: false, fails: 'there is no such action' },
];

/** Events that a service refuses. */
const MALFORMED = [
  { name: 'browser_action', payload: 'goto' },
  { name: 'taskdouble_no_such_event', payload: {} },
];

const failing: TestCase = {
  id: 'sessions/action-that-fails',
  title: 'The result of a failed action shows the failure, and the session continues',
  covers: ['ERROR-09', 'EVENT-08', 'EVENT-11', 'EVENT-12', 'SESSION-01'],
  operations: ACTING,
  tasks: 1,
  async run(t) {
    const session = await openSession(t);
    for (const { name, input, sound, fails } of FAILING) {
      const { id, response } = await t.act(session, name, input, sound ? {} : { mayBeRefused: true });
      const what = `${name} ${show(input)}`;
      // Invalid input may be refused as usual.
      if (!response.ok && !sound && response.status < 500) continue;
      const refused = response.ok ? [] : (['ERROR-09'] as const);
      if (!(await expectConfirmed(t, session, response, what, ...refused))) return;
      const result = await awaitResult(t, session, id);
      if (!result && !isActive(session.status)) break;
      const missing = `${what}: expected a result ${IN_TIME}, got none`;
      if (!t.expectInTime(session, 'EVENT-08', result !== undefined, missing, response, session.last)) return;
      if (fails === undefined) continue;
      const message = `${what}: ${fails}, expected code 400 or 500, got ${show(result!.payload)}`;
      t.expect('EVENT-12', readCode(result!) !== 200, message, response, session.last);
    }
    const response = await t.poll(session);
    // How a session ends on its own is open.
    if (!isActive(session.status))
      return t.inconclusive(`the session was ${session.status} after actions: ${summarize(response)}`);
    for (const body of MALFORMED) {
      const event = { id: t.unique(), timestamp: Math.floor(t.now()), ...body };
      const path = { task_id: session.id };
      const refused = await t.send('sendTaskEvent', { path, body: event, mayBeRefused: true });
      if (refused.ok) continue;
      // No event has the id of one that was refused.
      const { id, response } = await t.act(session, 'evaluate_js', SCRIPT, { id: event.id });
      const what = 'evaluate_js with the id of an event that was refused';
      if (!(await expectConfirmed(t, session, response, what, 'SESSION-01'))) return;
      await expectResult(t, session, { id, what, sent: response }, 'SESSION-01');
    }
  },
};

/** Two scripts with clearly different outputs. */
const OUTPUTS = ['taskdouble-one', 'taskdouble-two'];

const own: TestCase = {
  id: 'sessions/results-of-their-own',
  title: 'The results of two concurrent actions have the outputs of their own actions',
  covers: ['EVENT-08'],
  operations: ACTING,
  tasks: 1,
  async run(t) {
    const session = await openSession(t);
    const sent = [];
    for (const value of OUTPUTS) {
      const action = await t.act(session, 'evaluate_js', { js: `return '${value}'` });
      const what = 'concurrent evaluate_js';
      if (!(await expectConfirmed(t, session, action.response, what))) return;
      sent.push(action);
    }
    const outputs: unknown[] = [];
    for (const { id } of sent) {
      outputs.push(readOutput(await t.awaitResult(session, id)));
    }
    const message = `two scripts that return ${show(OUTPUTS)}: expected each output under the id of its action, got ${show(outputs)}`;
    const shown = [...sent.map(({ response }) => response), session.last];
    const isOwn = show(outputs) === show(OUTPUTS);
    // Other outputs prove nothing: a service may return script values in another form.
    if (isOwn || show(outputs) === show(OUTPUTS.toReversed())) t.expect('EVENT-08', isOwn, message, ...shown);
  },
};

const HOUR_MS = 3_600_000;

const clocks: TestCase = {
  id: 'sessions/clock-of-the-client',
  title: 'A result has the time of the service, not the time of its action',
  covers: ['EVENT-10'],
  operations: ACTING,
  tasks: 1,
  async run(t) {
    const session = await openSession(t);
    const times: number[] = [];
    // The past time comes first: reads continue after the latest time.
    for (const aheadMs of [0, -HOUR_MS, HOUR_MS]) {
      const isOff = aheadMs !== 0;
      const { id, response } = await t.act(session, 'evaluate_js', SCRIPT, {
        aheadMs,
        ...(isOff && { mayBeRefused: true }),
      });
      // Whether a distant time is accepted is open.
      if (isOff && (response.status === 400 || response.status === 422)) continue;
      if (!(await expectConfirmed(t, session, response, 'evaluate_js sent at another time'))) return;
      await t.awaitResult(session, id);
      const all = await t.poll(session, 0);
      const time = session.events.find((event) => isActionResult(event, id))?.timestamp;
      if (time === undefined) return;
      times.push(time);
      const isNear = Math.abs(time - times[0]!) < HOUR_MS / 2;
      const message = `an action sent with a timestamp ${aheadMs} ms from now: expected its result to have the time of the service, such as ${times[0]} before, got ${time}`;
      if (!t.expect('EVENT-10', isNear, message, response, all)) return;
    }
  },
};

/** Values of scripts by type: a usual one, and some that services often change. */
const VALUES: readonly { usual: unknown; unusual: readonly unknown[] }[] = [
  {
    usual: 'taskdouble',
    unusual: ['', ' ', '0170', '42', 'true', 'null', '{}', STORABLE_TEXTS.join(' '), ...LONG_TEXTS],
  },
  { usual: 7, unusual: [0, 0.5, 2 ** 40] },
  { usual: true, unusual: [false] },
  { usual: [7], unusual: [[], [[]], [0, ''], STORABLE_TEXTS, NUMBERS] },
  { usual: { a: 1 }, unusual: [{}, { a: 0, b: '' }, MEMBERS] },
];

function isLong(value: unknown): value is string {
  return LONG_TEXTS.some((text) => text === value);
}

/** Which sizes a service takes is not stated. */
async function sendLong(t: TestContext, session: TaskHandle, js: string): Promise<TaskEvent | undefined> {
  const { id, response } = await t.act(session, 'evaluate_js', { js }, { mayBeRefused: true });
  if ([400, 413, 422].includes(response.status)) return undefined;
  const what = `evaluate_js of ${js.length} characters`;
  if (!(await expectConfirmed(t, session, response, what))) return undefined;
  return expectResult(t, session, { id, what, sent: response }, 'SESSION-08');
}

const values: TestCase = {
  id: 'sessions/values-of-scripts',
  title: 'The output of a script is its value, also if that is empty, long or resembles another type',
  covers: ['EVENT-08', 'EVENT-12', 'SESSION-08'],
  operations: ACTING,
  tasks: 1,
  async run(t) {
    const session = await openSession(t);
    for (const { usual, unusual } of VALUES) {
      const runScript = async (value: unknown) => {
        const js = `return ${JSON.stringify(value)}`;
        const result = isLong(value)
          ? await sendLong(t, session, js)
          : await expectAction(t, session, 'evaluate_js', { js }, 'SESSION-08');
        return result && readCode(result) === 200 ? result.payload : undefined;
      };
      const first = await runScript(usual);
      // The output, or the object with output and cost (open point `event.result-shape`).
      const readValue = [
        (payload: unknown) => readField(payload, 'output'),
        (payload: unknown) => readField(readField(payload, 'output'), 'output'),
      ].find((read) => isSameJson(read(first), usual));
      // A service may return script values in another form.
      if (!readValue) continue;
      for (const value of unusual) {
        const payload = await runScript(value);
        if (payload === undefined) continue;
        const output = readValue(payload);
        const [wanted, got] = showDifference(value, output);
        const size = isLong(value) ? ` of ${value.length} characters` : '';
        const message = `a script that returns ${show(value)}${size}: expected that as output, as for ${show(usual)}: ${wanted}, got ${got}`;
        t.expect(['EVENT-12', 'SESSION-08'], isSameJson(output, value), message, session.last);
      }
    }
    if (!isActive(session.status)) t.inconclusive(`the session was ${session.status} after actions`);
  },
};

/** Ids of actions of many kinds; any unique text is one. */
function createIds(t: TestContext): string[] {
  const digits = `00${t.unique().replaceAll(/\D/g, '')}${Math.floor(t.now())}`;
  return [digits, ` ${t.unique()} `, ...Object.values(TEXT_ENDS).map((end) => t.unique() + end)];
}

/** Differs from the text in the case of its letters alone. */
function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}

const ids: TestCase = {
  id: 'sessions/ids-of-any-text',
  title: 'An action has its result under its id, whatever text that is and whichever other task had it',
  covers: ['EVENT-03', 'EVENT-08'],
  operations: ACTING,
  tasks: 2,
  async run(t) {
    const other = await openSession(t);
    const session = await openSession(t);
    const used = t.unique();
    const accepted = new Set<string>();
    for (const [task, id] of [
      [other, used],
      ...createIds(t).map((each) => [session, each]),
      [session, used],
      [session, swapCase(used)],
    ] as [typeof session, string][]) {
      // Which texts a service takes may have bounds, but a text of the same letters is within them.
      const isWithin = accepted.has(swapCase(id));
      const { response } = await t.act(task, 'evaluate_js', SCRIPT, { id, mayBeRefused: true });
      if (!response.ok && !isWithin) continue;
      accepted.add(id);
      const what = `evaluate_js with the id ${show(id)}`;
      if (!(await expectConfirmed(t, task, response, what))) return;
      if (!(await expectResult(t, task, { id, what, sent: response }, 'EVENT-08'))) return;
    }
  },
};

export const resultCases: readonly TestCase[] = [failing, own, clocks, values, ids];
