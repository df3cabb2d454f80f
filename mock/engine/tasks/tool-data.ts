import { isObject } from '../../../spec/json-schema/schema.js';
import type { Schemas } from '../../../spec/types.js';
import { isTerminal } from '../../../spec/vocabulary.js';
import type { Organisation } from '../organisation.js';
import { classifyStatus, formatMessageKey, reportOutcome } from '../resources/chats.js';
import type { ChatRequest } from '../resources/records.js';
import type { Call, Task } from './task.js';

/** The data of a tool call: one that a chat requests, or one that the agent made in any task. */
export function findToolData(
  organisation: Organisation,
  tool: string,
  id: string,
): Schemas['ToolResponse'] | undefined {
  const { requests, messages } = organisation.records;
  const request = requests.get(id);
  if (request?.tool === tool) {
    const message = messages.get(formatMessageKey(request.chat, request.t));
    if (message) reportOutcome(organisation, message);
    return viewRequest(request);
  }
  for (const task of organisation.tasks.values()) {
    const call = task.calls?.get(id);
    if (call?.tool === tool) return viewCall(id, call, task);
  }
  return undefined;
}

/** After the end of the task no reply is possible: an open call has failed. */
function viewCall(
  id: string,
  { tool, input, reply }: Call,
  { status }: Pick<Task, 'status'>,
): Schemas['ToolResponse'] {
  const record = { id, tool, input: isObject(input) ? input : { value: input } };
  if (!reply && !isTerminal(status)) return { ...record, status: 'pending', output: null, code: null };
  if (!reply) {
    const output = `The task was ${status} before the call had a reply.`;
    return { ...record, status: 'failed', output, code: 500 };
  }
  return {
    ...record,
    status: reply.code === 200 ? 'done' : 'failed',
    output: reply.output,
    code: reply.code,
  };
}

function viewRequest({ id, tool, input, status }: ChatRequest): Schemas['ToolResponse'] {
  const record = { id, tool, input };
  switch (classifyStatus(status)) {
    case 'yes':
      return { ...record, status: 'done', output: true, code: 200 };
    case 'no':
      return { ...record, status: 'failed', output: `The user answered: ${status}.`, code: 400 };
    case 'open':
      return { ...record, status: 'pending', output: null, code: null };
  }
}
