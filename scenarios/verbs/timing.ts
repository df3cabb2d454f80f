import { formatDuration } from '../format/duration.js';
import { describeTarget } from '../format/network/target.js';
import type { HoldCondition, NetworkSide } from '../format/types.js';
import {
  type CandidateDeviation,
  describeAtMost,
  duration,
  type Effect,
  includeIf,
  type RuleHit,
  side,
  type Verb,
  wholeNumber,
} from './verb.js';

export interface DelayRule {
  network: 'delay';
  time_ms: number;
  jitter_ms?: number;
  side?: NetworkSide;
}

export const delay: Verb<DelayRule, 'delay'> = {
  name: 'delay',
  description: 'Requests or responses take longer. A delayed response shows the state of before the delay.',
  phase: 'response',
  fields: {
    time: duration('How much longer.'),
    jitter: duration('Up to so much more or less, drawn from the seed.', { default: 0 }),
    side: side('Where it is delayed.', 'response'),
  },
  required: ['time'],
  first: 'time',
  examples: [
    {
      network: 'delay',
      time: '200ms',
      jitter: '50ms',
      side: 'response',
      of: 'poll',
      times: 3,
      skip: 1,
      probability: 0.5,
      expires: '1m',
    },
  ],
  describe({ side: where, time_ms, jitter_ms }) {
    const more = jitter_ms ? ` ± ${formatDuration(jitter_ms)}` : '';
    return `delay${where ? ` ${where}` : ''} by ${formatDuration(time_ms)}${more}`;
  },
  onRequest: delayBy,
  onResponse: delayBy,
  deviations: {
    ranks: { delay: { reply: 30, poll: 31 } },
    changes: {
      delay: { sort: 'time', clause: ({ request }) => `${request} took long` },
    },
    isOfAnyPoll: true,
    forRequest: ({ delayMs }) => [['delay', { time_ms: delayMs }]],
  },
};

function delayBy({ time_ms, jitter_ms = 0 }: DelayRule, hit: RuleHit): Effect {
  const most = Math.round(jitter_ms);
  const jitter = most > 0 ? hit.draw(-most, most) : 0;
  const atMostMs = Math.max(0, time_ms + jitter);
  const what = hit.side === 'request' ? '' : 'response ';
  return { note: `${what}delayed ${atMostMs} ms`, wait: { atMostMs } };
}

export interface HoldRule {
  network: 'hold';
  until: HoldCondition;
  at_most_ms?: number;
  side?: NetworkSide;
}

/** Below the usual time-outs of clients. */
export const HOLD_AT_MOST_MS = 10_000;

/** A step of the service can wait too: with `of: { step }`. */
export const hold: Verb<HoldRule, 'hold-request' | 'hold-answer' | 'late-answer' | 'hold-step'> = {
  name: 'hold',
  description: 'A request, a response or a step of the service waits until something happens.',
  phase: 'request',
  fields: {
    until: { $ref: '#/$defs/until' },
    at_most: duration('Released after so long at the latest.', { default: '10s' }),
    side: side('What is held: the request on its way in, or the response on its way out.', 'request'),
  },
  required: ['until'],
  examples: [
    {
      network: 'hold',
      of: { poll: 2 },
      side: 'response',
      until: { arrive: { reply: 'first' } },
      at_most: '5s',
    },
    { network: 'hold', of: { step: 'second' }, until: { gate: 'go' } },
  ],
  step: { kind: 'service' },
  describe: ({ side: where, until, at_most_ms }) =>
    `hold${where ? ` ${where}` : ''} until ${describeUntil(until)}${describeAtMost(at_most_ms)}`,
  onRequest: holdBy,
  onResponse: holdBy,
  deviations: {
    ranks: {
      'hold-step': 10,
      'hold-answer': { action: 20, reply: 21, poll: 32 },
      'late-answer': { reply: 26, action: 27 },
      'hold-request': { reply: 28, action: 29, poll: 33 },
    },
    changes: {
      'hold-step': { sort: 'time', clause: ({ step }) => `${step} came late` },
      'hold-answer': { sort: 'time', clause: ({ request }) => `the response to ${request} came late` },
      'late-answer': { sort: 'time', clause: ({ request }) => `the response to ${request} came late` },
      'hold-request': { sort: 'time', clause: ({ request }) => `${request} took long` },
    },
    isOfFailed: true,
    *forRequest({ kind, holdMs: at_most_ms, waits, next }) {
      if (kind === 'create') return;
      const createHold = (
        kind: 'hold-request' | 'hold-answer' | 'late-answer',
        side: NetworkSide,
        until: HoldCondition,
      ) => [kind, { side, until, at_most_ms }] satisfies CandidateDeviation<HoldRule>;
      for (const until of waits('request')) yield createHold('hold-request', 'request', until);
      for (const until of waits('response')) yield createHold('hold-answer', 'response', until);
      const until = next();
      if (!until) return;
      yield createHold('late-answer', 'response', until);
      yield createHold('hold-request', 'request', until);
    },
    *forStep({ holdMs: at_most_ms, waits }) {
      for (const until of waits()) yield ['hold-step', { until, at_most_ms }];
    },
  },
};

