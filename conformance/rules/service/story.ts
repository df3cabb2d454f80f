import { isTerminal, type TaskStatus, type TerminalStatus } from '../../../spec/vocabulary.js';
import { asFields, type Fields, field } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import { isReplyShaped } from '../../conversation/reply.js';
import { isOwnAnswer, type Moment, momentOf, requestOf } from './checking.js';

/** How a task began. */
export interface Beginning extends Moment {
  request: Fields;
  /** Its `task` is null. */
  session: boolean;
  /** Its `task` is a text. */
  oneShot: boolean;
}

/** What a status was, and when that was known. */
export interface Standing extends Moment {
  /** ms: when it was asked for. */
  at: number;
  status: TaskStatus;
}

/** The life of one task as its exchanges show it. To be shown every exchange about the task, after they were judged. */
export class Story {
  /** Undefined when the stream began later, or when the request was not kept. */
  beginning: Beginning | undefined;
  /** The newest answer that told a status. */
  last: Standing | undefined;
  /** The first answer that said that it is over. */
  end: (Standing & { status: TerminalStatus }) | undefined;
  /** Something was done to end it: a close, a DELETE, also of its data. Holds whatever came of it. */
  stopped: Moment | undefined;
  /** The client asked for its data to be deleted: nothing is to be expected of it from then on. */
  dataDeleted = false;

  see(exchange: ReadExchange): void {
    const isClose =
      field(exchange.sent?.payload, 'name') === 'close' && !isReplyShaped(exchange.sent?.payload);
    if (isClose || exchange.is('deleteTask', 'deleteTaskData')) this.stopped ??= momentOf(exchange);
    if (exchange.is('deleteTaskData')) this.dataDeleted = true;
    if (!isOwnAnswer(exchange)) return;
    if (exchange.is('createTask') && exchange.ok) this.#begin(exchange);
    const { status } = exchange;
    if (status === undefined || !exchange.is('createTask', 'getTask')) return;
    const standing = { ...momentOf(exchange), at: exchange.at, status };
    this.last = standing;
    if (isTerminal(status)) this.end ??= { ...standing, status };
  }

  #begin(exchange: ReadExchange): void {
    const request = asFields(requestOf(exchange));
    if (request === undefined) return;
    const { task } = request;
    this.beginning ??= {
      ...momentOf(exchange),
      request,
      session: task === null,
      oneShot: typeof task === 'string',
    };
  }

  /** The task was active when this request was sent, as far as the client could know. */
  wasActive(exchange: ReadExchange): boolean {
    return this.end === undefined && this.last !== undefined && exchange.couldKnow(this.last);
  }
}
