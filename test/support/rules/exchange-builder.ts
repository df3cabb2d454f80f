import type { EncodingFault, Exchange } from '../../../spec/vocabulary.js';

/** Start of the clock of a conversation, ms. */
export const START_MS = 1_767_225_600_000;

interface RequestParts {
  method?: string;
  /** Below /api/v1, with its query. */
  path: string;
  headers?: Record<string, string>;
  /** Text is sent unchanged, anything else as JSON. */
  body?: unknown;
  /** Characters of the body that were not recorded. */
  left_out?: number;
}

/** `null`: the client got no response. */
export type ResponseParts = {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  left_out?: number;
  encoding_fault?: EncodingFault;
} | null;

export interface TaskFields {
  status?: string;
  events?: unknown[];
  [field: string]: unknown;
}

export const CONFIRMED: ResponseParts = { body: { r: { id: 'x' } } };

/** Has the id of the event, or a new id. */
function createConfirmation(body: unknown): ResponseParts {
  const id = (body as { id?: unknown } | null)?.id;
  return { body: { r: { id: typeof id === 'string' && id !== '' ? id : 'new' } } };
}

/** Builds a conversation about the task `t1`, with its own clock. */
export class ExchangeBuilder {
  readonly exchanges: Exchange[] = [];
  now = START_MS;

  wait(time_ms: number): this {
    this.now += time_ms;
    return this;
  }

  /** Adds an exchange; the response takes `takes_ms`. For concurrent requests set it to 0. */
  addExchange(
    { method = 'GET', path, headers, body, left_out }: RequestParts,
    response: ResponseParts,
    takes_ms = 5,
  ): this {
    const request: Exchange['request'] = {
      method,
      url: `/api/v1${path}`,
      headers: headers ?? {
        apikey: 'key',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      at: this.now,
    };
    if (body !== undefined) request.body = toText(body);
    if (left_out !== undefined) request.left_out = left_out;
    const exchange: Exchange = { seq: this.exchanges.length + 1, kind: '', organisation: 'org-1', request };
    if (response) {
      const { status = 200, headers: sent = {}, body: got = {} } = response;
      exchange.response = { status, headers: sent, body: toText(got), at: this.now + takes_ms };
      if (response.left_out !== undefined) exchange.response.left_out = response.left_out;
      if (response.encoding_fault) exchange.response.encoding_fault = response.encoding_fault;
    }
    this.exchanges.push(exchange);
    this.now += takes_ms;
    return this;
  }

  create(fields: Record<string, unknown> = { task: 'Do it' }): this {
    return this.addExchange(
      { method: 'POST', path: '/task', body: fields },
      { body: { r: { id: 't1', status: 'running' } } },
    );
  }

  /** Half a second after the last exchange. Without `event_t` if it is undefined. */
  poll(eventT: number | string | undefined, response: TaskFields = {}, query = ''): this {
    const { status = 'running', events = [], ...fields } = response;
    const cursor = eventT === undefined ? '' : `event_t=${eventT}`;
    const path = `/task/t1?${[cursor, query].filter((part) => part !== '').join('&')}`;
    const record = { id: 't1', status, output: null, events, ...fields };
    const http = status === 'waiting' || status === 'running' ? 202 : 200;
    return this.wait(500).addExchange({ path }, { status: http, body: { r: record } });
  }

  /** The complete final poll of the task. */
  complete(eventT: number | string | undefined, response: TaskFields = {}): this {
    return this.poll(eventT, { status: 'done', output: 'It is done.', recording_url: '', ...response });
  }

  sendEvent(body: unknown, response: ResponseParts = createConfirmation(body)): this {
    return this.addExchange({ method: 'POST', path: '/task/t1/event', body }, response);
  }

  reply(id: unknown, payload: unknown = { code: 200, output: 21 }, response?: ResponseParts): this {
    return this.sendEvent({ id, name: 'tool_call', payload }, response);
  }

  sendAction(id: unknown, payload: unknown = GOTO, response?: ResponseParts, name = 'browser_action'): this {
    return this.sendEvent({ id, name, payload }, response);
  }
}

export const GOTO = { name: 'goto', input: { url: 'https://example.com' } };

/** A tool call as an event of a task, `n` ms after the start. */
export function createToolCall(id: string, n: number): Record<string, unknown> {
  return { id, name: 'tool_call', payload: { name: 'get_weather', input: {} }, timestamp: START_MS + n };
}

function toText(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}
