import { isActive, type TaskEvent } from '../../../../spec/vocabulary.js';
import { isSameJson, show } from '../../../conversation/json.js';
import { summarize } from '../../http-client/response.js';
import { awaitResult, expectResult, IN_TIME } from '../../test-case/await-events.js';
import { collectLeaves } from '../../test-case/read-record.js';
import { isActionResult, readCode, readOutput, type TaskHandle } from '../../test-case/read-task.js';
import { expectConfirmed, openSession, pollForMany, SCRIPT } from '../../test-case/task-steps.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import { ACTING } from './sessions.js';

const NO_ACTION = 'taskdouble_no_such_action';

const THROWING = { js: 'throw new Error("on purpose")' };

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
    input: THROWING,
    sound: true,
    fails: 'the script throws',
  },
  { name: 'goto', input: { url: 'https://taskdouble.invalid/' }, sound: true },
  // One step may be too few.
  { name: 'run_task', input: { task: 'Tell me the title of this page.', max_steps: 1 }, sound: true },
  { name: 'goto', input: {}, sound: false, fails: 'it names no url' },
  { name: 'extract', input: { prompt: 'The title.' }, sound: false, fails: 'it has no schema' },
  { name: 'evaluate_js', input: { args: [1] }, sound: false, fails: 'it has no js' },
  { name: 'run_task', input: { max_steps: 2 }, sound: false, fails: 'it has no task' },
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

const ERROR = 'new Error("on purpose")';
/** What a script can throw besides an error. */
const THROWN = ['"on purpose"', '7', '0', 'false', 'null', '{ reason: "on purpose" }'];

/** Sends the scripts at once; returns the results that arrive. */
async function runAtOnce(
  t: TestContext,
  session: TaskHandle,
  scripts: readonly string[],
): Promise<(TaskEvent | undefined)[]> {
  const sent = [];
  for (const js of scripts) sent.push(await t.act(session, 'evaluate_js', { js }));
  await pollForMany(t, session, sent.length);
  const results = [];
  for (const { id, response } of sent)
    results.push(response.ok ? await awaitResult(t, session, id) : undefined);
  return results;
}

function isFailure(result: TaskEvent | undefined): boolean {
  return [400, 500].includes(Number(result && readCode(result)));
}

/** Where a script that fails with an error has a failure as result, it has one whatever it fails with. */
async function expectFailures(
  t: TestContext,
  session: TaskHandle,
  createScript: (value: string) => string,
): Promise<void> {
  const [asError, ...results] = await runAtOnce(t, session, [ERROR, ...THROWN].map(createScript));
  if (!isFailure(asError)) return;
  for (const [at, result] of results.entries()) {
    const [script, other] = [THROWN[at]!, ERROR].map(createScript);
    const message = `evaluate_js ${show(script)}: expected code 400 or 500, as for ${show(other)}, got ${show(result?.payload)}`;
    if (result) t.expect('EVENT-12', isFailure(result), message, session.last);
  }
}

const thrown: TestCase = {
  id: 'sessions/thrown-values',
  title: 'A script that throws something else than an error fails like one that throws an error',
  covers: ['EVENT-12'],
  operations: ACTING,
  tasks: 1,
  async run(t) {
    const session = await openSession(t);
    await expectFailures(t, session, (value) => `throw ${value}`);
    // Whether a service waits for promises is not stated. One that does not may stop at a rejection that nothing handles.
    const [resolved] = await runAtOnce(t, session, ['return Promise.resolve("taskdouble")']);
    const isAwaited = collectLeaves(resolved?.payload).some(({ value }) => value === 'taskdouble');
    if (isAwaited) await expectFailures(t, session, (value) => `return Promise.reject(${value})`);
  },
};

/** Two scripts with clearly different outputs. */
const OUTPUTS = ['taskdouble-one', 'taskdouble-two'];

const own: TestCase = {
  id: 'sessions/results-of-their-own',
  title: 'Concurrent actions have results of their own, also if one of them fails',
  covers: ['EVENT-08'],
  operations: ACTING,
  tasks: 1,
  async run(t) {
    const session = await openSession(t);
    const sent = [];
    for (const js of [THROWING.js, ...OUTPUTS.map((value) => `return '${value}'`)]) {
      const { id, response } = await t.act(session, 'evaluate_js', { js });
      const what = `evaluate_js ${js} beside other actions, the first of which throws`;
      if (!(await expectConfirmed(t, session, response, what))) return;
      sent.push({ id, what, sent: response, response });
    }
    const [thrown, ...returning] = sent;
    const outputs: unknown[] = [readOutput(await awaitResult(t, session, thrown!.id))];
    for (const action of returning)
      outputs.push(readOutput(await expectResult(t, session, action, 'EVENT-08')));
    const isForeign = outputs.some((output, at) =>
      OUTPUTS.some((each, i) => each === output && i + 1 !== at),
    );
    const isOwn = isSameJson(outputs.slice(1), OUTPUTS);
    const message = `a script that throws and two that return ${show(OUTPUTS)}: expected each output under the id of its action, got ${show(outputs)}`;
    const shown = [...sent.map(({ response }) => response), session.last];
    // Other outputs prove nothing: a service may return script values in another form.
    if (isOwn || isForeign) t.expect('EVENT-08', !isForeign, message, ...shown);
  },
};

const DAY_MS = 86_400_000;

const clocks: TestCase = {
  id: 'sessions/clock-of-the-client',
  title: 'An action has a result with the time of the service, whatever time the client sent',
  covers: ['EVENT-08', 'EVENT-10'],
  operations: ACTING,
  tasks: 1,
  async run(t) {
    const session = await openSession(t);
    const times: number[] = [];
    // The past time comes before the future one: reads continue after the latest time.
    for (const aheadMs of [0, -DAY_MS, DAY_MS, 0]) {
      // Whether a distant time is accepted is open, and so is one before that of an earlier action.
      const mayBeRefused = aheadMs !== 0 || times.length > 0;
      const { id, response } = await t.act(session, 'evaluate_js', SCRIPT, {
        aheadMs,
        ...(mayBeRefused && { mayBeRefused }),
      });
      if (mayBeRefused && (response.status === 400 || response.status === 422)) continue;
      if (!(await expectConfirmed(t, session, response, 'evaluate_js sent at another time'))) return;
      const result = await awaitResult(t, session, id);
      if (!result && !isActive(session.status)) return;
      const missing = `an action sent with a timestamp ${aheadMs} ms from now, after ${times.length} others: expected a result ${IN_TIME}, got none`;
      if (!t.expectInTime(session, 'EVENT-08', result !== undefined, missing, response, session.last)) return;
      const all = await t.poll(session, 0);
      const time = session.events.find((event) => isActionResult(event, id))?.timestamp;
      if (time === undefined) return;
      times.push(time);
      const isNear = Math.abs(time - times[0]!) < DAY_MS / 2;
      const message = `an action sent with a timestamp ${aheadMs} ms from now: expected its result to have the time of the service, such as ${times[0]} before, got ${time}`;
      if (!t.expect('EVENT-10', isNear, message, response, all)) return;
    }
  },
};

export const resultCases: readonly TestCase[] = [failing, thrown, own, clocks];
