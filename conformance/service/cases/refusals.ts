import type { RequirementId } from '../../../spec/generated/documents.js';
import { field, show } from '../../conversation/json.js';
import type { ApiResponse } from '../http-client/response.js';
import { idOf, isActive, summarize } from '../test-case/read-task.js';
import { expectConfirmed, openSession, SCRIPT } from '../test-case/task-steps.js';
import type { TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import { TOOLS, textFor } from '../test-case/texts.js';

/** A request that differs from an accepted one, `twin`, in what has to be refused. */
function expectRefused(
  t: TestContext,
  requirement: RequirementId,
  what: string,
  twin: ApiResponse,
  response: ApiResponse,
): void {
  if (response.status === 429) t.inconclusive(`${what} was answered with ${summarize(response)}`);
  const message = `${what}: expected 422, as it is accepted otherwise; got ${summarize(response)}`;
  if (!t.expect(requirement, response.status === 422, message, twin, response)) return;
  t.expect('ERROR-01', true, message, twin, response);
  const hasDetail = field(response.body, 'detail') !== undefined;
  t.expect('ERROR-02', hasDetail, `expected a 422 with detail, got ${summarize(response)}`, response);
}

const REQUIRED = ['name', 'description', 'inputs', 'output'] as const;

const definitions: TestCase = {
  id: 'tool-calls/definition-lacks-a-field',
  title: 'A tool that lacks its name, description, inputs or output is refused with 422',
  covers: ['TOOL-08', 'ERROR-01', 'ERROR-02'],
  operations: ['createTask', 'deleteTask'],
  tasks: 8,
  async run(t) {
    const whole = TOOLS.get_weather;
    const other = { ...whole, name: 'get_forecast' };
    const twin = await register(t, [whole, other]);
    if (!twin.ok) {
      const message = `two tools with all four fields: expected them to be accepted, got ${summarize(twin)}`;
      if (twin.status === 422) t.fail('TASK-11', message, twin);
      return t.inconclusive(message);
    }
    for (const missing of REQUIRED) {
      const { [missing]: _, ...rest } = other;
      // The one that is not right stands alone, then behind one that is.
      expectRefused(t, 'TOOL-08', `a tool without ${missing}`, twin, await register(t, [rest]));
      expectRefused(t, 'TOOL-08', `a second tool without ${missing}`, twin, await register(t, [whole, rest]));
    }
  },
};

/** Creates a task and stops it at once where that is not refused. */
async function register(t: TestContext, custom_tools: readonly object[]): Promise<ApiResponse> {
  const body = { task: textFor(t.settings, 'tool-call'), custom_tools };
  const created = await t.send('createTask', { body });
  const id = idOf(created);
  if (id !== undefined) await t.cancel(t.adoptTask(created, id));
  return created;
}

const ACTION = { name: 'evaluate_js', input: SCRIPT };

const WRONG: readonly Record<string, unknown>[] = [
  { name: 'taskdouble_event' },
  { name: 'tool_result' },
  { name: '' },
  { name: 7 },
  { payload: 'evaluate_js' },
  { payload: [ACTION] },
  { payload: 7 },
];

const events: TestCase = {
  id: 'sessions/events-refused',
  title: 'Events under other names, or with a payload that is no object, are refused with 422',
  covers: ['EVENT-05', 'EVENT-03', 'ERROR-01', 'ERROR-02'],
  operations: ['createTask', 'getTask', 'sendTaskEvent', 'deleteTask'],
  tasks: 1,
  async run(t) {
    const session = await openSession(t);
    const post = (change: Record<string, unknown>) => {
      const event = {
        name: 'browser_action',
        payload: ACTION,
        id: t.unique(),
        timestamp: Math.floor(t.now()),
      };
      return t.send('sendTaskEvent', { path: { task_id: session.id }, body: { ...event, ...change } });
    };
    const twin = await post({});
    if (!(await expectConfirmed(t, session, twin, show(ACTION)))) return;
    for (const change of WRONG)
      expectRefused(t, 'EVENT-05', `an event with ${show(change)}`, twin, await post(change));
    const response = await t.poll(session);
    const message = `events were refused: expected the session to go on running, got ${summarize(response)}`;
    t.expect('EVENT-05', isActive(session.status), message, response);
  },
};

export const refusalCases: readonly TestCase[] = [definitions, events];
