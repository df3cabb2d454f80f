import { ACTIONS, isTerminal } from '../../../spec/vocabulary.js';
import { count } from '../../report/text.js';
import type { ServiceAction } from '../types.js';
import { describeOutcome, describeRequest, type ObservedRun } from './observed-run.js';

/** What a client that did not end was waiting for: it follows "It was waiting for". */
export function waitingFor(observed: ObservedRun): string {
  const { exchanges, creates, run } = observed;
  if (exchanges.length === 0)
    return 'something that cannot be seen from outside: it made no request of the service';
  const pending = exchanges.findLast(({ seq }) => run.pending.includes(seq));
  if (pending)
    return `the response to ${describeRequest(pending)}, which was held back when the run was over`;
  const create = creates.at(-1);
  if (!create) return `a task: none of its requests (${exchanges.length}) was POST /task`;
  const task = run.tasks.at(-1);
  if (!task)
    return `a task: ${describeRequest(create)} ${describeOutcome(create)}${since(observed, create.seq)}`;
  const { status, calls, actions } = task;
  const seen = observed.conversation.tasks.get(task.id);
  const resultOf = ({ id }: ServiceAction) => seen?.results.get(id)?.seq;
  if (isTerminal(status)) {
    if (!seen?.end) return `the end of its task, which is ${status}: no response that reached it said so`;
    const open = actions.find((action) => resultOf(action) === undefined);
    const lost = open ? `; the result of ${nameOf(open)} never came` : '';
    return `something that cannot come any more: the task was ${status}, and exchange ${seen.end.seq} said so${lost}${since(observed, seen.end.seq)}`;
  }
  const call = calls.find(({ reply }) => reply === undefined);
  if (call) {
    const waits = `a service that itself waits for the reply to call ${nameOf({ ...call, name: call.tool })}`;
    const delivery = seen?.calls.get(call.id)?.seq;
    if (delivery === undefined) return `${waits}, which no response has brought to the client`;
    const reached = `${waits}, which reached the client in exchange ${delivery}`;
    const reply = observed.calls.get(call.id)?.replies.at(-1);
    if (!reply) return reached + since(observed, delivery);
    return `${reached}; its last attempt, exchange ${reply.seq}, ${describeOutcome(reply)}${since(observed, reply.seq)}`;
  }
  const last = actions.at(-1);
  const result = last && resultOf(last);
  if (last && result === undefined)
    return `the result of ${nameOf(last)}, which no response has brought to it`;
  const after = last ? ` after the result of ${nameOf(last)} had reached it in exchange ${result}` : '';
  return nextOfJob(observed, actions) + after + since(observed, result ?? create.seq);
}

/** Nothing is under way: it is for the client to go on. */
function nextOfJob({ run: { job } }: ObservedRun, actions: readonly ServiceAction[]): string {
  const sent = actions.filter(({ name }) => name !== 'close').length;
  const next = job.actions[sent];
  const waits = 'a service that itself waits for';
  if (next) return `${waits} ${next.payload.name}, action ${sent + 1} of the job, which was never sent`;
  if (job.close && sent === actions.length) {
    const how = job.close === 'event' ? `a ${ACTIONS.close}` : 'DELETE of the task';
    return `${waits} the close (${how}), the last thing in the job`;
  }
  return job.cancel_after_ms === null
    ? 'the end of its task, which goes on'
    : `${waits} the client to stop the task (DELETE) after ${job.cancel_after_ms} ms, as its job says`;
}

/** What the client did after an exchange. */
function since({ exchanges }: ObservedRun, seq: number): string {
  const after = exchanges.filter((exchange) => exchange.seq > seq);
  const polls = after.filter((each) => each.is('getTask')).length;
  const others = after.length - polls;
  if (after.length === 0) return '; since then it has sent nothing';
  return `; since then it sent ${count(polls, 'poll')}${others > 0 ? ` and ${count(others, 'other request')}` : ''}`;
}

function nameOf({ name, step }: Pick<ServiceAction, 'name' | 'step'>): string {
  return step === undefined || step === name ? name : `${step} (${name})`;
}
