import { TASK_STATUSES, type TaskStatus } from '../../spec/vocabulary.js';
import { asFields, type Fields, field } from './json.js';
import { RecentCache } from './recent-cache.js';

/** What is known of a body. */
export type Body =
  /** There is none. */
  | { state: 'absent' }
  | ReadJsonBody
  /** Not all of it was kept, or it was never text: nothing can be said about it. */
  | { state: 'unknown' }
  /** The whole of it is there, and it is not JSON. */
  | { state: 'text' };

const ABSENT: Body = { state: 'absent' };
const UNKNOWN: Body = { state: 'unknown' };

const recent = new RecentCache<Body>(500);
/** Longer bodies are not cached, characters. */
const LONGEST_RECENT = 4096;

/** The body of a request or a response. Never throws. Bodies are shared between exchanges: do not change them. */
export function readBody({
  body: text,
  left_out,
  body_base64,
}: {
  body?: string;
  left_out?: number;
  body_base64?: string;
} = {}): Body {
  if (left_out !== undefined || body_base64 !== undefined) return UNKNOWN;
  if (text === undefined || text === '') return ABSENT;
  if (text.length > LONGEST_RECENT) return parse(text);
  let body = recent.get(text);
  if (!body) {
    body = parse(text);
    recent.set(text, body);
  }
  return body;
}

function parse(text: string): Body {
  try {
    return new ReadJsonBody(JSON.parse(text));
  } catch {
    return { state: 'text' };
  }
}

/**
 * What an event in a response is: a tool call of the agent, the result of an action, or something that the client sent and
 * the service lists again.
 */
export type EventShape = 'call' | 'result' | 'echo';

/** An event in the response to a poll; what is missing or of the wrong type is undefined. */
export interface ReadEvent {
  id: string | undefined;
  name: unknown;
  payload: Fields | undefined;
  timestamp: number | undefined;
  shape: EventShape;
}

/** An event that has all it takes to tell it from others and to read on from it. */
export interface WholeEvent extends ReadEvent {
  id: string;
  name: string;
  payload: Fields;
  timestamp: number;
  /** Tells it from the other events of its task: a result shares the id of its action. */
  key: string;
}

/** An event that a request sends, as it stands in the body. */
export interface SentEvent {
  id: unknown;
  name: unknown;
  payload: unknown;
  timestamp: unknown;
}

/** What the body of a response says about a task. */
export interface TaskResponse {
  /** What is in the envelope, if it is an object. */
  record: Fields | undefined;
  status: TaskStatus | undefined;
  events: readonly ReadEvent[];
  /** Those of the events that are whole. */
  wholeEvents: readonly WholeEvent[];
}

/** Where there is nothing to read. */
export const NO_TASK_RESPONSE: TaskResponse = {
  record: undefined,
  status: undefined,
  events: [],
  wholeEvents: [],
};

/** A body that is JSON. It may be shared by many exchanges, so what is derived from it is derived once. */
export class ReadJsonBody {
  readonly state = 'json';
  #taskResponse: TaskResponse | undefined;
  #sent: SentEvent | null | undefined;

  constructor(readonly value: unknown) {}

  /** Read as a response about a task. */
  get taskResponse(): TaskResponse {
    this.#taskResponse ??= readTaskResponse(this.value);
    return this.#taskResponse;
  }

  /** Read as an event that is sent; undefined when it is no object. */
  get sent(): SentEvent | undefined {
    if (this.#sent === undefined) this.#sent = readSent(this.value) ?? null;
    return this.#sent ?? undefined;
  }
}

function readTaskResponse(value: unknown): TaskResponse {
  const record = asFields(field(value, 'r'));
  if (record === undefined) return NO_TASK_RESPONSE;
  const status = TASK_STATUSES.find((known) => known === field(record, 'status'));
  const listed = field(record, 'events');
  if (!Array.isArray(listed) || listed.length === 0) return { ...NO_TASK_RESPONSE, record, status };
  const events = listed.map(readEvent);
  return { record, status, events, wholeEvents: events.filter(isWhole) };
}

function readEvent(value: unknown): ReadEvent {
  const id = field(value, 'id');
  const name = field(value, 'name');
  const payload = asFields(field(value, 'payload'));
  const timestamp = field(value, 'timestamp');
  const shape = shapeOf(name, payload);
  const event: Omit<WholeEvent, keyof ReadEvent> & ReadEvent = {
    id: typeof id === 'string' ? id : undefined,
    name,
    payload,
    timestamp: typeof timestamp === 'number' ? timestamp : undefined,
    shape,
    key: `${shape} ${id}`,
  };
  return event;
}

function shapeOf(name: unknown, payload: Fields | undefined): EventShape {
  const has = (part: string) => field(payload, part) !== undefined;
  // A reply that is listed as it was sent has a code, a call has none.
  if (name === 'tool_call') return has('code') && !has('input') ? 'echo' : 'call';
  // An action that is listed as it was sent has its own name in the payload and no code.
  return has('name') && !has('code') ? 'echo' : 'result';
}

function isWhole(event: ReadEvent): event is WholeEvent {
  const { id, name, payload, timestamp } = event;
  return Boolean(id) && typeof name === 'string' && payload !== undefined && Number.isFinite(timestamp);
}

function readSent(value: unknown): SentEvent | undefined {
  const fields = asFields(value);
  if (fields === undefined) return undefined;
  return {
    id: field(fields, 'id'),
    name: field(fields, 'name'),
    payload: field(fields, 'payload'),
    timestamp: field(fields, 'timestamp'),
  };
}
