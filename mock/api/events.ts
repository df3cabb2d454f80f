import { quote } from '../../spec/show.js';
import { type EventName, isTerminal, RESULT_CODES, type ResultCode } from '../../spec/vocabulary.js';
import { act, reply, scriptOf } from '../engine/tasks/acts.js';
import type { ScriptOutcome } from '../engine/tasks/page.js';
import type { Task } from '../engine/tasks/task.js';
import { ApiError, invalidInput, refuseBy } from '../exchange/errors.js';
import type { Context, Handlers } from '../pipeline/handler.js';
import { findTask } from './tasks.js';

/** Section "Event endpoint rules". */
export const eventHandlers = {
  sendTaskEvent(context) {
    const { organisation, path, body, note } = context;
    const { name, payload, timestamp } = body;
    const task = findTask(organisation, path.task_id);
    const isNamed = (body.id ?? '') !== '';
    if (!isNamed && organisation.dialect['event.missing-id'] === 'refused')
      throw invalidInput(['body', 'id'], 'This field is required.', 'missing');
    const id = isNamed ? body.id! : organisation.random.uuid();
    const hasNoTime = timestamp === null || timestamp === undefined;
    if (hasNoTime && organisation.dialect['event.missing-timestamp'] === 'refused')
      throw invalidInput(['body', 'timestamp'], 'This field is required.', 'missing');
    if (name === 'tool_call') takeReply(task, readReply(isNamed ? id : undefined, payload), note);
    else {
      const script = sendAction(context, { id, name, payload });
      if (script) return script.then(() => ({ r: { id } }));
    }
    return { r: { id } };
  },
} satisfies Partial<Handlers>;

type Note = (text: string) => void;

interface SentAction {
  id: string;
  name: EventName;
  payload: Record<string, unknown>;
}

/** Settles once the script of the action has run; undefined if it has none. */
function sendAction(
  context: Context<'sendTaskEvent'>,
  action: SentAction,
  outcome?: ScriptOutcome,
): Promise<void> | undefined {
  const { organisation, note, path } = context;
  const { id, name, payload } = action;
  const task = findTask(organisation, path.task_id);
  if (task.actions?.has(id) || task.calls?.has(id)) {
    const choice = organisation.dialect['event.id-reuse'];
    if (choice === 'refused-400')
      throw new ApiError(400, `An event with the id ${quote(id)} was sent before: event ids are unique.`);
    if (choice === 'same-answer') {
      note(`event id ${quote(id)} was sent before: confirmed again, not carried out again`);
      return undefined;
    }
  }
  if (isTerminal(task.status)) {
    refuseFinished(task);
    return undefined;
  }
  if (!task.session) {
    const detail = `Task "${task.id}" is no session: only a session (task null) takes actions.`;
    refuseBy(organisation, 'event.action-to-one-shot', detail);
  }
  if (task.closing) {
    const detail = `Session "${task.id}" is being closed: it takes no actions any more.`;
    refuseBy(organisation, 'session.event-after-close', detail);
  }
  const script = outcome ? undefined : scriptOf(task, id, payload);
  // Meanwhile the session may end: the action is examined again.
  if (script) return context.runScript(script, (result) => sendAction(context, action, result));
  act(task, id, name, payload, outcome);
  return undefined;
}

/** The reply to a tool call as a client sent it. */
interface Reply {
  /** The id of the call; undefined where the client sent none. */
  id: string | undefined;
  code: unknown;
  output: unknown;
  /** Where the code stands in the body. */
  codeAt: readonly [string, string];
}

function readReply(id: Reply['id'], payload: Record<string, unknown>): Reply {
  const { code, output } = payload;
  const missing = ['code', 'output'].find((field) => !Object.hasOwn(payload, field));
  if (missing !== undefined)
    throw invalidInput(['body', 'payload', missing], 'A reply carries code and output.', 'missing');
  return { id, code, output, codeAt: ['payload', 'code'] };
}

/**
 * Takes the reply to a tool call, sent as an event or with the deprecated PUT. Section "Events", rule 4. Throws ApiError
 * as the dialect has it: `event.odd-reply-code`, `event.unknown-tool-reply`, `event.reply-repeated`, and `refuseFinished`.
 */
export function takeReply(task: Task, { id, code, output, codeAt }: Reply, note: Note): void {
  const { organisation } = task;
  if (!RESULT_CODES.includes(code as ResultCode)) {
    const msg = `Expected one of ${RESULT_CODES.join(', ')}, got ${JSON.stringify(code) ?? 'nothing'}.`;
    refuseBy(organisation, 'event.odd-reply-code', `${codeAt.join('.')}: ${msg}`);
    throw invalidInput(['body', ...codeAt], msg, 'enum');
  }
  if (isTerminal(task.status)) {
    refuseFinished(task);
    return;
  }
  if (id === undefined) {
    const detail = 'The reply has no id: send it with the id of the tool call.';
    refuseBy(organisation, 'event.unknown-tool-reply', detail);
    return;
  }
  const outcome = reply(task, id, code as ResultCode, output);
  if (outcome === 'unknown') {
    const detail = `Task "${task.id}" has made no tool call ${quote(id)}.`;
    refuseBy(organisation, 'event.unknown-tool-reply', detail);
  }
  if (outcome === 'repeated') {
    const detail = `Task "${task.id}" has taken a reply to the tool call ${quote(id)} already: each call takes one.`;
    refuseBy(organisation, 'event.reply-repeated', detail);
    note(`a second reply to call ${quote(id)}: the first one counts`);
  }
}

/** Throws ApiError unless the dialect lets what comes too late go nowhere. */
function refuseFinished({ organisation, id, session, status }: Task): void {
  const point = session ? 'session.event-after-close' : 'event.to-finished-task';
  refuseBy(organisation, point, `Task "${id}" is ${status}: it takes no events any more.`);
}
