import { formatDuration } from '../duration.js';
import type { NetworkRule, Target } from '../types.js';

/** A rule of the network in words: `drop the response of the reply to second, once`. */
export function describeRule(rule: NetworkRule): string {
  const words = [
    describeVerb(rule),
    rule.of && !['same-instant', 'at-once', 'reissue'].includes(rule.network)
      ? `of ${describeTarget(rule.of)}`
      : '',
  ];
  if (rule.skip) words.push(`after the first ${rule.skip}`);
  if (rule.times !== undefined) words.push(rule.times === 1 ? 'once' : `${rule.times} times`);
  if (rule.probability !== undefined) words.push(`with probability ${rule.probability}`);
  if (rule.expires_ms !== undefined) words.push(`for ${formatDuration(rule.expires_ms)}`);
  return words.filter(Boolean).join(' ');
}

function describeVerb(rule: NetworkRule): string {
  const side = 'side' in rule && rule.side !== undefined ? ` ${rule.side}` : '';
  switch (rule.network) {
    case 'delay':
      return `delay${side} by ${formatDuration(rule.time_ms)}${rule.jitter_ms ? ` ± ${formatDuration(rule.jitter_ms)}` : ''}`;
    case 'hold':
      return `hold${side} until ${describeUntil(rule.until)}${atMost(rule.at_most_ms)}`;
    case 'drop':
      return `drop${side}`;
    case 'reorder':
      return `reorder${atMost(rule.at_most_ms)}`;
    case 'same-instant':
      return `same instant for ${rule.of?.step ?? 'the next event'}`;
    case 'fail':
      return `fail${side} with ${rule.status}${rule.detail ? ` "${rule.detail}"` : ''}${rule.retry_after_s === undefined ? '' : `, Retry-After ${rule.retry_after_s}`}`;
    case 'quota':
      return `quota ${rule.requests} per ${formatDuration(rule.per_ms)}`;
    case 'garble':
      return `garble with ${rule.status ?? 502}`;
    case 'truncate':
      return rule.bytes === undefined ? 'truncate' : `truncate after ${rule.bytes} bytes`;
    case 'duplicate':
      return 'duplicate';
    case 'at-once':
      return `${stepOf(rule)} ends the task at once, with its last event`;
    case 'redeliver':
      return rule.first === undefined ? 'all events again' : `the first ${rule.first} events again`;
    case 'repeat':
      return 'every event twice';
    case 'shuffle':
      return 'events in reverse order';
    case 'reissue':
      return `the event of ${stepOf(rule)} comes again`;
    case 'reshape':
      return describeShape(rule);
  }
}

function stepOf({ of }: NetworkRule): string {
  return of?.step === undefined ? 'the next step' : `step ${of.step}`;
}

function describeShape({ events, extra }: Extract<NetworkRule, { network: 'reshape' }>): string {
  const parts: string[] = [];
  if (events !== undefined)
    parts.push(`no events as ${events === 'empty' ? 'an empty list' : String(events)}`);
  if (extra !== undefined) parts.push(`unknown fields ${Object.keys(extra).join(', ')}`);
  return parts.join(', ');
}

function atMost(ms: number | undefined): string {
  return ms === undefined ? '' : `, at most ${formatDuration(ms)},`;
}

function describeUntil(until: Extract<NetworkRule, { network: 'hold' }>['until']): string {
  if ('gate' in until) return `gate ${until.gate} is open`;
  if ('step' in until) return `step ${until.step} has happened`;
  if ('answer' in until) return `${describeTarget(until.answer)} is answered`;
  return `${describeTarget(until.arrive)} arrives`;
}

/** The requests that a target means, in words. */
export function describeTarget(target: Target): string {
  const words: string[] = [];
  for (const kind of ['create', 'poll', 'cancel'] as const) {
    const which = target[kind];
    if (which !== undefined) words.push(which === true ? kind : `${kind} ${which}`);
  }
  if (target.reply !== undefined) words.push(target.reply === true ? 'reply' : `reply to ${target.reply}`);
  if (target.action !== undefined) words.push(target.action === true ? 'action' : `action ${target.action}`);
  if (target.operation !== undefined) words.push(target.operation);
  if (target.method !== undefined) words.push(target.method);
  if (target.path !== undefined) words.push(target.path);
  if (target.step !== undefined) words.push(`step ${target.step}`);
  return words.join(' ') || 'any request';
}
