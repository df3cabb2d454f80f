import { quote } from '../../spec/show.js';
import { type EventName, isTerminal, RESULT_CODES, type ResultCode } from '../../spec/vocabulary.js';
import type { Organisation } from '../engine/organisation.js';
import { act, reply } from '../engine/tasks/acts.js';
import type { Task } from '../engine/tasks/task.js';
import { ApiError, InvalidInput } from '../pipeline/errors.js';
import type { Handlers } from '../pipeline/handler.js';
import { findTask } from './tasks.js';

/** Longest event id, in characters. */
const LONGEST_ID = 256;

/** Section "Event endpoint rules". */
export const eventHandlers: Pick<Handlers, 'sendTaskEvent'> = {
  sendTaskEvent({ organisation, path, body, note }) {
    const task = findTask(organisation, path.task_id);
    const id = readId(organisation, body.id);
    checkTimestamp(organisation, body.timestamp);
    if (body.name === 'tool_call') replyTo(organisation, task, id, body.payload, note);
    else sendAction(organisation, task, id, body.name, body.payload, note);
    return { r: { id } };
  },
};

function readId(organisation: Organisation, id: string | null | undefined): string {
  if (id === null || id === undefined || id === '') {
    if (organisation.dialect['event.missing-id'] === 'refused') {
      throw new InvalidInput([{ loc: ['body', 'id'], msg: 'This field is required.', type: 'missing' }]);
    }
    return organisation.random.uuid();
  }
  if (id.length > LONGEST_ID) {
    const msg = `Expected at most ${LONGEST_ID} characters, got ${id.length}.`;
    throw new InvalidInput([{ loc: ['body', 'id'], msg, type: 'string_too_long' }]);
  }
  return id;
}

function checkTimestamp(organisation: Organisation, timestamp: number | null | undefined): void {
  if (timestamp !== null && timestamp !== undefined) return;
  if (organisation.dialect['event.missing-timestamp'] !== 'refused') return;
  throw new InvalidInput([{ loc: ['body', 'timestamp'], msg: 'This field is required.', type: 'missing' }]);
}

type Note = (text: string) => void;

function replyTo(
  organisation: Organisation,
  task: Task,
  id: string,
  payload: Record<string, unknown>,
  note: Note,
): void {
  const { code, output } = payload;
  if (!Object.hasOwn(payload, 'code') || !Object.hasOwn(payload, 'output')) {
    const field = Object.hasOwn(payload, 'code') ? 'output' : 'code';
    throw new InvalidInput([
      { loc: ['body', 'payload', field], msg: 'A reply carries code and output.', type: 'missing' },
    ]);
  }
  takeReply(organisation, task, { id, code, output, codeAt: ['payload', 'code'] }, note);
}

function sendAction(
  organisation: Organisation,
  task: Task,
  id: string,
  name: EventName,
  payload: Record<string, unknown>,
  note: Note,
): void {
  const { dialect } = organisation;
  if (isKnown(task, id)) {
    if (dialect['event.id-reuse'] === 'refused-400') {
      throw new ApiError(400, `An event with the id "${id}" was sent before: event ids are unique.`);
    }
    if (dialect['event.id-reuse'] === 'same-answer') {
      note(`event id ${id} was sent before: confirmed again, not carried out again`);
      return;
    }
  }
  if (isTerminal(task.status)) {
    refuseFinished(organisation, task);
    return;
  }
  if (!task.session && dialect['event.action-to-one-shot'] !== 'accepted') {
    const status = dialect['event.action-to-one-shot'] === '404' ? 404 : 400;
    throw new ApiError(status, `Task "${task.id}" is no session: only a session (task null) takes actions.`);
  }
  if (task.closing && dialect['session.event-after-close'] !== 'accepted') {
    const status = dialect['session.event-after-close'] === '404' ? 404 : 400;
    throw new ApiError(status, `Session "${task.id}" is being closed: it takes no actions any more.`);
  }
  act(task, id, name, payload);
}

function isKnown(task: Task, id: string): boolean {
  return task.actions?.has(id) === true || task.calls?.has(id) === true;
}

/** The reply to a tool call as a client sent it. */
interface Reply {
  id: string;
  code: unknown;
  output: unknown;
  /** Where the code stands in the body. */
  codeAt: readonly [string, string];
}

/**
 * Takes the reply to a tool call, sent as an event or with the deprecated PUT. Section "Events", rule 4. Throws ApiError
 * as the dialect has it: `event.odd-reply-code`, `event.unknown-tool-reply`, `event.reply-repeated`, and `refuseFinished`.
 */
export function takeReply(
  organisation: Organisation,
  task: Task,
  { id, code, output, codeAt }: Reply,
  note: (text: string) => void,
): void {
  if (!RESULT_CODES.includes(code as ResultCode)) refuseCode(organisation, code, codeAt);
  if (isTerminal(task.status)) {
    refuseFinished(organisation, task);
    return;
  }
  const outcome = reply(task, id, code as ResultCode, output);
  if (outcome === 'repeated') takeRepeated(organisation, task, id, note);
  if (outcome !== 'unknown') return;
  const point = organisation.dialect['event.unknown-tool-reply'];
  if (point === 'accepted') return;
  throw new ApiError(point === '400' ? 400 : 404, `Task "${task.id}" has made no tool call ${quote(id)}.`);
}

/** Throws ApiError unless the dialect confirms a second reply to a call (`event.reply-repeated`). */
function takeRepeated(
  organisation: Organisation,
  task: Task,
  id: string,
  note: (text: string) => void,
): void {
  const point = organisation.dialect['event.reply-repeated'];
  if (point === 'first-counts') {
    note(`a second reply to call ${id}: the first one counts`);
    return;
  }
  throw new ApiError(
    point === '404' ? 404 : 400,
    `Task "${task.id}" has taken a reply to the tool call ${quote(id)} already: each call takes one.`,
  );
}

function refuseCode(organisation: Organisation, code: unknown, at: Reply['codeAt']): never {
  const msg = `Expected one of ${RESULT_CODES.join(', ')}, got ${JSON.stringify(code) ?? 'nothing'}.`;
  if (organisation.dialect['event.odd-reply-code'] === '400')
    throw new ApiError(400, `${at.join('.')}: ${msg}`);
  throw new InvalidInput([{ loc: ['body', ...at], msg, type: 'enum' }]);
}

/** Throws ApiError unless the dialect lets what comes too late go nowhere: `event.to-finished-task`, for sessions `session.event-after-close`. */
export function refuseFinished(organisation: Organisation, task: Task): void {
  const { dialect } = organisation;
  const point = dialect[task.session ? 'session.event-after-close' : 'event.to-finished-task'];
  if (point === 'accepted') return;
  throw new ApiError(
    point === '404' ? 404 : 400,
    `Task "${task.id}" is ${task.status}: it takes no events any more.`,
  );
}
