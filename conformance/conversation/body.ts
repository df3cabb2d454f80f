import { TASK_STATUSES, type TaskStatus } from '../../spec/vocabulary.js';
import { type Fields, readField, toFields } from './json.js';
import type { ReadExchange } from './read-exchange.js';

/** Most cached bodies, and most characters of one: the same texts recur in every run. */
const MOST_RECENT = 1000;
const LONGEST_RECENT = 4096;
const BYTE_ORDER_MARK = '\ufeff';

let recent = new Map<string, MessageBody>();

/** Never throws. Bodies are shared between exchanges: do not change them. */
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
    // A byte order mark is reported by a rule (RFC 8259, section 8.1). It must not hide other findings.
    return new MessageBody('json', JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text));
  } catch {
    return new MessageBody('text');
  }
}

/** An event in the response to a poll; missing fields and fields of the wrong type are undefined. */
export interface ReadEvent {
  id: string | undefined;
  name: unknown;
  payload: Fields | undefined;
  timestamp: number | undefined;
  /** A tool call of the agent, the result of an action, or an event of the client that the service lists too. */
  shape: 'call' | 'result' | 'echo';
  /** Distinguishes it from the other events of its task: a result shares the id of its action. */
  key: string;
}

/** An event with all the fields that identify it and that the next poll needs. */
export type WholeEvent = ReadEvent & { id: string; name: string; payload: Fields; timestamp: number };

/** An event that a request sends, unchecked. */
export type SentEvent = Partial<Record<'id' | 'name' | 'payload' | 'timestamp', unknown>>;

export interface TaskResponse {
  /** The content of the envelope, if it is an object. */
  record?: Fields;
  status?: TaskStatus | undefined;
  events: readonly ReadEvent[];
  wholeEvents: readonly WholeEvent[];
}

export const NO_TASK_RESPONSE: TaskResponse = { events: [], wholeEvents: [] };

/** A parsed body. Many exchanges may share it, so derived data is computed once. */
export class MessageBody {
  #taskResponse: TaskResponse | undefined;

  constructor(
    /** `unknown`: not recorded completely, or not text. `text`: complete, but not JSON. */
    readonly state: 'absent' | 'json' | 'text' | 'unknown',
    readonly value?: unknown,
  ) {}

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

/** The encoding error of a JSON body, as the rest of a sentence about its message. */
export function findEncodingFault(exchange: ReadExchange, side: 'request' | 'response'): string | undefined {
  const isRequest = side === 'request';
  const { state } = isRequest ? exchange.requestBody : exchange.responseBody;
  const message = exchange.exchange[side];
  if (state !== 'json' || !message) return undefined;
  const readHeader = (name: string) =>
    isRequest ? exchange.findRequestHeader(name) : exchange.findResponseHeader(name);
  if (message.encoding_fault === 'content-encoding') {
    const coding = readHeader('content-encoding');
    return coding === undefined
      ? 'is compressed, and has no header "content-encoding" that says so. Send the header, or the body as it is.'
      : `has the header "content-encoding: ${coding}", and its body is not encoded so. Leave the header out, or encode the body.`;
  }
  if (message.encoding_fault === 'charset') {
    const named = /charset="?([^\s;"]+)/i.exec(readHeader('content-type') ?? '')?.[1];
    const by = named === undefined ? '' : ` The header "content-type" names ${named}.`;
    return `is not in UTF-8, as JSON has to be (RFC 8259, section 8.1).${by} Send it in UTF-8.`;
  }
  return message.body?.startsWith(BYTE_ORDER_MARK)
    ? 'begins with a byte order mark, which JSON may not have (RFC 8259, section 8.1). Leave it out.'
    : undefined;
}
