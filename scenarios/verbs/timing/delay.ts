import { formatDuration } from '../../../spec/duration.js';
import { duration, type Effect, type NetworkSide, type RuleHit, side, type Verb } from '../verb.js';

export interface DelayRule {
  network: 'delay';
  time_ms: number;
  jitter_ms?: number;
  side?: NetworkSide;
}

export const delay: Verb<DelayRule, 'delay' | 'long-delay'> = {
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
  onRequest: wait,
  onResponse: wait,
  deviations: {
    ranks: { delay: { reply: 30, poll: 31 }, 'long-delay': { poll: 36 } },
    changes: {
      delay: { sort: 'time', clause: ({ request }) => `${request} took long` },
      'long-delay': { sort: 'time', clause: ({ request }) => `${request} took longer than most time-outs` },
    },
    isOfAnyPoll: true,
    *forRequest({ kind, delayMs, longDelayMs }) {
      yield ['delay', { time_ms: delayMs }];
      if (kind === 'poll' && longDelayMs !== undefined) yield ['long-delay', { time_ms: longDelayMs }];
    },
  },
};

function wait({ time_ms, jitter_ms = 0 }: DelayRule, hit: RuleHit): Effect {
  const most = Math.round(jitter_ms);
  const jitter = most > 0 ? hit.draw(-most, most) : 0;
  const atMostMs = Math.max(0, time_ms + jitter);
  const what = hit.side === 'request' ? '' : 'response ';
  return { note: `${what}delayed ${atMostMs} ms`, wait: { atMostMs } };
}
