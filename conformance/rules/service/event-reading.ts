import { show } from '../../conversation/json.js';
import type { Moment, ReadExchange, WholeEvent } from '../../conversation/read-exchange.js';
import { defineRules, type Judgement, type RuleContext, type Watcher } from '../rule.js';

/** Events and answers remembered of a task. */
const MOST = 10_000;

/**
 * How long events are kept is left open. A client that polls every 5 to 10 s, as the API advises, has to find them: one that
 * is gone sooner is lost.
 */
const KEPT_MS = 10_000;

/** Reading events by polling: nothing twice, nothing lost. Section "Polling rules". */
export const eventReadingRules = defineRules({ side: 'service', level: 'must', scope: 'task' }, [
  {
    id: 'reading/after',
    requirements: ['POLL-03'],
    title: 'A poll with an `event_t` lists no event up to that time.',
    start: after,
  },
  {
    id: 'reading/ascending',
    requirements: ['POLL-03'],
    title: 'Events are listed by their time, so that the last one shows where to go on.',
    check: (exchange) => {
      if (exchange.readFrom === undefined) return undefined;
      // What the client sent may be listed under the client's own time.
      const events = exchange.wholeEvents.filter(({ shape }) => shape !== 'echo');
      const n = events.findIndex((event, i) => i > 0 && event.timestamp < events[i - 1]!.timestamp);
      if (n === -1) return events.length > 1 ? 'kept' : undefined;
      const [before, event] = [events[n - 1]!, events[n]!];
      return {
        message: `The event ${show(event.id)} of ${event.timestamp} is listed after ${show(before.id)} of ${before.timestamp}: a client that goes on from the last timestamp reads some twice or never.`,
      };
    },
  },
  {
    id: 'reading/all',
    requirements: ['POLL-04'],
    title: 'A poll with `event_t` 0, or without one, lists all events there were.',
    start: (context) => complete(context, (cursor) => cursor === 0),
  },
  {
    id: 'reading/since',
    requirements: ['POLL-03'],
    title: 'A poll with an `event_t` lists all events after that time.',
    start: (context) => complete(context, (cursor) => cursor > 0),
  },
  {
    id: 'reading/lossless',
    requirements: ['POLL-03'],
    title: 'No event turns up with a time that a poll had gone past already.',
    start: lossless,
  },
]);

function after({ kept }: RuleContext): Watcher {
  let oldest = Number.POSITIVE_INFINITY;
  function check(exchange: ReadExchange, cursor: number): Judgement {
    const early = exchange.wholeEvents.find(({ timestamp }) => timestamp <= cursor);
    if (early) {
      const message = `A poll with event_t=${cursor} lists the event ${show(early.id)} of ${early.timestamp}: it has to list later ones only.`;
      return { message };
    }
    // There is something that it might have listed.
    if (oldest <= cursor) kept(exchange.seq);
    return undefined;
  }
  return {
    see(exchange) {
      const cursor = exchange.readFrom;
      if (cursor === undefined) return undefined;
      const complaints = cursor > 0 ? check(exchange, cursor) : [];
      oldest = Math.min(oldest, least(exchange.wholeEvents));
      return complaints;
    },
  };
}

function least(events: Iterable<WholeEvent>): number {
  let time = Number.POSITIVE_INFINITY;
  for (const { timestamp } of events) time = Math.min(time, timestamp);
  return time;
}

/** What was listed once is listed again in every response about that time. */
function complete({ task, kept }: RuleContext, isMeant: (cursor: number) => boolean): Watcher {
  function check(exchange: ReadExchange, cursor: number): Judgement {
    const listed = new Map(exchange.wholeEvents.map((event) => [event.key, event]));
    const oldest = least(listed.values());
    const due = [...task.events.values()].filter(
      (each) => each.event.timestamp > cursor && exchange.couldKnow(each) && !listed.has(each.event.key),
    );
    // What is old may be forgotten by now, together with all that is older still.
    const { at } = exchange.exchange.request;
    const lost = due.find((each) => at - each.respondedAt <= KEPT_MS || each.event.timestamp > oldest);
    if (lost === undefined) {
      if (due.length === 0 && [...listed.keys()].some((key) => task.events.has(key))) kept(exchange.seq);
      return undefined;
    }
    const { id, name, timestamp } = lost.event;
    const asked = exchange.query.has('event_t') ? `with event_t=${cursor}` : 'without event_t';
    const message = `A poll ${asked} does not list the ${name} ${show(id)} of ${timestamp}, which exchange ${lost.seq} has shown: it has to list every event after that time.`;
    return { message, evidence: [lost.seq, exchange.seq] };
  }
  return {
    see(exchange) {
      const cursor = exchange.readFrom;
      if (cursor === undefined || !isMeant(cursor) || task.isDataDeleted) return undefined;
      return check(exchange, cursor);
    },
  };
}

/** Time that a response has gone past: its reader goes on from `to`. */
type Stretch = Moment & { from: number; to: number };

function lossless({ task, kept }: RuleContext): Watcher {
  const stretches: Stretch[] = [];
  function check(exchange: ReadExchange): Judgement {
    const fresh = exchange.wholeEvents.filter(({ key, shape }) => shape !== 'echo' && !task.events.has(key));
    for (const event of fresh) {
      const { timestamp, id, name } = event;
      const passed = stretches.find(
        ({ from, to, ...moment }) => from < timestamp && timestamp <= to && exchange.couldKnow(moment),
      );
      if (!passed) {
        if (stretches.length > 0) kept(exchange.seq);
        continue;
      }
      const message = `The ${name} ${show(id)} of ${timestamp} was not there when exchange ${passed.seq} listed events up to ${passed.to}, and is listed now: a client that went on from there never reads it.`;
      return { message, evidence: [passed.seq, exchange.seq] };
    }
    return undefined;
  }
  return {
    see(exchange) {
      const from = exchange.readFrom;
      if (from === undefined) return undefined;
      const complaints = check(exchange);
      const events = exchange.wholeEvents.filter(({ shape }) => shape !== 'echo');
      if (events.length > 0 && stretches.length < MOST && task.events.size < MOST) {
        const to = events.reduce((most, { timestamp }) => Math.max(most, timestamp), 0);
        stretches.push({ ...exchange.moment, from, to });
      }
      return complaints;
    },
  };
}
