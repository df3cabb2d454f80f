import { isTerminal, type TaskStatus, type TerminalStatus } from '../../spec/vocabulary.js';
import type { ReadEvent, WholeEvent } from './body.js';
import { EventTimes } from './event-times.js';
import { asFields, type Fields, field, fingerprint } from './json.js';
import { type Moment, printOfReply, type ReadExchange } from './read-exchange.js';

/** Calls, results and actions remembered of a task, each. */
const MOST = 10_000;
/** Responses remembered that listed one event, and requests that sent one reply or action. */
const MOST_OF_ONE = 1000;

/** The request that created the task. */
export interface Creation extends Moment {
  request: Fields;
  /** Its `task` is null. */
  isSession: boolean;
}

/** A response that named the status of the task. */
export interface StatusReport<S extends TaskStatus = TaskStatus> extends Moment {
  status: S;
  /** The `event_t` that its events were read from, if it lists events. */
  readFrom: number | undefined;
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
  /** A later response listed it with a later timestamp: the service has called again. */
  isReissued: boolean;
}

/** A request that sent a reply or an action. */
export interface Attempt extends Moment {
  /** When the request arrived, ms. */
  at: number;
  /** The same for the same content: code and output of a reply, name and payload of an action. */
  print: string;
  /** HTTP status of the response; 0 without one. */
  httpStatus: number;
  isAccepted: boolean;
  isRefused: boolean;
  /** The client could read that the service took it. */
  isConfirmed: boolean;
}

/** A request, or an event that a response listed, that replies to a tool call. */
export interface ReplyAttempt extends Attempt {
  /** Only a response that lists it shows that it was sent; all else is unknown. `at` is -Infinity. */
  isEcho: boolean;
  code: unknown;
}