function holdBy({ until, at_most_ms: atMostMs = HOLD_AT_MOST_MS }: HoldRule, hit: RuleHit): Effect {
  const what = hit.side === 'response' ? 'response ' : '';
  const words = describeUntil(until);
  return {
    note: `${what}held until ${words}`,
    wait: { atMostMs, until, late: `${what}released after ${atMostMs} ms, before ${words}` },
  };
}

export function describeUntil(until: HoldCondition): string {
  if ('gate' in until) return `gate ${until.gate} is open`;
  if ('step' in until) return `step ${until.step} has happened`;
  if ('answer' in until) return `${describeTarget(until.answer)} has its response`;
  return `${describeTarget(until.arrive)} arrives`;
}

const REORDER_AT_MOST_MS = 5_000;

export const reorder: Verb<{ network: 'reorder'; at_most_ms?: number }, 'reorder'> = {
  name: 'reorder',
  description: 'The response leaves only after the response to the next such request.',
  phase: 'response',
  fields: { at_most: duration('Waits for the next one so long at the latest.', { default: '5s' }) },
  examples: [{ network: 'reorder', of: 'poll', at_most: '1s' }],
  describe: ({ at_most_ms }) => `reorder${describeAtMost(at_most_ms)}`,
  needsNext: true,
  onResponse: ({ at_most_ms: atMostMs = REORDER_AT_MOST_MS }) => ({
    note: 'response held until the next one has left',
    wait: {
      atMostMs,
      until: 'next response',
      late: `response released after ${atMostMs} ms: no next request got a response`,
    },
  }),
  deviations: {
    ranks: { reorder: {} },
    changes: {
      reorder: { sort: 'time', clause: ({ request }) => `the response to ${request} came late` },
    },
    forRequest: ({ kind, pollsOverlap, holdMs }) =>
      includeIf(kind === 'poll' && pollsOverlap, ['reorder', { at_most_ms: holdMs }]),
  },
};

const THROTTLE_AT_MOST_MS = 10_000;

/** The headers leave at once. An empty body has nothing to slow down. */
export const throttle: Verb<{ network: 'throttle'; bytes_per_second: number; at_most_ms?: number }, never> = {
  name: 'throttle',
  description:
    'The body of the response arrives slowly: the status and the headers at once, then so many bytes per second.',
  phase: 'response',
  fields: {
    bytes_per_second: wholeNumber('Bytes of the body per second.', 1),
    at_most: duration('The rest of the body follows after so long at the latest.', { default: '10s' }),
  },
  required: ['bytes_per_second'],
  first: 'bytes_per_second',
  examples: [{ network: 'throttle', bytes_per_second: 200, of: 'poll', at_most: '5s' }],
  describe: ({ bytes_per_second, at_most_ms }) =>
    `throttle to ${bytes_per_second} bytes/s${describeAtMost(at_most_ms)}`,
  onResponse(
    { bytes_per_second: bytesPerSecond, at_most_ms: atMostMs = THROTTLE_AT_MOST_MS },
    _hit,
    { body },
  ) {
    if (body.length === 0) return undefined;
    return { note: `response body at ${bytesPerSecond} bytes/s`, pace: { bytesPerSecond, atMostMs } };
  },
};
