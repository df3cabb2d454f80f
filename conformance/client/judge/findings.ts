import type { RequirementId } from '../../../spec/generated/documents.js';
import { type Finding, isTerminal, type Situation } from '../../../spec/vocabulary.js';

import type { ReadExchange } from '../../conversation/read-exchange.js';
import { findRunRule, RUN_RULES, type RunEvidence, type RunRuleId } from '../../rules/run-rules.js';
import type { ObservedRun } from './observed-run.js';

/** The rule of a finding and what it is about: `replies/once get_weather`. */
export function formatSubject({ rule, about }: Pick<Finding, 'rule' | 'about'>): string {
  return about === undefined ? rule : `${rule} ${about}`;
}

/** The key of a finding in baselines and files: rule, subject, level. */
export function formatFailureKey(finding: Finding): string {
  return formatSubject(finding) + (finding.level === 'advice' ? ' (advice)' : '');
}

interface FindingDetails {
  requirement?: RequirementId;
  about?: string | undefined;
  situation?: Situation | undefined;
  change?: string | undefined;
}

/** `evidence`: `seq` of the exchanges that prove it. */
export function createFailure(
  rule: RunRuleId,
  message: string,
  evidence: readonly number[] = [],
  details: FindingDetails = {},
): Finding {
  const { requirement = RUN_RULES[rule].requirement, about, situation, change } = details;
  return {
    ...{ rule, requirement, side: 'client', level: 'must', message, evidence: [...evidence], about },
    ...(situation && { situation }),
    ...(change !== undefined && { change }),
  };
}

/** Advice: the API does not require it of a client. */
export function createAdvice(...given: Parameters<typeof createFailure>): Finding {
  return { ...createFailure(...given), level: 'advice' };
}

export function classifyEvidence({ rule }: Pick<Finding, 'rule'>): RunEvidence {
  return findRunRule(rule)?.evidence ?? 'exchanges';
}

export function isCausedByLostEvent({ rule }: Finding): boolean {
  return findRunRule(rule)?.followsFromLostEvent === true;
}

/** The last new information about the task in a response, without numbers and ids. */
export function describeLastNews({ exchanges, actions }: ObservedRun): string {
  const about = exchanges.filter((each) => each.is('createTask') || each.task !== undefined);
  const last = about.findLast(hasNews);
  if (!last) return 'no response about a task';
  const { httpStatus, status } = last;
  if (httpStatus === 0) return 'a request that got no response';
  if (httpStatus >= 400) return `a response with status ${httpStatus}`;
  if (last.unclear) return 'a response that could not be read';
  const end = status !== undefined && isTerminal(status) ? ` with the status ${status}` : '';
  const event = last.events.findLast(({ shape }) => shape !== 'echo');
  if (event) {
    const { shape, id, payload } = event;
    if (shape === 'call') return `a tool call${end}`;
    const action = typeof id === 'string' ? actions.get(id) : undefined;
    const { code, output } = payload ?? {};
    const how = code !== 200 ? ` with code ${String(code)}` : output === null ? ' without an output' : '';
    return `the result of ${action?.name ?? 'an action'}${how}${end}`;
  }
  if (end !== '') return `the end of the task${end}`;
  if (status === 'waiting') return 'the status waiting';
  return last.is('createTask') ? 'the new task' : 'a poll response without events';
}

/** A poll response for a running task without events has no news, nor has the confirmation of an event. */
function hasNews(each: ReadExchange): boolean {
  if (!each.ok) return true;
  if (each.is('getTask')) return each.unclear || each.events.length > 0 || each.status !== 'running';
  return !each.is('sendTaskEvent');
}

/** An error without numbers and ids: the same in every run. */
export function generalize(error: string): string {
  return error.replace(/\S*\d\S*/g, '#').slice(0, LONGEST_ERROR);
}

/** Characters of an error that distinguish situations. */
const LONGEST_ERROR = 200;
