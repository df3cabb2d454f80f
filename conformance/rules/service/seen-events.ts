import { type Fields, field, fingerprint } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';

/** What an event is: the agent calls a tool, an action has its result, or something that the client sent is shown again. */
export type Shape = 'call' | 'result' | 'echo';

/** An event in the answer to a poll that has all it takes to follow it. */
export interface FollowedEvent {
  id: string;
  name: string;
  shape: Shape;
  /** Tells it from the other events of its task: a result shares the id of its action. */
  key: string;
  timestamp: number;
  payload: Fields;
}

const followed = new WeakMap<ReadExchange, readonly FollowedEvent[]>();
const prints = new WeakMap<FollowedEvent, string>();

/** Those of the events that are whole; what is wrong with others is said by the rules on their form. */
export function eventsIn(exchange: ReadExchange): readonly FollowedEvent[] {
  let events = followed.get(exchange);
  if (events === undefined) {
    events = exchange.events.flatMap(({ id, name, payload, timestamp }) => {
      if (!id || typeof name !== 'string' || payload === undefined || !Number.isFinite(timestamp)) return [];
      const shape = shapeOf(name, payload);
      return [{ id, name, shape, key: `${shape} ${id}`, timestamp: timestamp!, payload }];
    });
    followed.set(exchange, events);
  }
  return events;
}

/** The same for the same call or result: what else a service tells beside them may change. */
export function printOf(event: FollowedEvent): string {
  let print = prints.get(event);
  if (print === undefined) {
    const { name, input, code, output } = event.payload;
    print = fingerprint(event.shape === 'result' ? [code, output] : [name, input]);
    prints.set(event, print);
  }
  return print;
}

function shapeOf(name: string, payload: Fields): Shape {
  const has = (part: string) => field(payload, part) !== undefined;
  // A reply that is listed as it was sent has a code, a call has none.
  if (name === 'tool_call') return has('code') && !has('input') ? 'echo' : 'call';
  // An action that is listed as it was sent has its own name in the payload and no code.
  return has('name') && !has('code') ? 'echo' : 'result';
}

/** The `event_t` of a poll: 0 when left out, undefined for what is no whole number. */
export function cursorOf(exchange: ReadExchange): number | undefined {
  const text = exchange.query.get('event_t');
  if (text === null || text === '') return 0;
  return /^\d{1,16}$/.test(text) ? Number(text) : undefined;
}

/** A poll whose answer lists events, or would. */
export function isReading(exchange: ReadExchange): boolean {
  return exchange.is('getTask') && exchange.record !== undefined && cursorOf(exchange) !== undefined;
}
