import { TASK_STATUSES, type TaskStatus } from '../../spec/vocabulary.js';
import { asFields, type Fields, field } from './json.js';
import { RecentCache } from './recent-cache.js';

/** What is known of a body. */
export type Body =
  /** There is none. */
  | { state: 'absent' }
  | JsonBody
  /** Not all of it was kept, or it was never text: nothing can be said about it. */
  | { state: 'unknown' }
  /** The whole of it is there, and it is not JSON. */
  | { state: 'text' };

/** How journals say that they kept a part of a body, or a description in its place. */
const LEFT_OUT = /… \(\d+ more characters left out\)$|^\((?:\d+ bytes\b[^)]*|too large to be read)\)$/;

const ABSENT: Body = { state: 'absent' };

const recent = new RecentCache<Body>(500);
/** Longer bodies are not cached, characters. */
const LONGEST_RECENT = 4096;

/** Never throws. Bodies are shared between exchanges: do not change them. */
export function readBody(text: string | undefined): Body {
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
    return new JsonBody(JSON.parse(text));
  } catch {
    return { state: LEFT_OUT.test(text) ? 'unknown' : 'text' };
  }
}

/** An event in the response to a poll; what is missing or of the wrong type is undefined. */
export interface ReadEvent {
  id: string | undefined;
  name: unknown;
  payload: Fields | undefined;
  timestamp: number | undefined;
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
}

/** Where there is nothing to read. */
export const NO_TASK_RESPONSE: TaskResponse = { record: undefined, status: undefined, events: [] };

/** A body that is JSON. It may be shared by many exchanges, so what is derived from it is derived once. */
export class JsonBody {
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
  const status = field(record, 'status');
  const events = field(record, 'events');
  return {
    record,
    status: TASK_STATUSES.find((known) => known === status),
    events: Array.isArray(events) ? events.map(readEvent) : NO_TASK_RESPONSE.events,
  };
}

function readEvent(value: unknown): ReadEvent {
  const id = field(value, 'id');
  const timestamp = field(value, 'timestamp');
  return {
    id: typeof id === 'string' ? id : undefined,
    name: field(value, 'name'),
    payload: asFields(field(value, 'payload')),
    timestamp: typeof timestamp === 'number' ? timestamp : undefined,
  };
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
