import { TASK_STATUSES, type TaskStatus } from '../../spec/vocabulary.js';
import { type Fields, readField, toFields } from './json.js';

/** Bodies kept, at most, and the characters of one: the same texts come again and again, in run after run. */
const MOST_RECENT = 1000;
const LONGEST_RECENT = 4096;
export const BYTE_ORDER_MARK = '\ufeff';

let recent = new Map<string, MessageBody>();

/** The body of a request or a response. Never throws. Bodies are shared between exchanges: do not change them. */
export function readBody(
  message: { body?: string; left_out?: number; body_base64?: string } = {},
): MessageBody {
  const { body: text, left_out, body_base64 } = message;
  if (left_out !== undefined || body_base64 !== undefined) return new MessageBody('unknown');
  if (text === undefined || text === '') return new MessageBody('absent');
  let body = recent.get(text);
  if (!body) {
    body = parseBody(text);
    if (recent.size >= MOST_RECENT) recent = new Map();
    if (text.length <= LONGEST_RECENT) recent.set(text, body);
  }
  return body;
}

function parseBody(text: string): MessageBody {
  try {
    // A byte order mark is a fault of its own (RFC 8259, section 8.1), which hides nothing.
    return new MessageBody('json', JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text));
  } catch {
    return new MessageBody('text');
  }
}

/** An event in the response to a poll; what is missing or of the wrong type is undefined. */
export interface ReadEvent {
  id: string | undefined;
  name: unknown;
  payload: Fields | undefined;
  timestamp: number | undefined;
  /** A tool call of the agent, the result of an action, or something that the client sent and the service lists again. */
  shape: 'call' | 'result' | 'echo';
  /** Tells it from the other events of its task: a result shares the id of its action. */
  key: string;
}

/** An event that has all it takes to tell it from others and to read on from it. */
export type WholeEvent = ReadEvent & { id: string; name: string; payload: Fields; timestamp: number };

/** An event that a request sends, as it stands in the body. */
export type SentEvent = Partial<Record<'id' | 'name' | 'payload' | 'timestamp', unknown>>;

/** What the body of a response says about a task. */
export interface TaskResponse {
  /** What is in the envelope, if it is an object. */
  record?: Fields;
  status?: TaskStatus | undefined;
  events: readonly ReadEvent[];
  /** Those of the events that are whole. */
  wholeEvents: readonly WholeEvent[];
}

/** Where there is nothing to read. */
export const NO_TASK_RESPONSE: TaskResponse = { events: [], wholeEvents: [] };

/** What is known of a body. It may be shared by many exchanges, so what is derived from it is derived once. */
export class MessageBody {
  #taskResponse: TaskResponse | undefined;

  constructor(
    /** `unknown`: not all of it was kept, or it was never text. `text`: the whole of it is there, and it is not JSON. */
    readonly state: 'absent' | 'json' | 'text' | 'unknown',
    readonly value?: unknown,
  ) {}

  /** Read as a response about a task. */
  get taskResponse(): TaskResponse {
    this.#taskResponse ??= readTaskResponse(this.value);
    return this.#taskResponse;
  }
}

function readTaskResponse(value: unknown): TaskResponse {
  const record = toFields(readField(value, 'r'));
  if (record === undefined) return NO_TASK_RESPONSE;
  const status = TASK_STATUSES.find((known) => known === record.status);
  const events = Array.isArray(record.events) ? record.events.map(readEvent) : [];
  return { record, status, events, wholeEvents: events.filter(isWhole) };
}

export function readEvent(value: unknown): ReadEvent {
  const { id, name, payload: given, timestamp } = toFields(value) ?? {};
  const payload = toFields(given);
  const shape = classifyEvent(name, payload);
  return {
    id: typeof id === 'string' ? id : undefined,
    name,
    payload,
    timestamp: typeof timestamp === 'number' ? timestamp : undefined,
    shape,
    key: `${shape} ${id}`,
  };
}

function classifyEvent(eventName: unknown, { code, input, name }: Fields = {}): ReadEvent['shape'] {
  // A reply that is listed as it was sent has a code, a call has none.
  if (eventName === 'tool_call') return code !== undefined && input === undefined ? 'echo' : 'call';
  // An action that is listed as it was sent has its own name in the payload and no code.
  return name !== undefined && code === undefined ? 'echo' : 'result';
}

function isWhole(event: ReadEvent): event is WholeEvent {
  const { id, name, payload, timestamp } = event;
  return Boolean(id) && typeof name === 'string' && payload !== undefined && Number.isFinite(timestamp);
}
