import { quote } from '../../spec/show.js';
import { type EventName, isTerminal, RESULT_CODES, type ResultCode } from '../../spec/vocabulary.js';
import { findScript, receiveAction, receiveReply } from '../engine/tasks/client-events.js';
import type { ScriptOutcome } from '../engine/tasks/page.js';
import type { Task } from '../engine/tasks/task.js';
import { ApiError, createInputError, refuseByDialect } from '../exchange/errors.js';
import type { Context, Handlers } from '../pipeline/context.js';
import { requireTask } from './tasks.js';

/** Section "Event endpoint rules". */
export const eventHandlers = {
  sendTaskEvent(context) {
    const { organisation, path, body, note } = context;
    const { name, payload, timestamp } = body;
    const task = requireTask(organisation, path.task_id);
    const isNamed = (body.id ?? '') !== '';
    if (!isNamed && organisation.dialect['event.missing-id'] === 'refused')
      throw createInputError(['body', 'id'], 'This field is required.', 'missing');
    const id = isNamed ? body.id! : organisation.random.uuid();
    const hasNoTime = timestamp === null || timestamp === undefined;
    if (hasNoTime && organisation.dialect['event.missing-timestamp'] === 'refused')
      throw createInputError(['body', 'timestamp'], 'This field is required.', 'missing');
    if (name === 'tool_call') handleReply(task, readReply(isNamed ? id : undefined, payload), note);
    else {
      const script = handleAction(context, { id, name, payload });
      if (script) return script.then(() => ({ r: { id } }));
    }
    return { r: { id } };
  },
} satisfies Partial<Handlers>;

type AddNote = (text: string) => void;

interface ActionRequest {
  id: string;
  name: EventName;
  payload: Record<string, unknown>;
}

/** Settles once the script of the action has run; undefined if it has none. */
function handleAction(
  context: Context<'sendTaskEvent'>,
  action: ActionRequest,
  outcome?: ScriptOutcome,
): Promise<void> | undefined {
  const { organisation, note, path } = context;
  const { id, name, payload } = action;
  const task = requireTask(organisation, path.task_id);
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
    refuseByDialect(organisation, 'event.action-to-one-shot', detail);
  }
  if (task.closing) {
    const detail = `Session "${task.id}" is being closed: it takes no actions any more.`;
    refuseByDialect(organisation, 'session.event-after-close', detail);
  }
  const script = outcome ? undefined : findScript(task, id, payload);
  // The session may end while the script runs: the action is checked again.
  if (script) return context.runScript(script, (result) => handleAction(context, action, result));
  receiveAction(task, id, name, payload, outcome);
  return undefined;
}

interface CallReply {
  /** The id of the call; undefined if the client sent none. */
  id: string | undefined;
  code: unknown;
  output: unknown;
  /** Path of the code in the body. */
  codeAt: readonly [string, string];
}

function readReply(id: CallReply['id'], payload: Record<string, unknown>): CallReply {
  const { code, output } = payload;
  const missing = ['code', 'output'].find((field) => !Object.hasOwn(payload, field));
  if (missing !== undefined)
    throw createInputError(['body', 'payload', missing], 'A reply carries code and output.', 'missing');
  return { id, code, output, codeAt: ['payload', 'code'] };
}

/**
 * Handles the reply to a tool call, sent as an event or with the deprecated PUT. Section "Events", rule 4.
 * Throws ApiError according to the dialect: `event.odd-reply-code`, `event.unknown-tool-reply`,
 * `event.reply-repeated`, and `refuseFinished`.
 */
export function handleReply(task: Task, { id, code, output, codeAt }: CallReply, note: AddNote): void {
  const { organisation } = task;
  if (!RESULT_CODES.includes(code as ResultCode)) {
    const msg = `Expected one of ${RESULT_CODES.join(', ')}, got ${JSON.stringify(code) ?? 'nothing'}.`;
    refuseByDialect(organisation, 'event.odd-reply-code', `${codeAt.join('.')}: ${msg}`);
    throw createInputError(['body', ...codeAt], msg, 'enum');
  }
  if (isTerminal(task.status)) {
    refuseFinished(task);
    return;
  }
  if (id === undefined) {
    const detail = 'The reply has no id: send it with the id of the tool call.';
    refuseByDialect(organisation, 'event.unknown-tool-reply', detail);
    return;
  }
  const outcome = receiveReply(task, id, code as ResultCode, output);
  if (outcome === 'unknown') {
    const detail = `Task "${task.id}" has made no tool call ${quote(id)}.`;
    refuseByDialect(organisation, 'event.unknown-tool-reply', detail);
  }
  if (outcome === 'repeated') {
    const detail = `Task "${task.id}" has taken a reply to the tool call ${quote(id)} already: each call takes one.`;
    refuseByDialect(organisation, 'event.reply-repeated', detail);
    note(`a second reply to call ${quote(id)}: the first one counts`);
  }
}

/** Throws ApiError unless the dialect ignores events that arrive after the end of the task. */
function refuseFinished({ organisation, id, session, status }: Task): void {
  const point = session ? 'session.event-after-close' : 'event.to-finished-task';
  refuseByDialect(organisation, point, `Task "${id}" is ${status}: it takes no events any more.`);
}
