import type { Organisation } from '../organisation.js';
import { APPROVAL_GATE } from '../tasks/improvise.js';
import { cancel } from '../tasks/lifecycle.js';
import { verdictOf } from '../tasks/verdict.js';
import { type ChatRequest, type Message, tellOutcome } from './chats.js';

/**
 * The client sets the status of what `message` asks for; false when the task is over and the status is another. A yes lets
 * the task go on that waits for it. A no cancels the task, as it may not go on without the tool.
 */
export function answerRequest(
  organisation: Organisation,
  message: Message,
  request: ChatRequest,
  status: string,
): boolean {
  const { world } = organisation;
  tellOutcome(organisation, message);
  const task = message.task_id === null ? undefined : world.tasks.get(message.task_id);
  if (!task) {
    // A request of the fixtures may be open although no task is at work on it.
    const isOver = verdictOf(request.status) !== 'open' && request.status !== status;
    if (!isOver) request.status = status;
    return !isOver;
  }
  request.status = status;
  const verdict = verdictOf(status);
  if (verdict === 'yes') world.openGate(APPROVAL_GATE, task);
  if (verdict !== 'no') return true;
  cancel(world, task);
  message.content = `The task was cancelled: the use of the ${request.tool} was not allowed.`;
  message.task_id = null;
  return true;
}
