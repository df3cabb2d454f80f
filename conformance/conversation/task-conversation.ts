import { isTerminal, type TaskStatus, type TerminalStatus } from '../../spec/vocabulary.js';
import type { ReadEvent, WholeEvent } from './body.js';
import { EventTimes } from './event-times.js';
import { asFields, type Fields, field, fingerprint } from './json.js';
import { KeptValue } from './kept-value.js';
import type { Moment, ReadExchange } from './read-exchange.js';
import { saidBy } from './reply.js';

/** Calls, results and actions remembered of a task, each. */
const MOST = 10_000;
/** Responses remembered that listed one event, and requests that sent one reply or action. */
const MOST_OF_ONE = 1000;

/** The request that created the task. */
export interface Creation extends Moment {
  request: Fields;
  /** Its `task` is null. */
  isSession: boolean;
  /** Its `task` is a text. */
  isOneShot: boolean;
}

/** A response that named the status of the task. */
export interface StatusReport<S extends TaskStatus = TaskStatus> extends Moment {
  status: S;
}

/** An event as it was first listed. */
export interface ListedEvent<E extends ReadEvent = ReadEvent> extends Moment {
  event: E;
  /** The same response said that the task is over. */
  isWithEnd: boolean;
}

/** A tool call that was listed. */
export interface ToolCall extends ListedEvent {
  tool: string;
  /** `seq` of the responses that listed it, the first ones. */
  deliveries: number[];
  /** The last response that listed it with a later timestamp: the service has called again. */
  reissued: number | undefined;
}

/** A request, or an event that a response listed, that replies to a tool call. */
export interface ReplyAttempt extends Moment {
  /** Only a response that lists it shows that it was sent; all else is unknown. */
  isEcho: boolean;
  /** When the request arrived, ms; -Infinity for an echo. */
  at: number;
  code: unknown;
  /** Code and output. */
  content: KeptValue;
  /** HTTP status of the response; 0 without one. */
  httpStatus: number;
  /** The client could read that the service took it. */
  isConfirmed: boolean;
}

/** A request that sent an action. */
export interface ActionAttempt extends Moment {
  /** When the request arrived, ms. */
  at: number;
  /** Name of the event, and payload. */
  content: KeptValue;
  isAccepted: boolean;
  /** The client could read that the service took it. */
  isConfirmed: boolean;
  isRefused: boolean;
}

/** An action under one id, however often it was sent. */
export interface SentAction {
  id: string;
  /** Undefined where it was sent under two. */
  eventName: unknown;
  /** Undefined where two shared the id. */
  name: unknown;
  attempts: ActionAttempt[];
  /** The first attempt that was accepted. */
  accepted: ActionAttempt | undefined;
}

/**
 * What the exchanges show of one task. It is built up exchange by exchange, in the order in which they ended: a rule that
 * is shown an exchange finds here what the client could know before it. Memory is bounded.
 */
export class TaskConversation {
  /** Undefined when the exchanges begin later, or when the request was not kept. */
  creation: Creation | undefined;
  /** The exchanges show the creation of the task. */
  isFromStart = false;
  /** The newest response that named a status. */
  latest: StatusReport | undefined;
  /** The first response that said that the task is over. */
  end: StatusReport<TerminalStatus> | undefined;
  /** The first poll that said so. */
  polledEnd: StatusReport<TerminalStatus> | undefined;
  /** The first request to end the task: a close, a DELETE, also of its data. Holds whatever the response was. */
  stop: Moment | undefined;
  /** The client sent a DELETE of the task or its data before it could know that the task is over. */
  isDeletedWhileActive = false;
  /** The client asked for the data of the task to be deleted: nothing is to be expected of it from then on. */
  isDataDeleted = false;
  /** Every event that was listed whole, by its key. */
  readonly events = new Map<string, ListedEvent<WholeEvent>>();
  readonly calls = new Map<string, ToolCall>();
  /** By the id of the event, which is that of its action. */
  readonly results = new Map<string, ListedEvent>();
  readonly replies = new Map<string, ReplyAttempt[]>();
  readonly actions = new Map<string, SentAction>();
  /** An action was sent whose id nobody knows. */
  hasUnidentifiedAction = false;
  readonly times = new EventTimes();
  #isWholeLog = false;
  #isHidden = false;

