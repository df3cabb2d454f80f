import { isTerminal, RESULT_CODES, type ResultCode } from '../../spec/vocabulary.js';
import type { Organisation } from '../engine/organisation.js';
import { reply } from '../engine/tasks/acts.js';
import type { Task } from '../engine/tasks/task.js';
import { ApiError, InvalidInput, quote } from '../pipeline/errors.js';

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
  const { world } = organisation;
  if (!RESULT_CODES.includes(code as ResultCode)) refuseCode(organisation, code, codeAt);
  if (isTerminal(task.status)) {
    refuseFinished(organisation, task);
    return;
  }
  const outcome = reply(world, task, id, code as ResultCode, output);
  if (outcome === 'repeated') takeRepeated(organisation, task, id, note);
  if (outcome !== 'unknown') return;
  const point = world.setup.dialect['event.unknown-tool-reply'];
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
  const point = organisation.world.setup.dialect['event.reply-repeated'];
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
  if (organisation.world.setup.dialect['event.odd-reply-code'] === '400')
    throw new ApiError(400, `${at.join('.')}: ${msg}`);
  throw new InvalidInput([{ loc: ['body', ...at], msg, type: 'enum' }]);
}

/** Throws ApiError unless the dialect lets what comes too late go nowhere: `event.to-finished-task`, for sessions `session.event-after-close`. */
export function refuseFinished(organisation: Organisation, task: Task): void {
  const { dialect } = organisation.world.setup;
  const point = dialect[task.session ? 'session.event-after-close' : 'event.to-finished-task'];
  if (point === 'accepted') return;
  throw new ApiError(
    point === '404' ? 404 : 400,
    `Task "${task.id}" is ${task.status}: it takes no events any more.`,
  );
}
