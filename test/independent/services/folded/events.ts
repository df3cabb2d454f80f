import { isClosing } from './agent.js';
import { performAction } from './browser.js';
import { type Answer, bodyFields, type Call, extras, findTask, inR, invalid, Refusal } from './http.js';
import type { Fields, Json, TaskState } from './ledger.js';
import { isFields } from './schema.js';

interface EventIn {
  name: string;
  id: string;
  payload: Fields;
}

function readEvent(call: Call): EventIn {
  const { name, payload, id, timestamp } = bodyFields(call);
  if (name !== 'browser_action' && name !== 'session_action' && name !== 'tool_call') {
    throw invalid('body', 'name', 'is not one of the three kinds');
  }
  if (!isFields(payload)) throw invalid('body', 'payload', 'is not an object');
  if (typeof id !== 'string' || id === '') throw invalid('body', 'id', 'is not a text');
  if (!Number.isInteger(timestamp) || (timestamp as number) < 0)
    throw invalid('body', 'timestamp', 'is not a Unix time');
  return { name, payload, id };
}

function confirmEvent(call: Call, id: string): Answer {
  if (call.house.choices.fault('confirmation-true')) return inR(true);
  return inR({ id, ...extras(call, { taken_at: call.now }) });
}

function checkReply(call: Call, task: TaskState, { id, payload }: EventIn): { code: number; output: Json } {
  const { choices, refusedReplies } = call.house;
  const { code, output } = payload;
  const codes = choices.fault('reply-500-refused') ? [200, 400] : [200, 400, 500];
  const nothing = output === undefined || (output === null && choices.fault('reply-null-refused'));
  if (nothing || !codes.includes(code as number)) {
    refusedReplies.add(`${task.id} ${id}`);
    throw invalid('body', 'payload', 'a reply is {code, output} with code 200, 400 or 500');
  }
  if (choices.fault('refused-reply-answers') && refusedReplies.has(`${task.id} ${id}`)) {
    throw new Refusal(400, 'This call was answered.');
  }
  return { code: code as number, output: output! };
}

function takeReply(call: Call, task: TaskState, event: EventIn): Answer {
  const { choices } = call.house;
  const outcome = checkReply(call, task, event);
  const open = task.calls.some((one) => one.id === event.id && !one.reply);
  const late = open && task.status !== 'running';
  if (late && choices.fault('late-reply-revives'))
    call.ledger.append({ kind: 'revived', at: call.now, task: task.id });
  else if ((!open || late) && choices.varies('stray-reply-accepted')) return confirmEvent(call, event.id);
  else if (!open || late) throw new Refusal(400, 'No tool call with this id is open.');
  call.ledger.append({ kind: 'reply', at: call.now, task: task.id, id: event.id, outcome });
  return confirmEvent(call, event.id);
}

/** Results take 100 to 600 ms before they go out with the next burst. */
function dueTime(call: Call, task: TaskState): number {
  const delay = 100 + ((task.usedIds.size * 337 + task.serial * 71) % 501);
  const before = call.house.choices.varies('results-in-order') ? task.atWork.map(({ due }) => due + 1) : [];
  return Math.max(call.now + delay, ...before);
}

function isUsedId(task: TaskState, id: string): boolean {
  return task.usedIds.has(id) || task.calls.some((one) => one.id === id);
}

export function takeEvent(call: Call): Answer {
  const { choices } = call.house;
  const event = readEvent(call);
  const task = findTask(call);
  if (event.name === 'tool_call') return takeReply(call, task, event);
  if (!task.session) throw new Refusal(400, 'Actions are for sessions.');
  const closed = isClosing(task) && !(task.closed !== undefined && choices.fault('close-leaves-open'));
  if (task.status !== 'running' || closed) throw new Refusal(400, 'The session is closed.');
  if (isUsedId(task, event.id)) {
    if (choices.varies('repeated-id-ignored')) return confirmEvent(call, event.id);
    if (!choices.varies('repeated-id-performed')) throw new Refusal(400, 'This event id was used before.');
  }
  const { outcome, page } = performAction(event.name, event.payload, task.page, choices);
  // A script is a text as stated: what is wrong with it is reported by its result.
  const isScript = event.payload['name'] === 'evaluate_js' && isFields(event.payload['input']);
  if (outcome?.code === 400 && !isScript && choices.varies('actions-checked-first')) {
    throw invalid('body', 'payload', String(outcome.output));
  }
  const elsewhere = [...call.ledger.state.tasks.values()].some(
    (one) => one !== task && one.usedIds.has(event.id),
  );
  const lost =
    (choices.fault('third-action-lost') && task.atWork.length >= 2) ||
    (choices.fault('id-known-elsewhere') && elsewhere);
  if (!lost) {
    const action = { ...event, sent: call.now, due: dueTime(call, task), ...(outcome ? { outcome } : {}) };
    call.ledger.append({
      kind: 'action',
      at: call.now,
      task: task.id,
      action,
      ...(page === undefined ? {} : { page }),
    });
  }
  return confirmEvent(call, event.id);
}