  /** True when the client cannot have read an event that is not recorded here. */
  get hasWholeLog(): boolean {
    return this.#isWholeLog && !this.#isHidden;
  }

  /** Takes up the next exchange about the task. */
  see(exchange: ReadExchange): void {
    const { operation, reply, action } = exchange;
    if (exchange.isClose || exchange.is('deleteTask', 'deleteTaskData')) this.#stop(exchange);
    if (reply && typeof reply.id === 'string')
      this.#addReply(reply.id, replyAttempt(exchange, reply.payload));
    else if (action && asFields(action.payload)) this.#addAction(exchange);
    this.times.see(exchange);
    if (operation?.id === 'createTask') this.#create(exchange);
    else if (operation?.id === 'getTask') this.#poll(exchange);
  }

  /** The first attempt that was not refused for its form, else the first of all. */
  replyTo(call: unknown): ReplyAttempt | undefined {
    const attempts = typeof call === 'string' ? this.replies.get(call) : undefined;
    return attempts?.find(({ httpStatus }) => httpStatus !== 422) ?? attempts?.[0];
  }

  /** The client knew of the end when it sent this request. */
  isEndKnownTo(exchange: ReadExchange): boolean {
    return this.polledEnd !== undefined && exchange.couldKnow(this.polledEnd);
  }

  /** The task was active when this request was sent, as far as the client could know. */
  wasActive(exchange: ReadExchange): boolean {
    return this.end === undefined && this.latest !== undefined && exchange.couldKnow(this.latest);
  }

  /** Results with the action they belong to. */
  *actionResults(): Generator<{ action: SentAction; result: ListedEvent }> {
    for (const [id, result] of this.results) {
      const action = this.actions.get(id);
      if (action && !isEchoOf(action, result.event)) yield { action, result };
    }
  }

