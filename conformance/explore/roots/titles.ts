import { describeDefect } from '../../causes/rule-defects.js';
import type { Deviation, Failure } from '../types.js';

/** The defect in one sentence: `The client hung when poll 2 got 429.` */
export function titleOf({ rule, requirement, deviations }: Failure): string {
  const when =
    deviations.length === 0
      ? 'in the unchanged scenario'
      : `when ${[...new Set(deviations.map(inWords))].join(' and ')}`;
  return `${defectOf({ rule, requirement })} ${when}.`;
}

/** What the client did, without a full stop. */
export function defectOf({ rule, requirement }: { rule: string; requirement?: string }): string {
  return describeDefect(rule, requirement) ?? `The client broke ${rule}`;
}

/** What happened to the client, as a clause in the past tense. */
function inWords({ kind, rule, behind }: Deviation): string {
  const what = requestOf(rule.of, behind?.words);
  const step = rule.of?.step ?? 'a step';
  switch (kind) {
    case 'limited':
      return `${what} got 429`;
    case 'unavailable':
      return `${what} got 503`;
    case 'response-lost':
      return `the response to ${what} was lost`;
    case 'request-lost':
      return `${what} was lost`;
    case 'garble':
      return `the response to ${what} was not JSON`;
    case 'truncate':
      return `the response to ${what} was cut off`;
    case 'redeliver':
      return 'a poll response listed earlier events again';
    case 'repeat':
      return 'the poll response listed each event twice';
    case 'reissue':
      return `the event of ${step} came a second time`;
    case 'same-instant':
      return `the event of ${step} had the timestamp of the one before`;
    case 'shuffle':
      return 'the poll response listed its events in reverse order';
    case 'reshape':
      return 'the poll response had another form of events';
    case 'at-once':
      return 'the last result came together with the end';
    case 'delay':
    case 'hold-request':
      return `${what} took long`;
    case 'hold-answer':
    case 'late-answer':
    case 'reorder':
      return `the response to ${what} came late`;
    case 'hold-step':
      return `${step} came late`;
  }
}

function requestOf(of: Deviation['rule']['of'], behind: string | undefined): string {
  const { reply, action, create, cancel, poll } = of ?? {};
  if (reply !== undefined) return reply === true ? 'a reply' : `the reply to ${reply}`;
  if (action !== undefined) return action === true ? 'an action' : `the action ${action}`;
  if (create !== undefined) return 'the request for the task';
  if (cancel !== undefined) return 'the DELETE';
  if (poll === undefined) return 'a request';
  const which =
    poll === true ? (behind === undefined ? 'a poll' : `the first poll after ${behind}`) : `poll ${poll}`;
  return which;
}
