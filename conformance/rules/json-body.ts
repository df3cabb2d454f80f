import { TASK_STATUSES, type TaskStatus } from '../../spec/vocabulary.js';
import { asFields, type Fields, field } from './fields.js';

/** An event in the answer to a poll; what is missing or of the wrong type is undefined. */
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

/** What a body says as the answer about a task. */
export interface Said {
  /** What is in the envelope, if it is an object. */
  record: Fields | undefined;
  status: TaskStatus | undefined;
  events: readonly ReadEvent[];
}

/** What is said where there is nothing to read. */
export const NOTHING_SAID: Said = { record: undefined, status: undefined, events: [] };

/** A body that is JSON, with what is wanted of it again and again, read once for all who share it. */
export class JsonBody {
  readonly state = 'json';
  #said: Said | undefined;
  #sent: SentEvent | null | undefined;

  constructor(readonly value: unknown) {}

  /** Read as the answer about a task. */
  get said(): Said {
    this.#said ??= readSaid(this.value);
    return this.#said;
  }

  /** Read as an event that is sent; undefined when it is no object. */
  get sent(): SentEvent | undefined {
    if (this.#sent === undefined) this.#sent = readSent(this.value) ?? null;
    return this.#sent ?? undefined;
  }
}

function readSaid(value: unknown): Said {
  const record = asFields(field(value, 'r'));
  if (record === undefined) return NOTHING_SAID;
  const status = field(record, 'status');
  const events = field(record, 'events');
  return {
    record,
    status: TASK_STATUSES.find((known) => known === status),
    events: Array.isArray(events) ? events.map(readEvent) : NOTHING_SAID.events,
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