  #create(exchange: ReadExchange): void {
    this.isFromStart = this.#isWholeLog = true;
    const { requestBody } = exchange;
    const request = requestBody.state === 'json' ? asFields(requestBody.value) : undefined;
    if (exchange.ok && request !== undefined) {
      const { task } = request;
      const isSession = task === null;
      this.creation ??= { ...exchange.moment, request, isSession, isOneShot: typeof task === 'string' };
    }
    this.#addStatus(exchange);
  }

  #stop(exchange: ReadExchange): void {
    this.stop ??= exchange.moment;
    if (exchange.isClose) return;
    if (exchange.is('deleteTaskData')) this.isDataDeleted = true;
    if (this.end === undefined || !exchange.couldKnow(this.end)) this.isDeletedWhileActive = true;
  }

  #poll(exchange: ReadExchange): void {
    if (exchange.unclear) this.#isHidden = true;
    if (exchange.record && exchange.cursor.value === 0) this.#isWholeLog = true;
    const end = this.#addStatus(exchange);
    this.polledEnd ??= end;
    for (const event of exchange.events) this.#addEvent(event, exchange, end !== undefined);
    for (const event of exchange.wholeEvents) {
      if (!this.events.has(event.key) && this.events.size < MOST)
        this.events.set(event.key, { ...exchange.moment, event, isWithEnd: end !== undefined });
    }
  }

  #addStatus({ status, seq, respondedAt }: ReadExchange): StatusReport<TerminalStatus> | undefined {
    if (status === undefined) return undefined;
    this.latest = { seq, respondedAt, status };
    if (!isTerminal(status)) return undefined;
    const end = { seq, respondedAt, status };
    this.end ??= end;
    return end;
  }

  #addEvent(event: ReadEvent, exchange: ReadExchange, isWithEnd: boolean): void {
    const { id, name, shape } = event;
    if (id === undefined) return;
    if (shape === 'call') this.#addCall(id, event, exchange, isWithEnd);
    else if (name === 'tool_call') this.#addReplyEcho(id, event, exchange, isWithEnd);
    else if (shape === 'result') this.#addResult(id, event, exchange, isWithEnd);
  }

  /** Some services list a reply as an event: then it was sent. Else it is a result under the wrong name. */
  #addReplyEcho(id: string, event: ReadEvent, exchange: ReadExchange, isWithEnd: boolean): void {
    if (!this.calls.has(id) && !this.replies.has(id)) this.#addResult(id, event, exchange, isWithEnd);
    if (!this.replies.has(id)) this.#addReply(id, echoedReply(exchange, event.payload));
  }

  #addResult(id: string, event: ReadEvent, exchange: ReadExchange, isWithEnd: boolean): void {
    if (!this.results.has(id) && this.results.size < MOST)
      this.results.set(id, { ...exchange.moment, event, isWithEnd });
  }

  #addCall(id: string, event: ReadEvent, exchange: ReadExchange, isWithEnd: boolean): void {
    const known = this.calls.get(id);
    if (known) {
      if ((event.timestamp ?? 0) > (known.event.timestamp ?? 0)) known.reissued = exchange.seq;
      if (known.deliveries.length < MOST_OF_ONE) known.deliveries.push(exchange.seq);
      return;
    }
    if (this.calls.size >= MOST) {
      this.#isHidden = true;
      return;
    }
    const name = field(event.payload, 'name');
    const { seq, respondedAt } = exchange;
    this.calls.set(id, {
      seq,
      respondedAt,
      event,
      isWithEnd,
      tool: typeof name === 'string' ? name : '?',
      deliveries: [seq],
      reissued: undefined,
    });
  }

  #addReply(id: string, attempt: ReplyAttempt): void {
    const known = this.replies.get(id);
    if (known) {
      if (known.length < MOST_OF_ONE) known.push(attempt);
    } else if (this.replies.size < MOST) this.replies.set(id, [attempt]);
  }

  #addAction(exchange: ReadExchange): void {
    const { id: given, name: eventName, payload } = exchange.sent!;
    const id = typeof given === 'string' && given !== '' ? given : field(exchange.record, 'id');
    if (typeof id !== 'string') this.hasUnidentifiedAction = true;
    if (typeof id !== 'string' || this.actions.size >= MOST) return;
    const name = field(payload, 'name');
    const attempt = actionAttempt(exchange);
    const accepted = attempt.isAccepted ? attempt : undefined;
    const known = this.actions.get(id);
    if (!known) {
      this.actions.set(id, { id, eventName, name, attempts: [attempt], accepted });
      return;
    }
    if (known.attempts.length < MOST_OF_ONE) known.attempts.push(attempt);
    known.accepted ??= accepted;
    if (known.eventName !== eventName) known.eventName = undefined;
    if (known.name !== name) known.name = undefined;
  }
}

/** Refused for good: to send it once more would not help. */
export function isRefusalForGood({ httpStatus }: ReplyAttempt): boolean {
  return httpStatus >= 400 && httpStatus < 500 && httpStatus !== 429;
}

function replyAttempt(exchange: ReadExchange, payload: Fields | undefined): ReplyAttempt {
  const { seq, respondedAt, at, httpStatus } = exchange;
  return {
    seq,
    respondedAt,
    isEcho: false,
    at,
    code: payload?.code,
    content: new KeptValue(saidBy(payload), exchange),
    httpStatus,
    isConfirmed: exchange.ok && !exchange.unclear,
  };
}

function echoedReply(exchange: ReadExchange, payload: Fields | undefined): ReplyAttempt {
  return {
    seq: exchange.seq,
    respondedAt: Number.POSITIVE_INFINITY,
    isEcho: true,
    at: Number.NEGATIVE_INFINITY,
    code: payload?.code,
    content: new KeptValue(saidBy(payload), exchange),
    httpStatus: 0,
    isConfirmed: false,
  };
}

function actionAttempt(exchange: ReadExchange): ActionAttempt {
  const { seq, respondedAt, at, ok, isRefused, sent } = exchange;
  return {
    seq,
    respondedAt,
    at,
    content: new KeptValue([sent?.name, sent?.payload], exchange),
    isAccepted: ok,
    isConfirmed: ok && !exchange.unclear,
    isRefused,
  };
}

/** The event lists the action as it was sent. */
function isEchoOf({ attempts }: SentAction, { name, payload }: ReadEvent): boolean {
  return attempts[0]!.content.print === fingerprint([name, payload]);
}
