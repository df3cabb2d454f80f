import { describeTarget } from '../target.js';
import {
  type CandidateDeviation,
  describeAtMost,
  duration,
  type Effect,
  type HoldCondition,
  type NetworkSide,
  type RuleHit,
  side,
  type Verb,
} from '../verb.js';

export interface HoldRule {
  network: 'hold';
  until: HoldCondition;
  at_most_ms?: number;
  side?: NetworkSide;
}

/** Below the time-outs that clients set themselves. */
export const HOLD_AT_MOST_MS = 10_000;

/** A step of the service can wait too: with `of: { step }`. */
export const hold: Verb<HoldRule, 'hold-request' | 'hold-response' | 'late-response' | 'hold-step'> = {
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
  onRequest: wait,
  onResponse: wait,
  deviations: {
    ranks: {
      'hold-step': 10,
      'hold-response': { action: 20, reply: 21, poll: 32 },
      'late-response': { reply: 26, action: 27 },
      'hold-request': { reply: 28, action: 29, poll: 33 },
    },
    changes: {
      'hold-step': { sort: 'time', clause: ({ step }) => `${step} came late` },
      'hold-response': { sort: 'time', clause: ({ request }) => `the response to ${request} came late` },
      'late-response': { sort: 'time', clause: ({ request }) => `the response to ${request} came late` },
      'hold-request': { sort: 'time', clause: ({ request }) => `${request} took long` },
    },
    isOfFailed: true,
    *forRequest({ kind, holdMs: at_most_ms, waits, next }) {
      if (kind === 'create') return;
      const createHold = (
        kind: 'hold-request' | 'hold-response' | 'late-response',
        side: NetworkSide,
        until: HoldCondition,
      ) => [kind, { side, until, at_most_ms }] satisfies CandidateDeviation<HoldRule>;
      for (const until of waits('request')) yield createHold('hold-request', 'request', until);
      for (const until of waits('response')) yield createHold('hold-response', 'response', until);
      const until = next();
      if (!until) return;
      yield createHold('late-response', 'response', until);
      yield createHold('hold-request', 'request', until);
    },
    *forStep({ holdMs: at_most_ms, waits }) {
      for (const until of waits()) yield ['hold-step', { until, at_most_ms }];
    },
  },
};

function wait({ until, at_most_ms: atMostMs = HOLD_AT_MOST_MS }: HoldRule, hit: RuleHit): Effect {
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
  if ('response' in until) return `${describeTarget(until.response)} has its response`;
  return `${describeTarget(until.arrive)} arrives`;
}
