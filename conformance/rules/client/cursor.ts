import { type EventTimes, LEAST_MS } from '../../conversation/event-times.js';
import { show } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import { defineRules } from '../rule.js';

/** Polls in a row for events that are already known, before they are reported. */
const MOST_REREADS = 3;
/** Polls without `event_t` although events are known, before they are reported. */
const MOST_WITHOUT = 2;
/** A client may read a little again on purpose and skip what it handled, ms. */
const OVERLAP_MS = 1000;
/** Events closer together than this, ms: a client that reads a little again on purpose may request the first by chance. */
const BY_CHANCE_MS = 2;

/** The `event_t` of polls. Section "Polling rules". */
export const cursorRules = defineRules('client', 'task', ['getTask'], {
  'polling/event-t': {
    requirements: ['POLL-05'],
    title: 'The event_t of a poll is the timestamp of an event that was returned, or 0.',
    defect: 'event_t was no timestamp of an event',
    concerns: 'request',
    needs: ['events'],
    check: (exchange, { times }) => {
      const { text, value } = exchange.cursor;
      const { newest, source, hasOddTimestamp } = times;
      if (value === undefined) {
        if (hasOddTimestamp) return undefined;
        const message = `event_t is ${show(text)} and has to be an integer: the timestamp of the last event that was returned, or 0.`;
        return { message, isShown: true };
      }
      const isShown = isNoTimestamp(value, times);
      const isAhead = !hasOddTimestamp && value > newest;
      if (!isShown && !isAhead) return undefined;
      const hint = value > LEAST_MS / 1000 && value < LEAST_MS ? '; it looks like seconds' : '';
      const known = source
        ? `the last event returned is of ${newest}${hint}. Send the timestamp of the last event, ${newest}`
        : `no event was returned so far${hint}. Send 0 until the first event comes`;
      const message = `event_t is ${value}, but ${known}: events come again or are never seen otherwise.`;
      const evidence = source ? [source.seq, exchange.seq] : [exchange.seq];
      return { message, evidence, ...(isShown && { isShown }) };
    },
  },
  'polling/event-t-missing': {
    requirements: ['POLL-05'],
    title: 'Where events come, a client has polls with an event_t.',
    defect: 'Polls had no event_t',
    concerns: 'request',
    needs: ['requests'],
    start: ({ task }) => {
      const { times } = task;
      let isSent = false;
      let polls: number[] = [];
      return {
        observe(exchange) {
          if (exchange.is('getTask') && exchange.cursor.text !== undefined) isSent = true;
          // A finished task is polled for its URLs.
          if (isSent || !isForEvents(exchange) || task.findKnownEnd(exchange)) return undefined;
          if (times.hasEventsToRead && times.source && exchange.canKnow(times.source))
            polls = [...polls, exchange.seq].slice(-MOST_WITHOUT);
          return undefined;
        },
        // One reader of the task may poll only its status while the response to the poll of another is pending.
        conclude() {
          if (isSent || polls.length < MOST_WITHOUT) return [];
          const message = `No poll has an event_t, although events up to ${times.newest} were returned: every response repeats all of them. Send event_t=<timestamp of the last event>, and 0 at first.`;
          return [{ message, evidence: [times.source!.seq, ...polls] }];
        },
      };
    },
  },
  // Only calls show that all events were handled: each has its reply by then.
  'polling/event-t-first': {
    requirements: ['POLL-05'],
    title: 'After several events event_t is the timestamp of the last of them.',
    defect: 'event_t was the first timestamp, not the last',
    concerns: 'request',
    needs: ['events', 'one-client'],
    start: ({ task }) => {
      let last: ReturnType<typeof readCallBatch>;
      return (exchange) => {
        const before = last;
        last = readCallBatch(exchange) ?? last;
        // Another reader of the task may still be at this position.
        if (!before || exchange.cursor.value !== before.first || task.times.wasLastListed(before.first))
          return undefined;
        const { seq, first, newest, ids } = before;
        if (!ids.every((id) => task.replies.has(id))) return undefined;
        const message = `event_t is ${first}, the timestamp of the first of the ${ids.length} events in exchange ${seq}, although all of them have been dealt with: the others come again. Send the timestamp of the last, ${newest}.`;
        return { message, evidence: [seq, exchange.seq] };
      };
    },
  },
  'polling/event-t-back': {
    requirements: ['POLL-05'],
    level: 'advice',
    title: 'The event_t of polls never goes back.',
    defect: 'event_t went back',
    concerns: 'request',
    needs: ['events', 'one-client'],
    start: ({ task: { times } }) => {
      let last: { seq: number; value: number } | undefined;
      let restarts = 0;
      return (exchange) => {
        const { cursor, seq } = exchange;
        const { value } = cursor;
        // Responses may arrive in another order than the polls were sent.
        if (!isForEvents(exchange) || value === undefined || seq < (last?.seq ?? 0)) return undefined;
        const before = last;
        last = { seq, value };
        if (!before || value >= before.value || times.isLastListed(value)) return undefined;
        // Allowed once from 0: a second reader of the task begins there, or the same one after a restart.
        if (value === 0 && restarts++ === 0) return undefined;
        const message = `event_t goes back from ${before.value} to ${value}. Events that were dealt with come again: keep the greatest timestamp, also over responses without events and responses that come late.`;
        return { message, evidence: [before.seq, seq] };
      };
    },
  },
  'polling/event-t-still': {
    requirements: ['POLL-05'],
    level: 'advice',
    title: 'Once events were returned, event_t follows them.',
    defect: 'event_t did not follow the events',
    concerns: 'request',
    needs: ['events', 'one-client'],
    start: ({ task: { times } }) => {
      let rereads: number[] = [];
      let [count, longest] = [0, 0];
      let last: number | undefined;
      return (exchange) => {
        const { text, value } = exchange.cursor;
        // Other rules report a missing `event_t` and a number that is no time.
        if (
          !isForEvents(exchange) ||
          value === undefined ||
          text === undefined ||
          isNoTimestamp(value, times)
        )
          return undefined;
        const { newest, source } = times;
        const isBehind =
          source && newest - value > OVERLAP_MS && !times.isLastListed(value) && exchange.canKnow(source);
        // A client that moves forward slowly makes progress; another rule reports one that moves back.
        const isSame = last === undefined || value === last;
        count = isBehind ? (isSame ? count : 0) + 1 : 0;
        rereads = [...rereads, exchange.seq].slice(-MOST_REREADS);
        last = value;
        if (count < MOST_REREADS) return undefined;
        const isUpdate = count > longest;
        longest = Math.max(count, longest);
        const message = `${count} polls in a row have event_t=${value}, although events up to ${newest} were returned: every response repeats them. Send the timestamp of the last event.`;
        return { message, evidence: [source!.seq, ...rereads], isUpdate };
      };
    },
  },
});

/** Events have times in ms, and this number is far below any of them. */
function isNoTimestamp(value: number, { oldest }: EventTimes): boolean {
  return value > 0 && value < LEAST_MS && oldest >= LEAST_MS;
}

/** The events of a response with several calls at different times. */
function readCallBatch({ events, seq }: ReadExchange) {
  if (events.length < 2 || events.some(({ name }) => name !== 'tool_call')) return undefined;
  const times = events.map(({ timestamp }) => timestamp ?? Number.NaN);
  const first = times[0]!;
  const newest = Math.max(...times);
  // If they are out of order, the first may be the last.
  if (!(newest - first >= BY_CHANCE_MS) || newest !== times.at(-1)) return undefined;
  return { seq, first, newest, ids: events.flatMap(({ id }) => id ?? []) };
}

/** False for polls of the files of a finished task, which usually ignore events. */
function isForEvents({ query }: ReadExchange): boolean {
  return !query.has('downloads');
}
