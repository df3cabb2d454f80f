import { ACTIONS, isTerminal } from '../../../spec/vocabulary.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import type { TaskConversation } from '../../conversation/task-conversation.js';
import type { ServiceAction, ServiceCall, ServiceTask } from '../types.js';
import type { ObservedRun } from './observed-run.js';

/** What a client that did not end was waiting for, in words that go on after "It was waiting for". */
export function waitingFor(observed: ObservedRun): string {
  const { exchanges, conversation, run } = observed;
  const { tasks, pending } = run;
  if (exchanges.length === 0)
    return 'something that cannot be seen from outside: it made no request of the service';
  const held = exchanges.findLast(({ seq }) => pending.includes(seq));
  if (held) return `the answer to ${describe(held)}, which was held back when the run was over`;
  const task = tasks.at(-1);
  if (!task) return withoutTask(exchanges);
  return new TaskWait(observed, task, conversation.tasks.get(task.id)).describe();
}

function withoutTask(exchanges: readonly ReadExchange[]): string {
  const last = exchanges.findLast((each) => each.is('createTask'));
  if (!last) return `a task: none of its requests (${exchanges.length}) was POST /task`;
  const what = last.httpStatus > 0 ? `was answered with ${last.httpStatus}` : 'got no answer';
  return `a task: ${describe(last)} ${what}${since(exchanges, last.seq)}`;
}

class TaskWait {
  readonly #exchanges: readonly ReadExchange[];

  constructor(
    private readonly observed: ObservedRun,
    /** As the service has it. */
    private readonly task: ServiceTask,
    /** As the client could see it. */
    private readonly seen: TaskConversation | undefined,
  ) {
    this.#exchanges = observed.exchanges;
  }

  describe(): string {
    const { status, calls, actions } = this.task;
    const { end } = this.seen ?? {};
    if (isTerminal(status) && end) return this.#afterEnd(end.seq);
    if (isTerminal(status))
      return `the end of its task, which is ${status}: no answer that reached it said so${since(this.#exchanges, this.#exchanges.at(-1)!.seq)}`;
    const call = calls.find(({ reply }) => reply === undefined);
    if (call) return this.#reply(call);
    const action = actions.at(-1);
    if (action && this.#resultOf(action) === undefined)
      return `the result of ${nameOf(action)}, which no answer has brought to it${tail(this.#exchanges)}`;
    return this.#nextOfJob(action);
  }

  #reply({ id, step, tool }: ServiceCall): string {
    const waits = `a service that itself waits for the reply to call ${step === undefined ? tool : `${step} (${tool})`}`;
    const delivery = this.seen?.calls.get(id)?.seq;
    if (delivery === undefined)
      return `${waits}, which no answer has brought to the client${tail(this.#exchanges)}`;
    const reached = `${waits}, which reached the client in exchange ${delivery}`;
    const refused = this.seen?.replies.get(id)?.at(-1);
    if (!refused) return reached + since(this.#exchanges, delivery);
    const how = refused.httpStatus > 0 ? `was answered with ${refused.httpStatus}` : 'got no answer';
    return `${reached}; its last attempt, exchange ${refused.seq}, ${how}${since(this.#exchanges, refused.seq)}`;
  }

  /** Nothing is under way: it is for the client to go on. */
  #nextOfJob(last: ServiceAction | undefined): string {
    const { job } = this.observed.run;
    const { actions, status } = this.task;
    const acted = actions.filter(({ name }) => name !== 'close').length;
    const next = job.actions[acted];
    const result = last && this.#resultOf(last);
    const before =
      result && last ? ` after the result of ${nameOf(last)} had reached it in exchange ${result}` : '';
    const then = result === undefined ? tail(this.#exchanges) : since(this.#exchanges, result);
    if (next)
      return `a service that itself waits for ${next.payload.name}, action ${acted + 1} of the job, which was never sent${before}${then}`;
    if (job.close && !actions.some(({ name }) => name === 'close')) {
      const how = job.close === 'event' ? `the close (a ${ACTIONS.close})` : 'the close (DELETE of the task)';
      return `a service that itself waits for ${how}, the last thing in the job${before}${then}`;
    }
    if (job.cancel_after_ms !== null)
      return `a service that itself waits for the client to stop the task (DELETE) after ${job.cancel_after_ms} ms, as its job says${then}`;
    return `the end of its task, which was ${status}${then}`;
  }

  #afterEnd(seq: number): string {
    const { status, actions } = this.task;
    const open = actions.find((action) => this.#resultOf(action) === undefined);
    const lost = open ? `; the result of ${nameOf(open)} never came` : '';
    return `something that cannot come any more: the task was ${status}, and exchange ${seq} said so${lost}${since(this.#exchanges, seq)}`;
  }

  /** `seq` of the response that brought it. */
  #resultOf({ id }: ServiceAction): number | undefined {
    return this.seen?.results.get(id)?.seq;
  }
}

/** What the client did from then on. */
function since(exchanges: readonly ReadExchange[], seq: number): string {
  const after = exchanges.filter((exchange) => exchange.seq > seq);
  if (after.length === 0) return '; since then it has sent nothing';
  const polls = after.filter((each) => each.is('getTask')).length;
  if (polls === after.length) return `; since then it polled ${times(polls)}`;
  const others = after.length - polls;
  return `; since then it polled ${times(polls)} and sent ${others} other request${others === 1 ? '' : 's'}`;
}

/** How its requests ended. */
function tail(exchanges: readonly ReadExchange[]): string {
  const polls = exchanges.filter((each) => each.is('getTask')).length;
  return polls === 0
    ? '; it never polled'
    : `; it polled ${times(polls)}, and its last request was ${describe(exchanges.at(-1)!)}`;
}

function times(count: number): string {
  return ['never', 'once', 'twice'][count] ?? `${count} times`;
}

function describe(each: ReadExchange): string {
  const { seq, exchange } = each;
  const { url, method } = exchange.request;
  const path = url.replace(/\?.*$/s, '');
  return each.is('getTask')
    ? `exchange ${seq} (a poll)`
    : `exchange ${seq} (${method} ${path.length > 80 ? `${path.slice(0, 77)}...` : path})`;
}

function nameOf({ name, step }: ServiceAction): string {
  return step === undefined || step === name ? name : `${step} (${name})`;
}
