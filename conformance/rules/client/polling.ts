import { isTerminal } from '../../../spec/vocabulary.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import { defineRules, type RuleContext, type Watcher } from '../rule.js';
import { AT_ONCE_MS, MOST_READERS } from './retries.js';

/** Polls after the end that are allowed while the recording is not ready: 30 s at a quick pace. */
const RECORDING_PATIENCE = 60;
/** Polls of another reader of a finished task that requests its files: one to connect, and its first regular poll. */
const POLLS_OF_A_READER = 2;
/** Most polls after the end kept as evidence. */
const MOST_EXTRA = 19;
/** Least time that counts as a pause, ms. */
const LEAST_PAUSE_MS = 100;
/** Polls without a pause before they are reported. */
const MOST_HASTY = 5;
/** Part of the time in Retry-After that has to pass: clocks differ a little. */
const CLOSE_ENOUGH = 0.9;

/** Sections "Polling rules" and "Limits". */
export const pollingRules = defineRules('client', 'task', ['getTask'], {
  'polling/after-the-end': {
    requirements: ['CLIENT-01', 'POLL-01'],
    title: 'A task that is over is not polled on and on.',
    defect: 'The task was polled on after its end',
    concerns: 'request',
    needs: ['one-client'],
    start: watchExtraPolls(
      { least: MOST_READERS, most: Number.POSITIVE_INFINITY },
      (known) =>
        `The task is polled on ${known}. "done", "failed" and "cancelled" are for good: stop there, and wait for no other name such as "completed".`,
    ),
  },
  // One more poll for the recording, or by other readers, which learn of the end by their own polls. Common and harmless.
  'polling/one-more': {
    requirements: ['CLIENT-01'],
    level: 'advice',
    title: 'The poll that says that the task is over is the last.',
    defect: 'The task was polled once more after its end',
    concerns: 'request',
    needs: ['one-client'],
    start: watchExtraPolls(
      { least: 1, most: MOST_READERS - 1 },
      (known, polls) =>
        `The task is polled ${polls === 1 ? 'once' : `${polls} times`} more ${known}. That is for good, and the response had everything: what one reader of the task has learnt can end the polls of all.`,
    ),
  },
  'polling/retry-after': {
    requirements: ['POLL-11'],
    level: 'advice',
    title: 'After a 429 a client waits for as long as Retry-After says.',
    defect: 'A request was sent again before the time of Retry-After',
    concerns: 'request',
    timed: true,
    start: () => {
      let limit: ReadExchange | undefined;
      return (exchange) => {
        const before = limit && exchange.isAfter(limit) ? limit : undefined;
        if (readRetryAfter(exchange) !== undefined) limit = exchange;
        else if (before) limit = undefined;
        if (!before) return undefined;
        const waitMs = readRetryAfter(before)!;
        const waitedMs = exchange.at - before.respondedAt;
        // Another rule reports an immediate repetition.
        if (exchange.measureMaxSince(before) >= waitMs * CLOSE_ENOUGH || waitedMs < AT_ONCE_MS)
          return undefined;
        const message = `The task is polled again ${Math.round(waitedMs)} ms after a 429 that asked for ${Math.round(waitMs)} ms in "Retry-After". Wait that long, or the limit is met again and again.`;
        return { message, evidence: [before.seq, exchange.seq] };
      };
    },
  },
  'polling/pace': {
    requirements: ['POLL-09', 'POLL-10'],
    level: 'advice',
    title: 'Between polls that bring nothing there is a pause.',
    defect: 'Polls followed each other without a pause',
    concerns: 'request',
    timed: true,
    start: () => {
      let hasty: number[] = [];
      let [count, longest] = [0, 0];
      let last: ReadExchange | undefined;
      return (exchange) => {
        const pauseMs = last && exchange.isAfter(last) ? exchange.measureMaxSince(last) : Infinity;
        last = exchange;
        // A client that received news may poll again immediately.
        const isHasty = pauseMs < LEAST_PAUSE_MS && exchange.events.length === 0 && exchange.isConfirmed;
        count = isHasty ? count + 1 : 0;
        hasty = [...hasty, exchange.seq].slice(-MOST_HASTY);
        if (count < MOST_HASTY) return undefined;
        const isUpdate = count > longest;
        longest = Math.max(count, longest);
        const message = `${count} polls in a row came less than ${LEAST_PAUSE_MS} ms after the response before, and brought nothing. Wait 0.5 to 2 s between polls, and longer the longer a task takes.`;
        return { message, evidence: hasty, isUpdate };
      };
    },
  },
});

/** Counts polls sent although the client knew the terminal status. */
function watchExtraPolls(
  { least, most }: { least: number; most: number },
  formatMessage: (known: string, polls: number) => string,
) {
  return ({ task }: RuleContext): Watcher => {
    /** The last response had a recording, or said that there is none: no reason to poll is left, unless the live URL never came. */
    let isComplete = false;
    let liveUrl: unknown;
    let waiting = 0;
    let count = 0;
    let extra: number[] = [];
    return {
      observe(exchange) {
        const { status, record } = exchange;
        const wasComplete = isComplete;
        if (record && typeof liveUrl !== 'string') liveUrl = record.live_url;
        if (status && isTerminal(status))
          isComplete = liveUrl !== null && typeof record?.recording_url === 'string';
        if (!task.findKnownEnd(exchange)) return undefined;
        if (/^(true|1|yes|on)$/i.test(exchange.query.get('downloads') ?? ''))
          count = Math.max(count - POLLS_OF_A_READER, -POLLS_OF_A_READER);
        else if (!wasComplete && waiting < RECORDING_PATIENCE) waiting++;
        // A poll that fails and is repeated counts once; another rule limits repetitions.
        else if (exchange.isConfirmed) {
          count++;
          extra = [...extra, exchange.seq].slice(0, MOST_EXTRA);
        }
        return undefined;
      },
      conclude() {
        const { polledEnd } = task;
        if (!polledEnd || count < least || count > most) return [];
        const { seq, status } = polledEnd;
        const message = formatMessage(
          `although it was "${status}" in the response to exchange ${seq}`,
          count,
        );
        return [{ message, evidence: [seq, ...extra] }];
      },
    };
  };
}

/** The wait of a 429, ms; undefined for any other response and for an unreadable header. */
function readRetryAfter(exchange: ReadExchange): number | undefined {
  if (exchange.httpStatus !== 429) return undefined;
  return exchange.retryAfterMs;
}