/** An action under one id, however often it was sent. */
export interface SentAction {
  id: string;
  /** Undefined where it was sent under two. */
  eventName: unknown;
  /** Undefined where two shared the id. */
  name: unknown;
  attempts: Attempt[];
  /** The first attempt that was accepted. */
  accepted: Attempt | undefined;
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
  /** The first DELETE of the task that the service accepted. */
  cancelled: (Moment & { wasActive: boolean }) | undefined;
  /** The first close or DELETE of the task whose confirmation the client could read. */
  closed: Moment | undefined;
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
  /** An action was sent whose id is unknown. */
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
    const { reply, action } = exchange;
    if (exchange.isClose || exchange.is('deleteTask', 'deleteTaskData')) this.#stop(exchange);
    if (reply && typeof reply.id === 'string') {
      const code = reply.payload?.code;
      this.#addReply(reply.id, { ...attemptOf(exchange, reply.print), code, isEcho: false });
    } else if (asFields(action?.payload)) this.#addAction(exchange);
    this.times.see(exchange);
    if (exchange.is('createTask')) this.#create(exchange);
    else if (exchange.is('getTask')) this.#poll(exchange);
  }

  /** The first attempt that was not refused for its form, else the first of all. */
  replyTo(call: unknown): ReplyAttempt | undefined {
    const attempts = this.replies.get(call as string);
    return attempts?.find(({ httpStatus }) => httpStatus !== 422) ?? attempts?.[0];
  }

  /** The poll that showed the end of the task, if the client knew of it when it sent this request. */
  endKnownTo(exchange: ReadExchange): StatusReport<TerminalStatus> | undefined {
    return this.polledEnd && exchange.couldKnow(this.polledEnd) ? this.polledEnd : undefined;
  }

  /** The task was active when this request was sent, as far as the client could know. */
  wasActive(exchange: ReadExchange): boolean {
    return this.end === undefined && this.latest !== undefined && exchange.couldKnow(this.latest);
  }

  /** Results with the action they belong to. */
  actionResults(): { action: SentAction; result: ListedEvent }[] {
    return [...this.results].flatMap(([id, result]) => {
      const action = this.actions.get(id);
      const { name, payload } = result.event;
      // It may also list the action as it was sent.
      const isResult = action && action.attempts[0]!.print !== fingerprint([name, payload]);
      return isResult ? [{ action, result }] : [];
    });
  }

  #create(exchange: ReadExchange): void {
    this.isFromStart = this.#isWholeLog = true;
    const request = asFields(exchange.requestJson);
    if (exchange.ok && request !== undefined)
      this.creation ??= { ...exchange.moment, request, isSession: request.task === null };
    this.#addStatus(exchange);
  }

  #stop(exchange: ReadExchange): void {
    const { moment } = exchange;
    this.stop ??= moment;
    if (exchange.is('deleteTask') && exchange.ok)
      this.cancelled ??= { ...moment, wasActive: this.wasActive(exchange) };
    if (!exchange.is('deleteTaskData') && exchange.isConfirmed) this.closed ??= moment;
    if (exchange.isClose) return;
    if (exchange.is('deleteTaskData')) this.isDataDeleted = true;
    if (this.end === undefined || !exchange.couldKnow(this.end)) this.isDeletedWhileActive = true;
  }

  #poll(exchange: ReadExchange): void {
    if (exchange.unclear) this.#isHidden = true;
    if (exchange.record && exchange.cursor.value === 0) this.#isWholeLog = true;
    const end = this.#addStatus(exchange);
    this.polledEnd ??= end;
    const isWithEnd = end !== undefined;
    for (const event of exchange.events) this.#addEvent(event, exchange, isWithEnd);
    for (const event of exchange.wholeEvents)
      addFirst(this.events, event.key, { ...exchange.moment, event, isWithEnd });
  }

  #addStatus({ status, moment, readFrom }: ReadExchange): StatusReport<TerminalStatus> | undefined {
    if (status === undefined) return undefined;
    const report = { ...moment, status, readFrom };
    this.latest = report;
    if (!isTerminal(status)) return undefined;
    const end = report as StatusReport<TerminalStatus>;
    this.end ??= end;
    return end;
  }

  #addEvent(event: ReadEvent, exchange: ReadExchange, isWithEnd: boolean): void {
    const { id, name, shape } = event;
    if (id === undefined) return;
    const listed = { ...exchange.moment, event, isWithEnd };
    if (shape === 'call') this.#addCall(id, listed);
    else if (name === 'tool_call') this.#addReplyEcho(id, listed, exchange);
    else if (shape === 'result') addFirst(this.results, id, listed);
  }

  /** Some services list a reply as an event: then it was sent. Else it is a result under the wrong name. */
  #addReplyEcho(id: string, listed: ListedEvent, exchange: ReadExchange): void {
    if (this.replies.has(id)) return;
    if (!this.calls.has(id)) addFirst(this.results, id, listed);
    const { payload } = listed.event;
    this.#addReply(id, {
      ...attemptOf(exchange, printOfReply(payload)),
      respondedAt: Number.POSITIVE_INFINITY,
      at: Number.NEGATIVE_INFINITY,
      httpStatus: 0,
      isConfirmed: false,
      code: payload?.code,
      isEcho: true,
    });
  }

  #addCall(id: string, listed: ListedEvent): void {
    const { event, seq } = listed;
    const known = this.calls.get(id);
    if (!known) {
      if (this.calls.size >= MOST) this.#isHidden = true;
      const name = event.payload?.name;
      const tool = typeof name === 'string' ? name : '?';
      addFirst(this.calls, id, { ...listed, tool, deliveries: [seq], isReissued: false });
      return;
    }
    if ((event.timestamp ?? 0) > (known.event.timestamp ?? 0)) known.isReissued = true;
    if (known.deliveries.length < MOST_OF_ONE) known.deliveries.push(seq);
  }

  #addReply(id: string, attempt: ReplyAttempt): void {
    const known = addFirst(this.replies, id, []);
    if (known && known.length < MOST_OF_ONE) known.push(attempt);
  }

  #addAction(exchange: ReadExchange): void {
    const { id: given, name: eventName, payload } = exchange.sent!;
    const id = typeof given === 'string' && given !== '' ? given : exchange.record?.id;
    if (typeof id !== 'string') {
      this.hasUnidentifiedAction = true;
      return;
    }
    const name = field(payload, 'name');
    const known = addFirst(this.actions, id, { id, eventName, name, attempts: [], accepted: undefined });
    if (!known) return;
    const attempt = attemptOf(exchange, fingerprint([eventName, payload]));
    if (known.attempts.length < MOST_OF_ONE) known.attempts.push(attempt);
    if (attempt.isAccepted) known.accepted ??= attempt;
    if (known.eventName !== eventName) known.eventName = undefined;
    if (known.name !== name) known.name = undefined;
  }
}

/** Refused for good: to send it once more would not help. */
export function isRefusalForGood({ httpStatus }: Pick<ReadExchange, 'httpStatus'>): boolean {
  return httpStatus >= 400 && httpStatus < 500 && httpStatus !== 429;
}

/** The value of the key: the given one where there was none and there is room. */
function addFirst<T>(map: Map<string, T>, key: string, value: T): T | undefined {
  if (!map.has(key) && map.size < MOST) map.set(key, value);
  return map.get(key);
}

function attemptOf(exchange: ReadExchange, print: string): Attempt {
  const { moment, at, httpStatus, ok, isRefused, isConfirmed } = exchange;
  return { ...moment, at, print, httpStatus, isAccepted: ok, isRefused, isConfirmed };
}
