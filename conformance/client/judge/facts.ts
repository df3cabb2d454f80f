import type { Organisation } from '../../../mock/engine/organisation.js';
import { settle } from '../../../mock/engine/tasks/lifecycle.js';
import type { Action, Task } from '../../../mock/engine/tasks/task.js';
import { type Exchange, isTerminal } from '../../../spec/vocabulary.js';
import { field } from '../../conversation/json.js';
import { type ReadEvent, ReadExchange } from '../../conversation/read-exchange.js';
import type { ActionFact, CallFact, TaskFact } from '../types.js';

/** What the facts are made from. */
export interface Seen {
  organisation: Organisation;
  /** The exchanges in the order in which their answers left; those without an answer anywhere. */
  exchanges: readonly Exchange[];
}

/** Every task as it stands at the service, held against what has reached the client. */
export function factsOf({ organisation, exchanges }: Seen): TaskFact[] {
  const { world } = organisation;
  const answers = new Map<string, Answers>();
  for (const exchange of exchanges) {
    if (exchange.task === undefined) continue;
    const known = answers.get(exchange.task) ?? new Answers();
    answers.set(exchange.task, known.add(exchange));
  }
  return [...world.tasks.values()].map((task) => {
    settle(world, task);
    const { id, status, output } = task;
    const reached = answers.get(id) ?? new Answers();
    return {
      id,
      status,
      output,
      seen_status: reached.status,
      calls: callsOf(task, reached),
      actions: [...(task.actions ?? [])].map(([event, action]) => actionFact(event, action, reached)),
    };
  });
}

interface Delivery {
  seq: number;
  at: number;
  /** The same answer said that the task was over. */
  withEnd: boolean;
  event: ReadEvent;
}

/** What whole answers about one task have brought to the client, and what it did to end the task. */
class Answers {
  status: TaskFact['seen_status'];
  /** First deliveries by event id: of calls, and of what has a code. */
  readonly calls = new Map<string, Delivery>();
  readonly results = new Map<string, Delivery>();
  readonly #stops: { seq: number; at: number }[] = [];

  add(exchange: Exchange): this {
    const seen = new ReadExchange(exchange);
    if (stopsTask(seen)) this.#stops.push({ seq: seen.seq, at: exchange.request.at });
    const { status } = seen;
    if (status === undefined) return this;
    if (exchange.kind === 'poll' || this.status === undefined) this.status = status;
    for (const event of seen.events) {
      if (event.id === undefined) continue;
      const first = event.payload && Object.hasOwn(event.payload, 'code') ? this.results : this.calls;
      if (first.has(event.id)) continue;
      const { seq, answeredAt } = seen;
      first.set(event.id, { seq, at: answeredAt, withEnd: isTerminal(status), event });
    }
    return this;
  }

  /** It came with the end, or when the client had stopped the task itself. */
  isTooLate({ seq, at, withEnd }: Delivery): boolean {
    return withEnd || this.#stops.some((stop) => stop.seq < seq || stop.at < at);
  }
}

/** A DELETE of the task, or a close: from then on the client need not care for calls. */
function stopsTask(seen: ReadExchange): boolean {
  if (seen.exchange.kind === 'cancel') return true;
  return seen.sent?.name === 'session_action' && field(seen.sent.payload, 'name') === 'close';
}

function callsOf(task: Task, reached: Answers): CallFact[] {
  return [...(task.calls ?? [])].map(([id, call]) => {
    const delivery = reached.calls.get(id);
    return {
      id,
      step: call.step,
      tool: call.tool,
      input: call.input,
      delivered: delivery?.seq,
      too_late: delivery !== undefined && reached.isTooLate(delivery),
      reply: call.reply && { code: call.reply.code, output: call.reply.output },
    };
  });
}

function actionFact(id: string, { name, step }: Action, reached: Answers): ActionFact {
  const delivery = reached.results.get(id);
  const payload = delivery?.event.payload;
  return {
    id,
    step,
    name,
    delivered: delivery?.seq,
    result: payload && { code: payload.code, output: payload.output },
  };
}
