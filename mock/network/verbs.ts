import type { NetworkRule } from '../../scenarios/format/types.js';
import type { NetworkEffect } from '../../spec/vocabulary.js';
import type { WireResponse } from '../pipeline/wire.js';
import type { About } from './about.js';
import { dropped, failed, garbled, overQuota, truncated } from './answers.js';
import { redelivered, repeated, reshaped, shuffled } from './bodies.js';
import type { Wait } from './held.js';
import type { ActiveRule, Overtaking } from './rule.js';
import { type Ground, HOLD_AT_MOST_MS, waitUntil } from './waits.js';

type Of<Verb extends NetworkRule['network']> = Extract<NetworkRule, { network: Verb }>;

/** How long an answer waits at most to be overtaken unless the rule says otherwise, ms. */
const REORDER_AT_MOST_MS = 5_000;

/** A rule that is going to do something to this request. */
export interface Shot {
  rule: ActiveRule;
  /** For `reorder`. */
  overtaking: Overtaking | undefined;
  /** It has done it. */
  done: boolean;
}

/** What a rule does now. Nothing at all (undefined): its turn comes later, or there is nothing for it to do. */
export interface Move {
  effect: NetworkEffect['effect'];
  /** For the exchange. */
  note: string;
  wait?: Wait;
  /** For the exchange, when the longest time is over. */
  late?: string;
  /** In place of what there is. */
  answer?: WireResponse;
  /** The service is to handle the request twice. */
  twice?: true;
}

/** What a rule does to a request on its way to the service. An `answer` here: the service never gets it. */
export function before({ rule: active }: Shot, about: About, ground: Ground): Move | undefined {
  const { rule } = active;
  switch (rule.network) {
    case 'delay':
      return rule.side === 'request' ? delay(active, rule, about, ground) : undefined;
    case 'hold':
      return rule.side === 'response' ? undefined : hold(active, rule, about, ground);
    case 'drop':
      return rule.side === 'response'
        ? undefined
        : { effect: 'lost', note: 'request dropped', answer: dropped() };
    case 'fail':
      if (rule.side === 'response') return undefined;
      return { effect: 'replaced', note: `failed with ${rule.status}`, answer: failed(rule) };
    case 'quota': {
      if (active.fired >= active.times) return undefined;
      const retry_after_s = active.quota!.take(ground.world.now);
      if (retry_after_s === 0) return undefined;
      return {
        effect: 'replaced',
        note: `429 by quota ${rule.requests}/${inWords(rule.per_ms)}`,
        answer: overQuota(rule, retry_after_s),
      };
    }
    case 'duplicate':
      return { effect: 'duplicated', note: 'handled twice', twice: true };
    default:
      return undefined;
  }
}

/** What a rule does to the answer on its way to the client. The service has handled the request. */
export function after(
  { rule: active, overtaking }: Shot,
  about: About,
  response: WireResponse,
  ground: Ground,
): Move | undefined {
  const { rule } = active;
  switch (rule.network) {
    case 'delay':
      return rule.side === 'request' ? undefined : delay(active, rule, about, ground);
    case 'hold':
      return rule.side === 'response' ? hold(active, rule, about, ground) : undefined;
    case 'drop':
      return rule.side === 'response'
        ? { effect: 'lost', note: 'answer dropped', answer: dropped(response) }
        : undefined;
    case 'fail':
      if (rule.side !== 'response') return undefined;
      return { effect: 'replaced', note: `answer replaced by ${rule.status}`, answer: failed(rule) };
    case 'reorder': {
      const at_most = rule.at_most_ms ?? REORDER_AT_MOST_MS;
      return {
        effect: 'delayed',
        note: 'answer kept back until the next one has left',
        wait: { latest: ground.world.now + at_most, over: () => overtaking?.done === true },
        late: `answer let go after ${at_most} ms: no such request was answered meanwhile`,
      };
    }
    case 'garble':
      return {
        effect: 'replaced',
        note: 'answer replaced by a body that is not JSON',
        answer: garbled(rule),
      };
    case 'truncate': {
      const answer = truncated(rule, response);
      if (answer?.fault?.kind !== 'truncate') return undefined;
      return { effect: 'cut', note: `answer cut off after ${answer.fault.bytes} bytes`, answer };
    }
    case 'redeliver':
      return changed(
        rule.first === undefined ? 'all events from the beginning' : `the first ${rule.first} events again`,
        redelivered(about.task, response, rule.first),
      );
    case 'repeat':
      return changed('every event twice', repeated(response));
    case 'shuffle':
      return changed('events in reverse order', shuffled(response));
    case 'reshape':
      return changed('another shape', reshaped(rule, response));
    default:
      return undefined;
  }
}

/** True for what can still be done once the service has handled the request. */
export function worksOnAnswers({ rule }: ActiveRule): boolean {
  if (rule.network === 'delay') return rule.side !== 'request';
  if (['garble', 'truncate', 'reshape'].includes(rule.network)) return true;
  return 'side' in rule && rule.side === 'response';
}

function changed(what: string, answer: WireResponse | undefined): Move | undefined {
  return answer && { effect: 'changed', note: `answer with ${what}`, answer };
}

/** Of the answer unless the rule says otherwise: the service's state is not delayed with it. */
function delay(active: ActiveRule, rule: Of<'delay'>, about: About, { world }: Ground): Move {
  const most = Math.round(rule.jitter_ms ?? 0);
  const jitter = most > 0 ? active.draws(about.task).int(-most, most) : 0;
  const time_ms = Math.max(0, rule.time_ms + jitter);
  const what = rule.side === 'request' ? '' : 'answer ';
  return { effect: 'delayed', note: `${what}delayed ${time_ms} ms`, wait: { latest: world.now + time_ms } };
}

function hold(active: ActiveRule, rule: Of<'hold'>, about: About, ground: Ground): Move | undefined {
  const { words, ...until } = waitUntil(rule.until, active, about, ground);
  // Nothing is held for what is there already.
  if (until.over()) return undefined;
  const at_most = rule.at_most_ms ?? HOLD_AT_MOST_MS;
  const what = rule.side === 'response' ? 'answer ' : '';
  return {
    effect: 'delayed',
    note: `${what}held until ${words}`,
    wait: { latest: ground.world.now + at_most, ...until },
    late: `${what}let go after ${at_most} ms: ${words} did not come`,
  };
}

function inWords(time_ms: number): string {
  return time_ms % 1000 === 0 ? `${time_ms / 1000}s` : `${time_ms}ms`;
}
