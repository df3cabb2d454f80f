import { show, showDifference } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import type { TaskConversation } from '../../conversation/task-conversation.js';
import { defineRules, type RuleResult } from '../rule.js';

/** Most responses remembered of a task. */
const MOST = 10_000;
/**
 * The API does not state how long events are kept. A client that polls every 5 to 10 s, as the API advises, has to find
 * them: an event that is gone sooner is lost.
 */
const KEPT_MS = 10_000;
/** With times in another unit `event_t` cannot mean what it should. */
const consequenceOf = ['events/timestamp'];

/** Reading events by polling: nothing twice, nothing lost. Section "Polling rules". */
export const eventReadingRules = defineRules('service', 'task', ['getTask'], {
  'reading/after': {
    requirements: ['POLL-03'],
    title: 'A poll with an `event_t` lists no event up to that time.',
    consequenceOf,
    check: ({ readFrom = 0, wholeEvents }, { times }) => {
      if (readFrom === 0) return undefined;
      const early = wholeEvents.find(({ timestamp }) => timestamp <= readFrom);
      if (early)
        return `A poll with event_t=${readFrom} lists the event ${show(early.id)} of ${early.timestamp}: it has to list later ones only.`;
      // There are events that it could have listed wrongly.
      return times.oldest <= readFrom ? 'kept' : undefined;
    },
  },
  'reading/ascending': {
    requirements: ['POLL-03'],
    title: 'Events are listed by their time, so that the last one shows where to go on.',
    consequenceOf,
    check: (exchange) => {
      if (exchange.readFrom === undefined) return undefined;
      const events = listServiceEvents(exchange);
      const at = events.findIndex((event, i) => i > 0 && event.timestamp < events[i - 1]!.timestamp);
      if (at === -1) return events.length > 1 ? 'kept' : undefined;
      const [before, event] = [events[at - 1]!, events[at]!];
      return `The event ${show(event.id)} of ${event.timestamp} is listed after ${show(before.id)} of ${before.timestamp}: a client that continues from the last timestamp reads some twice or never.`;
    },
  },
  'reading/all': {
    requirements: ['POLL-04'],
    title: 'A poll with `event_t` 0, or without one, lists all events there were.',
    needs: ['one-client'],
    check: (exchange, task) => (exchange.readFrom === 0 ? checkListsAll(exchange, task, 0) : undefined),
  },
  'reading/since': {
    requirements: ['POLL-03'],
    title: 'A poll with an `event_t` lists all events after that time.',
    consequenceOf,
    needs: ['one-client'],
    check: (exchange, task) =>
      exchange.readFrom ? checkListsAll(exchange, task, exchange.readFrom) : undefined,
  },
  'reading/lossless': {
    requirements: ['POLL-03'],
    title: 'No event turns up with a time that a poll had gone past already.',
    consequenceOf,
    start: ({ task }) => {
      /** Time ranges that a response has passed: its reader continues from `to`. */
      const stretches: { from: number; to: number; response: ReadExchange }[] = [];
      let newest = 0;
      return (exchange) => {
        const { readFrom } = exchange;
        if (readFrom === undefined) return undefined;
        const events = listServiceEvents(exchange);
        const fresh = events.filter(({ key }) => !task.events.has(key));
        const isJudged = fresh.length > 0 && stretches.length > 0;
        const passes = fresh.map((event) => ({
          event,
          passed:
            event.timestamp > newest
              ? undefined
              : stretches.find(
                  ({ from, to, response }) =>
                    from < event.timestamp && event.timestamp <= to && exchange.isAfter(response),
                ),
        }));
        if (events.length > 0 && stretches.length < MOST && task.events.size < MOST) {
          const to = events.reduce((most, { timestamp }) => Math.max(most, timestamp), 0);
          stretches.push({ from: readFrom, to, response: exchange });
          newest = Math.max(newest, to);
        }
        const { event, passed } = passes.find((each) => each.passed) ?? {};
        if (!event || !passed) return isJudged ? 'kept' : undefined;
        const { seq } = passed.response;
        const message = `The ${event.name} ${show(event.id)} of ${event.timestamp} was not there when exchange ${seq} listed events up to ${passed.to}, and is listed now: a client that went on from there never reads it.`;
        return { message, evidence: [seq, exchange.seq] };
      };
    },
  },
});

/** Without events of the client, which may be listed with its own time. */
function listServiceEvents({ wholeEvents }: ReadExchange) {
  return wholeEvents.filter(({ shape }) => shape !== 'echo');
}

/** An event that was listed once is listed in every response about its time. */
function checkListsAll(exchange: ReadExchange, task: TaskConversation, readFrom: number): RuleResult {
  if (task.isDataDeleted) return undefined;
  const { wholeEvents, seq } = exchange;
  const listed = new Set(wholeEvents.map(({ key }) => key));
  const oldest = wholeEvents.reduce((least, { timestamp }) => Math.min(least, timestamp), Infinity);
  const missing = task
    .listEventsAfter(readFrom)
    .filter((each) => exchange.isAfter(each) && !listed.has(each.event.key));
  // Old events may be dropped, together with all older ones.
  const lost = missing.find(
    (each) => exchange.measureMaxSince(each) <= KEPT_MS || each.event.timestamp > oldest,
  );
  if (lost === undefined)
    return missing.length === 0 && wholeEvents.some(({ key }) => task.events.has(key)) ? 'kept' : undefined;
  const { id, name, timestamp, payload, key } = lost.event;
  const pollText = exchange.query.has('event_t') ? `with event_t=${readFrom}` : 'without event_t';
  const other = exchange.events.find(
    (each) => each.id === id && (each.key === key || !task.events.has(each.key)),
  );
  if (other) {
    const [was, is] = showDifference(
      { name, payload, timestamp },
      { name: other.name, payload: other.payload, timestamp: other.timestamp },
    );
    const message = `A poll ${pollText} lists the event ${show(id)} otherwise than exchange ${lost.seq} has shown it: it was ${was} and is ${is}.`;
    return { message, evidence: [lost.seq, seq] };
  }
  const message = `A poll ${pollText} does not list the ${name} ${show(id)} of ${timestamp}, which exchange ${lost.seq} has shown: it has to list every event after that time.`;
  return { message, evidence: [lost.seq, seq] };
}
