import { countUntil } from '../../spec/lists.js';
import { isTerminal, type TerminalStatus } from '../../spec/vocabulary.js';
import type { ReadEvent, WholeEvent } from './body.js';
import { EventTimes } from './event-times.js';
import { type Gap, Gaps, type RequiredEvidence } from './gaps.js';
import { type Fields, isSameJson, readField, toFields } from './json.js';
import type { ReadExchange, ReadResponse } from './read-exchange.js';

/** Most calls, results and actions remembered of a task, each. */
const MOST = 10_000;
/** Most responses remembered that list one event, and requests that send one reply or action. */
const MOST_OF_ONE = 1000;

/** An exchange whose response has a terminal status. */
export type TerminalExchange = ReadExchange & { readonly status: TerminalStatus };

/** An event as it was first listed, in the response of an exchange. */
export interface ListedEvent<E extends ReadEvent = ReadEvent>
  extends ReadResponse,
    Pick<ReadExchange, 'respondedAt'> {
  event: E;
  /** The same response has a terminal status. */
  isWithEnd: boolean;
}

export interface ToolCall extends ListedEvent {
  tool: string;
  /** `seq` of the first responses that listed it. */
  deliveries: number[];
  /** A later response listed it with a later timestamp: the service repeated the call. */
  isReissued: boolean;
}

/** All attempts to send the action with one id. */
export interface ActionHistory {
  id: string;
  /** Undefined if it was sent under two names. */
  eventName: unknown;
  /** Undefined if two actions shared the id. */
  name: unknown;
  attempts: ReadExchange[];
  /** The first accepted attempt. */
  accepted: ReadExchange | undefined;
}

/**
 * What the exchanges of one task show, in the order in which they ended. A rule that receives an exchange finds here what
 * the client could know before it. Memory is bounded.
 */
export class TaskConversation {
  /** The request that created the task. Undefined if it is not recorded. */
  creation: ReadExchange | undefined;
  isFromStart = false;
  /** Time from the latest status to the DELETE that cancelled the task, ms. */
  shownBeforeCancelMs = Number.POSITIVE_INFINITY;
  /** The latest exchange whose response has a status. */
  latest: ReadExchange | undefined;
  /** The first exchange with a terminal status. */
  end: TerminalExchange | undefined;
  /** The first poll with a terminal status. */
  polledEnd: TerminalExchange | undefined;
  /** The first request that ends the task: a close, or a DELETE of the task or its data, whatever the response. */
  stop: ReadExchange | undefined;
  /** The first accepted DELETE of the task. */
  cancelled: ReadExchange | undefined;
  /** The task was active when `cancelled` was sent. */
  wasCancelledActive = false;
  /** The first close or DELETE of the task whose confirmation the client could read. */
  closed: ReadExchange | undefined;
  /** The client sent a DELETE of the task or its data before a response showed that the task was over. */
  isDeletedWhileActive = false;
  /** The client requested the deletion of the task data: nothing is expected of it afterwards. */
  isDataDeleted = false;
  /** Every complete event, by its key. */
  readonly events = new Map<string, ListedEvent<WholeEvent>>();
  readonly calls = new Map<string, ToolCall>();
  /** Calls without a recorded reply. */
  readonly openCalls = new Map<string, ToolCall>();
  /** By the id of the event, which is that of its action. */
  readonly results = new Map<string, ListedEvent>();
  /** Requests that replied to each call; empty if only a response shows that a reply was sent. */
  readonly replies = new Map<string, ReadExchange[]>();
  readonly actions = new Map<string, ActionHistory>();
  /** An action was sent whose id is unknown. */
  hasUnidentifiedAction = false;
  readonly times = new EventTimes();
  /** A response listed the events from the start. */
  #hasAllEvents = false;
  /** `events` by their timestamps. */
  readonly #byTime: ListedEvent<WholeEvent>[] = [];
  #isBegun = false;
  readonly #gaps = new Gaps();

