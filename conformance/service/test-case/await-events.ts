import type { RequirementId } from '../../../spec/generated/documents.js';
import { isActive, type TaskEvent } from '../../../spec/vocabulary.js';
import { readField, show } from '../../conversation/json.js';
import { isTime } from '../../rules/service/events.js';
import { type ApiResponse, summarize } from '../http-client/response.js';
import { describeMismatch, readCode, readEvents, type TaskHandle } from './read-task.js';
import type { TestContext } from './test-context.js';

/** Steps that wait for an event. One that polls do not list is looked for in other ways, so that its absence has its reason. */

/** For messages about something that did not arrive. */
export const IN_TIME = 'in time (--timeout gives it longer)';

/** Reads a task with exactly this query, without updating its handle. */
export async function readTask(
  t: TestContext,
  task: TaskHandle,
  query: { event_t?: number; downloads?: boolean },
): Promise<{ response: ApiResponse; events: TaskEvent[] }> {
  const response = await t.send('getTask', { path: { task_id: task.id }, query, key: task.key });
  return { response, events: readEvents(response) };
}

/** `unseen`: an event that only a full list shows. Its time may be in another unit, which a rule reports. */
export function expectSeen(t: TestContext, unseen: TaskEvent | undefined, ...shown: ApiResponse[]): void {
  const message = `polls with the event_t of the last event never showed ${show(unseen?.id)} of ${show(unseen?.timestamp)}, which is there with event_t=0`;
  if (unseen === undefined || isTime(unseen.timestamp, shown[0]!.at))
    t.expect(['POLL-03', 'POLL-04'], unseen === undefined, message, ...shown);
}

/** Reads all events again after a missed one: it may be in the full list, so that the increments skipped it. */
export async function reportMissedEvent(t: TestContext, task: TaskHandle): Promise<boolean> {
  const { last } = task;
  const known = task.events.length;
  const response = await t.poll(task, 0);
  const missed = task.events[known];
  if (!missed) return reportUnlisted(t, task, response);
  const other = describeMismatch(task.events.slice(0, known), missed);
  if (other) t.fail(['POLL-03', 'POLL-04'], `a poll with event_t=0: ${other}`, last, response);
  else expectSeen(t, missed, last, response);
  return true;
}

/** The full list may be what a poll without `event_t` gets, and no other. */
async function reportUnlisted(t: TestContext, task: TaskHandle, withZero: ApiResponse): Promise<boolean> {
  const known = task.events.length;
  const { response } = await readTask(t, task, {});
  task.update(response);
  const missed = task.events[known];
  if (!missed) return false;
  // It may have happened since.
  await t.poll(task, 0);
  if (readEvents(task.last).some(({ id }) => id === missed.id)) return true;
  const message = `polls with event_t=0 do not list ${show(missed.id)} of ${show(missed.timestamp)}, which is there without event_t`;
  t.fail('POLL-04', message, withZero, response, task.last);
  return true;
}

/** The first tool call. Ends the case if there is none. */
export async function awaitToolCall(t: TestContext, task: TaskHandle): Promise<TaskEvent> {
  let call = await t.nextToolCall(task);
  if (!call && isActive(task.status) && (await reportMissedEvent(t, task))) call = await t.nextToolCall(task);
  if (call) return call;
  if (task.serverError) t.expectInTime(task, 'TOOL-01', false, 'the agent called no tool');
  return t.inconclusive(
    isActive(task.status)
      ? `the agent called no tool ${IN_TIME} (texts in the configuration make it clearer)`
      : `the agent ended the task as ${task.status} without calling a tool (texts in the configuration make it clearer)`,
  );
}

/** Waits for the result of an action; reports it if only other polls list it. */
export async function awaitResult(
  t: TestContext,
  session: TaskHandle,
  id: string,
): Promise<TaskEvent | undefined> {
  const result = await t.awaitResult(session, id);
  if (result || !isActive(session.status) || !(await reportMissedEvent(t, session))) return result;
  return t.awaitResult(session, id);
}

/** Waits for the result of an action and checks it against the request. */
export async function expectResult(
  t: TestContext,
  session: TaskHandle,
  action: { id: string; what: string; sent: ApiResponse },
  requirement: RequirementId,
): Promise<TaskEvent | undefined> {
  const { id, what, sent } = action;
  const result = await awaitResult(t, session, id);
  if (!result) {
    if (!isActive(session.status)) return undefined;
    const expected = `${what}: expected a result with the id ${show(id)} ${IN_TIME}`;
    const other = session.events.find((event) => event.id === id);
    const got = other
      ? `an event with that id whose payload is no result, ${show(other.payload)}`
      : show(session.events.map((event) => event.id));
    const message = `${expected}, got ${got}`;
    t.expectInTime(session, 'EVENT-08', false, message, sent, session.last);
    if (readField(session.last.r, 'events') === undefined) {
      const empty = `${what} was confirmed: expected polls to carry events in time, got ${summarize(session.last)}`;
      t.fail('TASK-09', empty, sent, session.last);
    }
    t.fail(requirement, message, sent, session.last);
    return undefined;
  }
  const code = readCode(result);
  // 500 is a problem of the page or network, which a case cannot check.
  if (code === 200 || code === 400) {
    const got = `got ${show(result.payload)}`;
    t.expect(requirement, code === 200, `${what}: expected code 200, ${got}`, sent, session.last);
  }
  return result;
}
