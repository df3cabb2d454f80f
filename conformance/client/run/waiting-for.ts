import { ACTIONS, type Exchange, isTerminal } from '../../../spec/vocabulary.js';
import type { ActionFact, CallFact, ClientRun, TaskFact } from '../types.js';

type Known = Pick<ClientRun, 'job' | 'exchanges' | 'tasks' | 'rules'>;

/**
 * What a client that did not end was waiting for, in words that go on after "It was waiting for".
 *
 * @param underWay `seq`s of requests that had no answer when it was ended.
 */
export function waitingFor(run: Known, underWay: readonly number[] = []): string {
  const { exchanges, tasks } = run;
  if (exchanges.length === 0) {
    return 'something that cannot be seen from outside: it made no request of the service';
  }
  const held = exchanges.findLast(({ seq }) => underWay.includes(seq));
  if (held) return `the answer to ${named(held)}, which was held back when the run was over`;
  const task = tasks.at(-1);
  if (!task) return withoutTask(exchanges);
  return ofTask(run, task);
}

function withoutTask(exchanges: readonly Exchange[]): string {
  const creates = exchanges.filter(({ kind }) => kind === 'create');
  const last = creates.at(-1);
  if (!last) return `a task: none of its requests (${exchanges.length}) was POST /task`;
  const what = last.response ? `was answered with ${last.response.status}` : 'got no answer';
  return `a task: ${named(last)} ${what}${silentSince(exchanges, last.seq)}`;
}

function ofTask(run: Known, task: TaskFact): string {
  const { exchanges } = run;
  if (isTerminal(task.status) && task.seen_status === task.status) return afterTheEnd(run, task);
  if (isTerminal(task.status)) {
    const last = exchanges.at(-1)!;
    return `the end of its task, which is ${task.status}: no answer that reached it said so${silentSince(exchanges, last.seq)}`;
  }
  const call = task.calls.find(({ reply }) => reply === undefined);
  if (call) return aboutCall(exchanges, call);
  const action = task.actions.at(-1);
  if (action && action.delivered === undefined)
    return `the result of ${nameOf(action)}, which no answer has brought to it${tail(exchanges)}`;
  return nextOfJob(run, task, action);
}

function aboutCall(exchanges: readonly Exchange[], call: CallFact): string {
  const what = `call ${call.step === undefined ? call.tool : `${call.step} (${call.tool})`}`;
  if (call.delivered !== undefined) {
    const tried = exchanges.filter(
      ({ kind, seq, request }) =>
        kind === 'reply' && seq > call.delivered! && request.body?.includes(call.id),
    );
    const refused = tried.at(-1);
    if (refused) {
      const how = refused.response ? `was answered with ${refused.response.status}` : 'got no answer';
      return `a service that itself waits for the reply to ${what}, which reached the client in exchange ${call.delivered}; its last attempt, exchange ${refused.seq}, ${how}${silentSince(exchanges, refused.seq)}`;
    }
    return `a service that itself waits for the reply to ${what}, which reached the client in exchange ${call.delivered}${silentSince(exchanges, call.delivered)}`;
  }
  return `a service that itself waits for the reply to ${what}, which no answer has brought to the client${tail(exchanges)}`;
}

/** Nothing is under way: it is for the client to go on. */
function nextOfJob({ job, exchanges }: Known, task: TaskFact, last: ActionFact | undefined): string {
  const acted = task.actions.filter(({ name }) => name !== 'close').length;
  const next = job.actions[acted];
  const before =
    last?.delivered === undefined
      ? ''
      : ` after the result of ${nameOf(last)} had reached it in exchange ${last.delivered}`;
  const since = last?.delivered === undefined ? tail(exchanges) : silentSince(exchanges, last.delivered);
  if (next)
    return `a service that itself waits for ${next.payload.name}, action ${acted + 1} of the job, which was never sent${before}${since}`;
  const isClosed = task.actions.some(({ name }) => name === 'close');
  if (job.close && !isClosed) {
    const how = job.close === 'event' ? `the close (a ${ACTIONS.close})` : 'the close (DELETE of the task)';
    return `a service that itself waits for ${how}, the last thing in the job${before}${since}`;
  }
  if (job.cancel_after_ms !== null) {
    return `a service that itself waits for the client to stop the task (DELETE) after ${job.cancel_after_ms} ms, as its job says${since}`;
  }
  return `the end of its task, which was ${task.status}${since}`;
}

function afterTheEnd({ exchanges }: Known, task: TaskFact): string {
  const told = exchanges.find(
    ({ task: id, response }) => id === task.id && response?.body.includes(`"${task.status}"`),
  );
  const said = `something that cannot come any more: the task was ${task.status}${told ? `, and exchange ${told.seq} said so` : ''}`;
  const open = task.actions.find(({ delivered }) => delivered === undefined);
  const lost = open ? `; the result of ${nameOf(open)} never came` : '';
  return `${said}${lost}${told ? silentSince(exchanges, told.seq) : ''}`;
}

/** What the client did from then on. */
function silentSince(exchanges: readonly Exchange[], seq: number): string {
  const after = exchanges.filter((exchange) => exchange.seq > seq);
  if (after.length === 0) return '; since then it has sent nothing';
  const polls = after.filter(({ kind }) => kind === 'poll').length;
  if (polls === after.length) return `; since then it polled ${times(polls)}`;
  const others = after.length - polls;
  return `; since then it polled ${times(polls)} and sent ${others} other request${others === 1 ? '' : 's'}`;
}

/** How its requests ended. */
function tail(exchanges: readonly Exchange[]): string {
  const last = exchanges.at(-1)!;
  const polls = exchanges.filter(({ kind }) => kind === 'poll').length;
  return polls === 0
    ? '; it never polled'
    : `; it polled ${times(polls)}, and its last request was ${named(last)}`;
}

function times(count: number): string {
  return ['never', 'once', 'twice'][count] ?? `${count} times`;
}

function named({ seq, kind, request }: Exchange): string {
  const path = request.url.replace(/\?.*$/s, '');
  return kind === 'poll'
    ? `exchange ${seq} (a poll)`
    : `exchange ${seq} (${request.method} ${path.length > 80 ? `${path.slice(0, 77)}...` : path})`;
}

function nameOf({ name, step }: ActionFact): string {
  return step === undefined || step === name ? name : `${step} (${name})`;
}
