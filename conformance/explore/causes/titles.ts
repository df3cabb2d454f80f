import { readChange } from '../../../scenarios/verbs/verbs.js';
import { describeDefect } from '../../causes/causes.js';
import type { Deviation, Failure } from '../types.js';

/** The defect in one sentence: `The client hung when poll 2 got 429.` */
export function formatTitle({ rule, requirement, deviations }: Failure): string {
  const when =
    deviations.length === 0
      ? 'in the unchanged scenario'
      : `when ${[...new Set(deviations.map(formatClause))].join(' and ')}`;
  return `${formatDefect({ rule, requirement })} ${when}.`;
}

/** The failure of the client, without a full stop. */
export function formatDefect({ rule, requirement }: { rule: string; requirement?: string }): string {
  return describeDefect(rule, requirement) ?? `The client broke ${rule}`;
}

function formatClause({ kind, rule, behind }: Deviation): string {
  const { of } = rule;
  return readChange(kind).clause({ request: formatRequest(of, behind?.words), step: of?.step ?? 'a step' });
}

function formatRequest(of: Deviation['rule']['of'], behind: string | undefined): string {
  const { reply, action, create, cancel, poll } = of ?? {};
  if (reply !== undefined) return reply === true ? 'a reply' : `the reply to ${reply}`;
  if (action !== undefined) return action === true ? 'an action' : `the action ${action}`;
  if (create !== undefined) return 'the request for the task';
  if (cancel !== undefined) return 'the DELETE';
  if (poll === undefined) return 'a request';
  if (poll !== true) return `poll ${poll}`;
  return behind === undefined ? 'a poll' : `the first poll after ${behind}`;
}
