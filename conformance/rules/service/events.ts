import { EVENT_NAMES } from '../../../spec/vocabulary.js';
import { LEAST_MS } from '../../conversation/event-times.js';
import type { Gap } from '../../conversation/gaps.js';
import {
  type Fields,
  isOneOf,
  isSameJson,
  isText,
  readField,
  show,
  toFields,
} from '../../conversation/json.js';
import type { WholeEvent } from '../../conversation/read-exchange.js';
import { defineItemRules, defineRules, type RuleFinding, type RuleItems } from '../rule.js';
import { readTasks, TASK_OPERATIONS } from './tasks.js';

/** Unix time in ms is below this until 5138, in any time zone or epoch. */
const MOST_MS = 100_000_000_000_000;
/** Clocks differ; clocks in tests may be in another year. */
const YEARS_MS = 30 * 365.25 * 86_400_000;
/** Most events remembered of a stream. */
const MOST = 10_000;

const EVENTS: RuleItems<unknown> = {
  each: (exchange) => readTasks(exchange).flatMap(({ events }) => (Array.isArray(events) ? events : [])),
};
const TASKS: RuleItems<Fields> = { each: readTasks };

/** Form and ids of events. Sections "Event" and "Events". */
export const eventRules = [
  ...defineItemRules('service', 'stream', TASK_OPERATIONS, TASKS, {
    'events/array': {
      requirements: ['TASK-09'],
      title: 'The events of a task are an array, where there are any.',
      check: ({ events = null }) => {
        // It may be absent or null if there are none.
        if (events === null) return undefined;
        if (Array.isArray(events)) return 'kept';
        return `The events of a task have to be an array, but are ${show(events)}.`;
      },
    },
  }),
  ...defineItemRules('service', 'stream', TASK_OPERATIONS, EVENTS, {
    'events/fields': {
      requirements: ['EVENT-01'],
      title: 'An event has a string id, an object as payload and a timestamp.',
      check: (event) => {
        const fields = toFields(event);
        if (!fields) return `An event has to be an object, but is ${show(event)}.`;
        const { id, payload, timestamp } = fields;
        if (!isText(id)) return `An event has ${show(id)} for its id: it has to be a text.`;
        if (!toFields(payload))
          return `The payload of the event ${show(id)} has to be an object, but is ${show(payload)}.`;
        return timestamp === undefined ? `The event ${show(id)} has no timestamp.` : 'kept';
      },
    },
    'events/name': {
      requirements: ['EVENT-09'],
      title: 'An event has one of the three names.',
      check: (event) => {
        const name = readField(event, 'name');
        if (isOneOf(EVENT_NAMES, name)) return 'kept';
        return `The event ${show(readField(event, 'id'))} has the name ${show(name)}: it is one of ${EVENT_NAMES.join(', ')}.`;
      },
    },
    'events/timestamp': {
      requirements: ['EVENT-10'],
      title: 'The timestamp of an event is an integer, Unix time in milliseconds.',
      check: (event, { at }) => {
        const timestamp = readField(event, 'timestamp');
        if (timestamp === undefined) return undefined;
        if (isTime(timestamp, at)) return 'kept';
        return `The event ${show(readField(event, 'id'))} has the timestamp ${show(timestamp)}: it has to be an integer, Unix time in ms (not in s or µs).`;
      },
    },
  }),
  ...defineRules('service', 'task', ['getTask', 'sendTaskEvent'], {
    'event-ids/own': {
      requirements: ['EVENT-02'],
      title: 'Each event has an id of its own, and stays what it was when it was first read.',
      needs: ['requests'],
      start: ({ task }) => {
        const sent = new Map<unknown, number>();
        const twoResults = new Map<string, RuleFinding & { about: string }>();
        return {
          observe(exchange) {
            const { sent: own, seq, wholeEvents } = exchange;
            if (own) sent.set(own.id, (sent.get(own.id) ?? 0) + 1);
            const findings: RuleFinding[] = [];
            const here = new Set<string>();
            let isKept = false;
            for (const event of wholeEvents.filter(({ shape }) => shape !== 'echo')) {
              const { key, shape, id } = event;
              const known = task.events.get(key);
              const difference = here.has(key)
                ? 'twice in one response'
                : known && describeDifference(known.event, event);
              here.add(key);
              if (known && difference === undefined) isKept = true;
              if (difference === undefined) continue;
              const what = shape === 'call' ? 'call' : 'result';
              const message = `The ${what} ${show(id)} is listed ${difference}: each event has an id of its own and does not change.`;
              const finding = { message, evidence: [known?.seq ?? seq, seq], about: id };
              // An action that was sent twice may have been executed twice.
              if (shape === 'call') findings.push({ ...finding, isShown: true });
              else if (!twoResults.has(key)) twoResults.set(key, finding);
            }
            return findings.length > 0 ? findings : isKept ? 'kept' : undefined;
          },
          conclude: () => [...twoResults.values()].filter(({ about }) => (sent.get(about) ?? 0) < 2),
        };
      },
    },
    // Uses the action ids of a client, if it used each in one task only.
    'event-ids/of-this-task': {
      scope: 'stream',
      requirements: ['EVENT-02'],
      title: 'A task lists no event of another task.',
      needs: ['requests'],
      only: ['createTask', 'getTask', 'sendTaskEvent'],
      start: () => {
        const sentTo = new Map<string, Set<string>>();
        /** Tasks recorded from the start, with a gap in the requests, if any. */
        const whole = new Map<string, Gap | undefined>();
        const seen: { key: string; task: string; seq: number; id: string }[] = [];
        return {
          observe(exchange) {
            const { action, task, seq } = exchange;
            if (task === undefined) return undefined;
            if (exchange.is('createTask') && whole.size < MOST) whole.set(task, undefined);
            if (whole.has(task) && exchange.is('sendTaskEvent'))
              whole.set(task, whole.get(task) ?? exchange.findGap('body'));
            const formatKey = (id: string) => JSON.stringify([exchange.exchange.organisation, id]);
            if (typeof action?.id === 'string' && sentTo.size < MOST) {
              const key = formatKey(action.id);
              sentTo.set(key, (sentTo.get(key) ?? new Set()).add(task));
            }
            let isKept = false;
            for (const { id, shape } of exchange.wholeEvents) {
              if (shape === 'call') continue;
              const key = formatKey(id);
              if (sentTo.get(key)?.has(task)) isKept = true;
              else if (seen.length < MOST) seen.push({ key, task, seq, id });
            }
            return isKept ? 'kept' : undefined;
          },
          conclude: () =>
            seen
              .filter(({ key, task }) => whole.has(task) && sentTo.get(key)?.has(task) === false)
              .map(({ task, seq, id }) => ({
                message: `The task ${show(task)} lists an event with the id ${show(id)}, which was sent to another task only.`,
                evidence: [seq],
                task,
                about: id,
                gap: whole.get(task),
              })),
        };
      },
    },
  }),
];

/** Whether it may be Unix time in milliseconds. */
export function isTime(timestamp: unknown, requestedAt: number): boolean {
  const isInRange = (ms: number) => ms >= LEAST_MS && ms <= MOST_MS;
  if (!Number.isInteger(timestamp) || !isInRange(timestamp as number)) return false;
  return !isInRange(requestedAt) || Math.abs((timestamp as number) - requestedAt) <= YEARS_MS;
}

function describeDifference(known: WholeEvent, event: WholeEvent): string | undefined {
  if (known.timestamp !== event.timestamp) return `once of ${known.timestamp} and once of ${event.timestamp}`;
  if (known.name !== event.name) return `once as ${known.name} and once as ${event.name}`;
  return isSameJson(readContent(known), readContent(event)) ? undefined : 'with another payload than before';
}

/** The fields that never change for a call or result; a service may change others. */
function readContent({ shape, payload: { name, input, code, output } }: WholeEvent): unknown[] {
  return shape === 'result' ? [code, output] : [name, input];
}
