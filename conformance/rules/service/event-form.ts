import { EVENT_NAMES } from '../../../spec/vocabulary.js';
import { asFields, field, show } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import { defineRules, type Judgement } from '../rule.js';

/** Unix time in ms lies between 1973 and 5138 in here, in whatever time zone or epoch a clock went wrong. */
const LEAST_MS = 100_000_000_000;
const MOST_MS = 100_000_000_000_000;
/** Clocks differ; those of tests may stand in another year. */
const YEARS_MS = 30 * 365.25 * 86_400_000;

/** The form of events. Sections "Event" and "Events". */
export const eventFormRules = defineRules({ side: 'service', level: 'must', scope: 'task' }, [
  {
    id: 'events/array',
    requirements: ['TASK-09'],
    title: 'The events of a task are an array.',
    check: (exchange) => {
      if (!exchange.is('getTask') || !exchange.record) return undefined;
      const events = field(exchange.record, 'events');
      // Left out, or null, where there are none.
      if (events === undefined || events === null) return undefined;
      if (Array.isArray(events)) return 'kept';
      return { message: `The events of a task have to be an array, and ${show(events)} came.` };
    },
  },
  {
    id: 'events/fields',
    requirements: ['EVENT-01'],
    title: 'An event has a string id, an object as payload and a timestamp.',
    check: (exchange) => everyEvent(exchange, fields),
  },
  {
    id: 'events/name',
    requirements: ['EVENT-09'],
    title: 'An event has one of the three names.',
    check: (exchange) =>
      everyEvent(exchange, (event) => {
        const name = field(event, 'name');
        if (EVENT_NAMES.some((known) => known === name)) return 'kept';
        return {
          message: `The event ${show(field(event, 'id'))} has the name ${show(name)}: it is one of ${EVENT_NAMES.join(', ')}.`,
        };
      }),
  },
  {
    id: 'events/timestamp',
    requirements: ['EVENT-10'],
    title: 'The timestamp of an event is an integer, Unix time in milliseconds.',
    check: (exchange) =>
      everyEvent(exchange, (event) => {
        const timestamp = field(event, 'timestamp');
        if (timestamp === undefined) return undefined;
        const wrong = wrongTime(timestamp, exchange.at);
        if (wrong === undefined) return 'kept';
        return {
          message: `The event ${show(field(event, 'id'))} has the timestamp ${show(timestamp)}, ${wrong}: it has to be an integer, Unix time in ms.`,
        };
      }),
  },
]);

function fields(event: unknown): Judgement {
  if (!asFields(event)) return { message: `An event has to be an object, and ${show(event)} came.` };
  const [id, payload] = [field(event, 'id'), field(event, 'payload')];
  if (typeof id !== 'string' || id === '')
    return { message: `An event has ${show(id)} for its id: it has to be a text.` };
  if (!asFields(payload))
    return {
      message: `The payload of the event ${show(id)} has to be an object, and ${show(payload)} came.`,
    };
  if (field(event, 'timestamp') === undefined) return { message: `The event ${show(id)} has no timestamp.` };
  return 'kept';
}

function wrongTime(timestamp: unknown, askedAt: number): string | undefined {
  if (!Number.isInteger(timestamp)) return 'which is no integer';
  const timeMs = timestamp as number;
  if (timeMs < LEAST_MS) return timeMs > LEAST_MS / 1000 ? 'which looks like seconds' : 'which is too small';
  if (timeMs > MOST_MS) return 'which is too large, as µs or ns are';
  const isClock = askedAt >= LEAST_MS && askedAt <= MOST_MS;
  return isClock && Math.abs(timeMs - askedAt) > YEARS_MS ? 'which is decades away' : undefined;
}

/** The first that is broken decides. */
function everyEvent(exchange: ReadExchange, look: (event: unknown) => Judgement): Judgement {
  if (!exchange.is('getTask') || !exchange.ok) return undefined;
  const events = field(field(exchange.responseJson, 'r'), 'events');
  let all: Judgement;
  for (const event of Array.isArray(events) ? events : []) {
    const shown = look(event);
    if (typeof shown === 'object') return shown;
    all ??= shown;
  }
  return all;
}
