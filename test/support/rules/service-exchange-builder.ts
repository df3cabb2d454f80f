import type { RuleExample } from './example.js';
import { ExchangeBuilder, type ResponseParts, START_MS, type TaskFields } from './exchange-builder.js';

export const LIVE = 'https://live.example/t1';
export const TOOL = {
  name: 'get_weather',
  description: 'Weather of a city',
  inputs: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  output: 'The temperature',
};
export const REFUSED: ResponseParts = { status: 422, body: { detail: 'no' } };
export const MISSING: ResponseParts = { status: 404, body: { detail: 'It is not there.' } };

export const toTimestamp = (n: number) => START_MS + n;

/** A conversation with a service that is correct by default. */
export class ServiceExchangeBuilder extends ExchangeBuilder {
  /** The result of the close, which is listed at the completion. */
  #closing: unknown[] = [];

  override create(request: Record<string, unknown> = { task: 'Do it' }, response: TaskFields = {}): this {
    const r = { id: 't1', status: 'running', live_url: LIVE, ...response };
    return this.addExchange({ method: 'POST', path: '/task', body: request }, { body: { r } });
  }

  createSession(response: TaskFields = {}): this {
    return this.create({ task: null }, response);
  }

  /** A task that may call `TOOL`. */
  createWithTool(more: Record<string, unknown> = {}): this {
    return this.create({ task: 'Do it', custom_tools: [TOOL], ...more });
  }

  override poll(eventT: number | string | undefined, response: TaskFields = {}, query = ''): this {
    return super.poll(eventT, { live_url: LIVE, ...response }, query);
  }

  override complete(eventT: number | string | undefined, response: TaskFields = {}): this {
    return super.complete(eventT, { credits_used: 3, events: this.#closing, ...response });
  }

  /** A complete event. */
  send(id: unknown, name: string, payload: unknown, response?: ResponseParts): this {
    return this.sendEvent({ id, name, payload, timestamp: this.now }, response);
  }

  close(response?: ResponseParts): this {
    const name = 'session_action';
    const payload = { code: 200, output: true };
    if (response === undefined)
      this.#closing = [
        { id: 'close', name, payload, timestamp: Math.max(this.now + 100, toTimestamp(3000)) },
      ];
    return this.send('close', name, { name: 'close' }, response);
  }

  sendReply(id: string, code: unknown = 200, response?: ResponseParts): this {
    return this.send(id, 'tool_call', { code, output: code === 200 ? 21 : 'it broke' }, response);
  }

  stop(response: ResponseParts = { body: { r: true } }): this {
    return this.addExchange({ method: 'DELETE', path: '/task/t1' }, response);
  }

  get(path: string, response: ResponseParts, headers?: Record<string, string>): this {
    return this.addExchange(headers ? { path, headers } : { path }, response);
  }
}

export const buildExchanges = () => new ServiceExchangeBuilder();

/** A call of `TOOL`, `n` ms after the start. */
export function createCallEvent(
  id: string,
  n: number,
  payload: unknown = { name: 'get_weather', input: { city: 'Rome' } },
) {
  return { id, name: 'tool_call', payload, timestamp: toTimestamp(n) };
}

/** The result of an action, `n` ms after the start. */
export function createResultEvent(
  id: string,
  n: number,
  payload: unknown = { code: 200, output: null },
  name = 'browser_action',
) {
  return { id, name, payload, timestamp: toTimestamp(n) };
}

type BadExamples = RuleExample['bad'];

/** One mistake: its message and its evidence. */
export function createBadExample(
  talked: ExchangeBuilder,
  says: RegExp,
  ...evidence: number[]
): BadExamples[string] {
  return { talk: talked, says, evidence };
}
