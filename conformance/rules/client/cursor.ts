import type { EventTimes } from '../../conversation/event-times.js';
import { show } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import { defineRules, type Judgement, type RuleContext, type Watcher } from '../rule.js';

/** Polls in a row that ask for what is known already, before it is worth a word. */
const MOST_REREADS = 3;

/** Polls without `event_t` that know of events, before it is worth a word. */
const MOST_WITHOUT = 2;

/** Unix time in ms has been above this since 1973. */
const LEAST_MS = 100_000_000_000;

/** A client may read a little again on purpose, ms, and pass over what it dealt with. */
const OVERLAP_MS = 1000;

/** Events may be so close that a client which reads a little again on purpose asks for the first by chance, ms. */
const BY_CHANCE_MS = 2;

/** The `event_t` of polls. Section "Polling rules". */
export const cursorRules = defineRules({ side: 'client', scope: 'task', only: ['getTask'] }, [
  {
    id: 'polling/event-t',
    requirements: ['POLL-05'],
    level: 'must',
    title: 'The event_t of a poll is the timestamp of an event that was returned, or 0.',
    start: notFromEvents,
  },
  {
    id: 'polling/event-t-missing',
    requirements: ['POLL-05'],
    level: 'must',
    title: 'Where events come, polls have an event_t.',
    start: neverSent,
  },
  {
    id: 'polling/event-t-first',
    requirements: ['POLL-05'],
    level: 'must',
    title: 'After several events event_t is the timestamp of the last of them.',
    start: standsAtFirst,
  },
  {
    id: 'polling/event-t-back',
    requirements: ['POLL-05'],
    level: 'advice',
    title: 'The event_t of polls never goes back.',
    start: goesBack,
  },
  {
    id: 'polling/event-t-still',
    requirements: ['POLL-05'],
    level: 'advice',
    title: 'Once events were returned, event_t follows them.',
    start: standsStill,
  },
]);

function notFromEvents({ task }: RuleContext): Watcher {
  const known = task.times;
  function see(exchange: ReadExchange): Judgement {
    const { text, value } = exchange.cursor;
    if (value === undefined) {
      if (known.hasOddTimestamp) return undefined;
      const message = `event_t is ${show(text)} and has to be an integer: the timestamp of the last event that was returned, or 0.`;
      return { message };
    }
    if (isNoTime(value, known)) return noTime(value, exchange);
    if (!task.hasWholeLog || known.hasOddTimestamp || value <= known.newest) return undefined;
    const source = known.sourceOf(value, exchange);
    const from = source === undefined ? '' : `; it is ${source}`;
    const last =
      known.newest === 0 ? 'no event was returned so far' : `the last event returned is of ${known.newest}`;
    const remedy =
      known.newest === 0
        ? 'Send 0 until the first event comes'
        : `Send the timestamp of the last event, ${known.newest}`;
    const message = `event_t is ${value}, but ${last}${from}. ${remedy}: events in between are never seen otherwise.`;
    return { message, evidence: known.seq > 0 ? [known.seq, exchange.seq] : [exchange.seq] };
  }
  function noTime(value: number, exchange: ReadExchange): Judgement {
    const source = known.sourceOf(value, exchange);
    const from =
      source !== undefined
        ? `it is ${source}`
        : value > 100_000_000
          ? 'it looks like seconds'
          : 'no event has it';
    const said = `event_t is ${value}, which is no time in ms: ${from}.`;
    if (known.seq === 0) {
      const message = `${said} No event was returned so far: send 0 until the first one comes.`;
      return { message };
    }
    const message = `${said} Send the timestamp of the last event as it came, ${known.newest}: every answer repeats all events otherwise.`;
    return { message, evidence: [known.seq, exchange.seq] };
  }
  return { see };
}

/** Events count ms, and this number is far below any such time. */
function isNoTime(value: number, known: EventTimes): boolean {
  return value > 0 && value < LEAST_MS && known.oldest >= LEAST_MS;
}