  /** Why this evidence is incomplete, so that an absence proves nothing; undefined if it is complete. */
  findGap(needs: readonly RequiredEvidence[]): Gap | undefined {
    return this.#gaps.find(needs, this.#hasAllEvents);
  }

  /** Exchanges next to this one are missing in the recording; they may concern other tasks. */
  addMissingExchanges(exchange: ReadExchange): void {
    this.#gaps.addMissingExchanges(exchange);
  }

  get request(): Fields | undefined {
    return toFields(this.creation?.requestJson);
  }

  get isSession(): boolean {
    return this.request?.task === null;
  }

  observe(exchange: ReadExchange): void {
    const { reply, action } = exchange;
    this.#gaps.observe(exchange, !this.#isBegun);
    this.#isBegun = true;
    if (exchange.isStop) this.#observeStop(exchange);
    if (reply && typeof reply.id === 'string') this.#addReply(reply.id, exchange);
    else if (toFields(action?.payload)) this.#addAction(exchange);
    this.times.observe(exchange);
    if (exchange.is('createTask')) this.#observeCreation(exchange);
    else if (exchange.is('getTask')) this.#observePoll(exchange);
  }

  /** The first reply that was not refused for its form, else the first. */
  findReply(call: unknown): ReadExchange | undefined {
    const attempts = this.replies.get(call as string);
    return attempts?.find(({ httpStatus }) => httpStatus !== 422) ?? attempts?.[0];
  }

  /** The poll that showed the end of the task, if the client knew its response when it sent this request. */
  findKnownEnd(exchange: ReadExchange): TerminalExchange | undefined {
    return this.polledEnd && exchange.canKnow(this.polledEnd) ? this.polledEnd : undefined;
  }

  /** A response before this request showed that the task was active. */
  wasActive(exchange: ReadExchange): boolean {
    return this.end === undefined && this.latest !== undefined && exchange.isAfter(this.latest);
  }

  /** Complete events after this time, by their timestamps. */
  listEventsAfter(time: number): readonly ListedEvent<WholeEvent>[] {
    return this.#byTime.slice(countUpTo(this.#byTime, time));
  }

  listActionResults(): { action: ActionHistory; result: ListedEvent }[] {
    return [...this.results].flatMap(([id, result]) => {
      const action = this.actions.get(id);
      if (!action) return [];
      const { sent } = action.attempts[0]!;
      // A service may also list the action as it was sent.
      const isEcho = sent?.name === result.event.name && isSameJson(sent?.payload, result.event.payload);
      return isEcho ? [] : [{ action, result }];
    });
  }

