import { type RequirementId, requirements } from '../../spec/generated/documents.js';
import { groupBy } from '../../spec/lists.js';
import type { Level, Side } from '../../spec/requirement-types.js';
import { isActive } from '../../spec/vocabulary.js';
import { type CheckResult, summarizeFindings } from '../causes/check-result.js';
import { isLacking } from '../common/lacks.js';
import { formatTime } from '../common/text.js';
import { readField } from '../conversation/json.js';
import type { ReadExchange } from '../conversation/read-exchange.js';
import type { TaskConversation } from '../conversation/task-conversation.js';
import { clientRules, collectOccasions } from '../rules/client-rules.js';
import type { Judge } from '../rules/judge.js';
import type { Rule } from '../rules/rule.js';
import { serviceRules } from '../rules/service-rules.js';
import { type ConformReport, measureCoverage } from '../service/runner/result.js';
import { Verdicts } from '../service/runner/verdicts.js';

const NO_OCCASION = 'no exchange gave the occasion';

const RULES_BY_ID: ReadonlyMap<string, string> = new Map(requirements.map(({ id, rule }) => [id, rule]));
const OPERATIONS_BY_REQUIREMENT: ReadonlyMap<string, readonly string[]> = new Map(
  requirements.map(({ id, operations }) => [id, operations]),
);
const SERVICE_REQUIREMENTS = [...new Set(serviceRules.flatMap((rule) => rule.requirements))];

/** One check per mandatory client rule. It passes if an exchange could have violated the rule and none did. */
export function createClientChecks(
  judge: Judge,
  occasions: Occasions,
  lacks: readonly string[],
): CheckResult[] {
  const { findings, openQuestions } = judge.conclude();
  const open = new Map(openQuestions.map(({ rule, ...question }) => [rule.id, question]));
  const groupByRule = (level: Level) =>
    groupBy(
      findings.filter((each) => each.side === 'client' && each.level === level),
      ({ rule }) => rule,
    );
  const [broken, advised] = [groupByRule('must'), groupByRule('advice')];
  return clientRules
    .filter(({ level }) => level === 'must')
    .map((rule): CheckResult => {
      const about = {
        id: `client#${rule.id}`,
        case: 'client',
        suite: 'client' as const,
        side: 'client' as const,
        title: rule.title,
        covers: [...rule.requirements] as RequirementId[],
      };
      const lacking = rule.parts?.find((each) => lacks.includes(each));
      if (lacking !== undefined) return { ...about, ...createSkippedResult(lacking, 'client') };
      const found = broken.get(rule.id);
      if (found) return { ...about, rule: rule.id, outcome: 'failed', ...summarizeFindings(found) };
      const question = open.get(rule.id);
      if (question) return { ...about, outcome: 'inconclusive', ...question };
      const advice = advised.get(rule.id);
      if (advice) return { ...about, outcome: 'inconclusive', ...summarizeFindings(advice) };
      const evidence = [...occasions.listEvidence(rule)];
      if (evidence.length === 0) return { ...about, outcome: 'inconclusive', message: NO_OCCASION, evidence };
      return {
        ...about,
        outcome: 'passed',
        message: 'no exchange that could have broken the rule did',
        evidence,
      };
    });
}

function createSkippedResult(
  lacking: string,
  side: Side,
): Pick<CheckResult, 'outcome' | 'message' | 'evidence'> {
  const message = `it is about ${lacking}, which the ${side} lacks (--lacks ${lacking})`;
  return { outcome: 'skipped', message, evidence: [] };
}

/** One check per requirement that the service rules check. It passes if exchanges show that it is met. */
export function createServiceChecks(judge: Judge, lacks: readonly string[]): CheckResult[] {
  const verdicts = new Verdicts();
  verdicts.addJudgeResults(judge, serviceRules);
  const all = { id: 'service', title: '', covers: SERVICE_REQUIREMENTS };
  return verdicts.createChecks(all, { kind: 'whole' }).map((check) => {
    const [id] = check.covers;
    const called = OPERATIONS_BY_REQUIREMENT.get(id!) ?? [];
    const lacking = called.every((each) => isLacking(each, lacks)) ? called[0] : undefined;
    return {
      ...check,
      ...(lacking !== undefined && createSkippedResult(lacking, 'service')),
      ...{ suite: 'service', side: 'service', title: RULES_BY_ID.get(id!) ?? '' },
    };
  });
}

export function mergeSideCoverage(
  sides: readonly Side[],
  checks: readonly CheckResult[],
  isPartial: boolean,
): ConformReport['requirements'] {
  const explainUntested = ({ unobservable }: { unobservable?: string }) => unobservable ?? NO_OCCASION;
  const parts = sides.map((side) => measureCoverage(side, checks, explainUntested, { isPartial }));
  return {
    total: parts.reduce((sum, { total }) => sum + total, 0),
    tested: parts.reduce((sum, { tested }) => sum + tested, 0),
    untested: parts.flatMap(({ untested }) => untested),
  };
}

