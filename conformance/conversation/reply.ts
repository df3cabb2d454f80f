import { EVENT_NAMES, type EventName } from '../../spec/vocabulary.js';
import { asFields, type Fields, field, fingerprint } from './json.js';
import type { ReadExchange } from './read-exchange.js';

/** A reply as it was sent, by an event or by the deprecated update of a task. */
export interface Reply {
  id: unknown;
  /** Undefined when it is no object. */
  payload: Fields | undefined;
  /** The event name it was sent under. */
  name: 'tool_call' | EventName;
}

/** The reply in a request. A payload of code and output under the name of an action counts too, under that name. */
export function replyOf(exchange: ReadExchange): Reply | undefined {
  const { sent, requestBody } = exchange;
  if (sent?.name === 'tool_call') return { id: sent.id, payload: asFields(sent.payload), name: 'tool_call' };
  if (sent && isReplyShaped(sent.payload)) {
    const name = EVENT_NAMES.find((known) => known === sent.name);
    return name && { id: sent.id, payload: asFields(sent.payload), name };
  }
  if (!exchange.is('updateTask') || requestBody.state !== 'json') return undefined;
  const payload = asFields(field(requestBody.value, 'tool_response'));
  return payload && { id: payload.id, payload, name: 'tool_call' };
}

export function isReplyShaped(payload: unknown): boolean {
  return field(payload, 'code') !== undefined && field(payload, 'name') === undefined;
}

/** What two replies have to share to count as the same. */
export function saidBy(payload: Fields | undefined): unknown {
  return [payload?.code, payload?.output];
}

/** The same for the same code and output. */
export function printOf(payload: Fields | undefined): string {
  return fingerprint(saidBy(payload));
}