function neverSent({ task }: RuleContext): Watcher {
  const known = task.times;
  let ever = false;
  let polls: number[] = [];
  return {
    see(exchange) {
      if (ever || !isForEvents(exchange)) return undefined;
      if (exchange.cursor.text !== undefined) ever = true;
      else if (known.hasEventsToRead && exchange.couldKnow(known))
        polls = [...polls, exchange.seq].slice(-MOST_WITHOUT);
      if (ever || polls.length < MOST_WITHOUT) return undefined;
      const { newest, seq } = known.newestWith(exchange);
      const message = `No poll has an event_t, although events up to ${newest} were returned: every answer repeats all of them. Send event_t=<timestamp of the last event>, and 0 at first.`;
      return { message, evidence: [seq, ...polls] };
    },
  };
}

/**
 * A cursor that stands at the first of several events although all of them have been dealt with. Only calls show that:
 * each has its reply by then.
 */
function standsAtFirst({ task }: RuleContext): Watcher {
  const known = task.times;
  let last: { seq: number; first: number; newest: number; ids: string[] } | undefined;
  function check(exchange: ReadExchange) {
    if (!last || exchange.cursor.value !== last.first || known.isLastListed(last.first)) return undefined;
    const { seq, first, newest, ids } = last;
    const replies = ids.map((id) => task.replyTo(id));
    if (replies.some((reply) => reply === undefined)) return undefined;
    const message = `event_t is ${first}, the timestamp of the first of the ${ids.length} events in exchange ${seq}, although all of them have been dealt with: the others come again. Send the timestamp of the last, ${newest}.`;
    return { message, evidence: [seq, exchange.seq] };
  }
  return {
    see(exchange) {
      const complaints = check(exchange);
      last = severalIn(exchange) ?? last;
      return complaints;
    },
  };
}

/** The events of an answer with several calls that are apart in time. */
function severalIn({ events, seq }: ReadExchange) {
  if (events.length < 2 || events.some(({ name }) => name !== 'tool_call')) return undefined;
  const times = events.map(({ timestamp }) => timestamp ?? Number.NaN);
  const first = times[0]!;
  const newest = Math.max(...times);
  // Where they are out of order the first may be the last.
  if (!(newest - first >= BY_CHANCE_MS) || newest !== times.at(-1)) return undefined;
  return { seq, first, newest, ids: events.flatMap(({ id }) => id ?? []) };
}

function goesBack({ task }: RuleContext): Watcher {
  const known = task.times;
  let last: { seq: number; value: number } | undefined;
  let restarts = 0;
  return {
    see(exchange) {
      const { value } = exchange.cursor;
      // Answers may come in another order than the polls were sent in.
      if (!isForEvents(exchange) || value === undefined || exchange.seq < (last?.seq ?? 0)) return undefined;
      const before = last;
      last = { seq: exchange.seq, value };
      if (!before || value >= before.value || known.isLastListed(value)) return undefined;
      // From 0 once: another reader of the same task begins there, or the same one after it was started anew.
      if (value === 0 && restarts++ === 0) return undefined;
      const message = `event_t goes back from ${before.value} to ${value}. Events that were dealt with come again: keep the greatest timestamp, also over answers without events and answers that come late.`;
      return { message, evidence: [before.seq, exchange.seq] };
    },
  };
}

function standsStill({ task }: RuleContext): Watcher {
  const known = task.times;
  let rereads: number[] = [];
  let last: number | undefined;
  function check(exchange: ReadExchange): Judgement {
    const { text, value } = exchange.cursor;
    // Without it, or with a number that is no time: other rules' matter.
    if (value === undefined || text === undefined || isNoTime(value, known)) return undefined;
    const isBehind =
      known.newest - value > OVERLAP_MS && !known.isLastListed(value) && exchange.couldKnow(known);
    const isSame = last === undefined || value === last;
    // A client that moves, if slowly, is on its way; one that goes back is another rule's matter.
    if (!isBehind) rereads = [];
    else rereads = isSame ? [...rereads, exchange.seq].slice(-MOST_REREADS) : [exchange.seq];
    last = value;
    if (rereads.length < MOST_REREADS) return undefined;
    const message = `${MOST_REREADS} polls in a row have event_t=${value}, although events up to ${known.newest} were returned: every answer repeats them. Send the timestamp of the last event.`;
    return { message, evidence: [known.seq, ...rereads] };
  }
  return { see: (exchange) => (isForEvents(exchange) ? check(exchange) : []) };
}

/** A poll. The files of a finished task are asked for as a rule without a thought for events. */
function isForEvents(exchange: ReadExchange): boolean {
  return !exchange.query.has('downloads');
}