/** Most `seq`s kept for one rule. */
const MOST_EVIDENCE = 20;

/** By the id of the rule: exchanges in which a client could have violated it. */
export class Occasions {
  readonly #seqs = new Map<string, number[]>();

  observe(exchange: ReadExchange): void {
    const operation = exchange.operation?.id;
    if (operation === undefined) return;
    const given = new Set<RequirementId>([...collectOccasions(exchange), ...collectOtherOccasions(exchange)]);
    for (const { id, only, requirements } of clientRules) {
      const seqs = this.#seqs.get(id);
      if (seqs && seqs.length >= MOST_EVIDENCE) continue;
      const isAbout = only === undefined || only.length === 0 || only.includes(operation);
      if (!isAbout || !requirements.some((requirement) => given.has(requirement))) continue;
      if (seqs) seqs.push(exchange.seq);
      else this.#seqs.set(id, [exchange.seq]);
    }
  }

  listEvidence({ id }: Rule): readonly number[] {
    return this.#seqs.get(id) ?? [];
  }
}

/** Occasions that do not depend on a scenario. */
function collectOtherOccasions(exchange: ReadExchange): RequirementId[] {
  const shown: RequirementId[] = [];
  if (exchange.operation?.auth === 'key') shown.push('AUTH-01');
  if (exchange.requestBody.state === 'json') shown.push('SERVICE-02', 'TASK-01');
  if (Array.isArray(readField(exchange.requestJson, 'files'))) shown.push('FILE-03');
  if (exchange.reply) shown.push('CLIENT-02', 'CLIENT-06', 'POLL-06');
  if (exchange.sent) shown.push('CLIENT-01');
  return shown;
}

/** Most tasks in a message. */
const MOST_SHOWN = 3;

/**
 * Checks whether clients follow their tasks to a terminal status. A task that is active when the proxy ends is inconclusive:
 * its client may still wait for it, or may not need it.
 */
export function createFollowedCheck(judge: Judge, endedAt: number): CheckResult {
  const about = {
    id: 'client#tasks/followed',
    case: 'client',
    suite: 'client' as const,
    side: 'client' as const,
    title: 'A client follows its task until it is over.',
    covers: ['POLL-01' as const],
  };
  const open: { id: string; task: TaskConversation }[] = [];
  const over: number[] = [];
  for (const { id, task } of judge.iterateClientTasks()) {
    if (task.polledEnd) over.push(task.polledEnd.seq);
    else if (!task.end && !task.stop && isActive(task.latest?.status ?? '')) open.push({ id, task });
  }
  if (open.length === 0) {
    const evidence = over.slice(-MOST_SHOWN);
    return over.length > 0
      ? { ...about, outcome: 'passed', message: 'the end of each task was read', evidence }
      : { ...about, outcome: 'inconclusive', message: 'no exchange gave the occasion', evidence };
  }
  const shown = open.slice(0, MOST_SHOWN).map(({ id, task }) => describeOpenTask(id, task, endedAt));
  const more = open.length > MOST_SHOWN ? ` And ${open.length - MOST_SHOWN} more.` : '';
  const message = `${shown.join(' ')}${more} The traffic does not show whether the client still waits, was ended, or needs no more of it.`;
  return {
    ...about,
    outcome: 'inconclusive',
    message,
    evidence: open.map(({ task }) => task.latest!.seq).slice(-MOST_SHOWN),
  };
}

function describeOpenTask(id: string, task: TaskConversation, endedAt: number): string {
  const { status, seq, at } = task.latest!;
  const silence = formatTime(Math.max(0, endedAt - at));
  return `The task ${id} was ${status} in the last response about it (exchange ${seq}, ${silence} before the end of the proxy): ${describeNextStep(task)}.`;
}

function describeNextStep(task: TaskConversation): string {
  const call = [...task.calls].find(([id]) => task.findReply(id) === undefined);
  if (call)
    return `the call "${call[0]}" of ${call[1].tool} was delivered in exchange ${call[1].seq} and has no reply`;
  const waiting = [...task.actions.values()].find(({ id, accepted }) => accepted && !task.results.has(id));
  if (waiting) return `the result of ${waiting.name} (exchange ${waiting.accepted!.seq}) was not delivered`;
  const result = [...task.results].at(-1);
  if (task.isSession && result)
    return `the result of "${result[0]}" was delivered in exchange ${result[1].seq}, and neither an action nor a close followed`;
  return 'the client had no call to reply to, and sent no further poll';
}
