import { isTerminal } from '../../spec/vocabulary.js';
import type { ChatRequest, Message } from './chats.js';
import { cancel } from './lifecycle.js';
import type { Organisation } from './organisation.js';

/** Statuses are any text (open point `request.statuses`): what sounds like a yes or a no is one. */
export function verdictOf(status: string): 'yes' | 'no' | 'open' {
  if (/^(approv|accept|allow|done)/i.test(status)) return 'yes';
  if (/^(reject|den[iy]|declin|refus|fail)/i.test(status)) return 'no';
  return 'open';
}

/**
 * The user answers what `message` asks for. A no cancels the task that is still at work on the message, as it may not go
 * on without the tool; whatever is said after the task has ended changes the status only.
 */
export function answerRequest(
  { world }: Organisation,
  message: Message,
  request: ChatRequest,
  status: string,
): void {
  request.status = status;
  const task = message.task_id === null ? undefined : world.tasks.get(message.task_id);
  if (verdictOf(status) !== 'no' || !task || isTerminal(task.status)) return;
  cancel(world, task);
  message.content = `The task was cancelled: the use of the ${request.tool} was not allowed.`;
  message.task_id = null;
}