  #observeCreation(exchange: ReadExchange): void {
    this.isFromStart = true;
    if (exchange.ok && toFields(exchange.requestJson)) this.creation ??= exchange;
    this.#addStatus(exchange);
  }

  #observeStop(exchange: ReadExchange): void {
    this.stop ??= exchange;
    if (exchange.is('deleteTask') && exchange.ok && !this.cancelled) {
      this.cancelled = exchange;
      this.wasCancelledActive = this.wasActive(exchange);
      if (this.latest) this.shownBeforeCancelMs = exchange.measureMaxSince(this.latest);
    }
    if (!exchange.is('deleteTaskData') && exchange.isConfirmed) this.closed ??= exchange;
    if (exchange.isClose) return;
    if (exchange.is('deleteTaskData')) this.isDataDeleted = true;
    if (this.end === undefined || !exchange.isAfter(this.end)) this.isDeletedWhileActive = true;
  }

  #observePoll(exchange: ReadExchange): void {
    if (exchange.record && exchange.cursor.value === 0) this.#hasAllEvents = true;
    const end = this.#addStatus(exchange);
    this.polledEnd ??= end;
    const { seq, respondedAt, gotAt, knownFrom, sentAs, connection } = exchange;
    const read = { seq, respondedAt, gotAt, knownFrom, sentAs, connection };
    const listed = { ...read, isWithEnd: end !== undefined };
    for (const event of exchange.events) this.#addEvent({ ...listed, event });
    for (const event of exchange.wholeEvents) this.#addWholeEvent({ ...listed, event });
  }

  #addStatus(exchange: ReadExchange): TerminalExchange | undefined {
    const { status } = exchange;
    if (status === undefined) return undefined;
    this.latest = exchange;
    if (!isTerminal(status)) return undefined;
    this.end ??= exchange as TerminalExchange;
    return exchange as TerminalExchange;
  }

  #addWholeEvent(listed: ListedEvent<WholeEvent>): void {
    const { key, timestamp } = listed.event;
    if (addIfAbsent(this.events, key, listed) !== listed) return;
    this.#byTime.splice(countUpTo(this.#byTime, timestamp), 0, listed);
  }

  #addEvent(listed: ListedEvent): void {
    const { id, name, shape } = listed.event;
    if (id === undefined) return;
    if (shape === 'call') this.#addCall(id, listed);
    else if (name === 'tool_call') {
      // Some services list a reply as an event: then it was sent. Else it is a result under the wrong name.
      if (!this.replies.has(id) && !this.calls.has(id)) addIfAbsent(this.results, id, listed);
      if (!this.replies.has(id)) this.#gaps.addSecondClient(listed);
      this.#ensureReplies(id);
    } else if (shape === 'result') addIfAbsent(this.results, id, listed);
  }

  #addCall(id: string, listed: ListedEvent): void {
    const { event, seq } = listed;
    const known = this.calls.get(id);
    if (!known) {
      if (this.calls.size >= MOST) this.#gaps.addOverflow(listed);
      const name = event.payload?.name;
      const tool = typeof name === 'string' ? name : '?';
      const call = { ...listed, tool, deliveries: [seq], isReissued: false };
      if (addIfAbsent(this.calls, id, call) === call && !this.replies.has(id)) this.openCalls.set(id, call);
      return;
    }
    if ((event.timestamp ?? 0) > (known.event.timestamp ?? 0)) known.isReissued = true;
    if (known.deliveries.length < MOST_OF_ONE) known.deliveries.push(seq);
  }

  #addReply(id: string, exchange: ReadExchange): void {
    const known = this.#ensureReplies(id);
    if (known && known.length < MOST_OF_ONE) known.push(exchange);
  }

  #ensureReplies(id: string): ReadExchange[] | undefined {
    const known = addIfAbsent(this.replies, id, []);
    if (known) this.openCalls.delete(id);
    return known;
  }

  #addAction(exchange: ReadExchange): void {
    const { id: given, name: eventName, payload } = exchange.sent!;
    const id = typeof given === 'string' && given !== '' ? given : exchange.record?.id;
    if (typeof id !== 'string') {
      this.hasUnidentifiedAction = true;
      return;
    }
    const name = readField(payload, 'name');
    const known = addIfAbsent(this.actions, id, { id, eventName, name, attempts: [], accepted: undefined });
    if (!known) return;
    if (known.attempts.length < MOST_OF_ONE) known.attempts.push(exchange);
    if (exchange.ok) known.accepted ??= exchange;
    if (known.eventName !== eventName) known.eventName = undefined;
    if (known.name !== name) known.name = undefined;
  }
}

/** A repetition would be refused as well. */
export function isPermanentRefusal({ httpStatus }: Pick<ReadExchange, 'httpStatus'>): boolean {
  return httpStatus >= 400 && httpStatus < 500 && httpStatus !== 429;
}

/** Number of events at or before this time. */
function countUpTo(byTime: readonly ListedEvent<WholeEvent>[], time: number): number {
  return countUntil(byTime, ({ event }) => event.timestamp <= time);
}

/** The known value of the key, else the given one if there is room. */
function addIfAbsent<T>(map: Map<string, T>, key: string, value: T): T | undefined {
  const known = map.get(key);
  if (known !== undefined || map.size >= MOST) return known;
  map.set(key, value);
  return value;
}
