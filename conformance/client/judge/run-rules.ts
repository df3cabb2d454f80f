import type { RequirementId } from '../../../spec/generated/documents.js';
import type { Finding } from '../../../spec/vocabulary.js';

/** What a run is judged by. */
export const RUN_EVIDENCE = ['exchanges', 'line', 'exit', 'end'] as const;
export type RunEvidence = (typeof RUN_EVIDENCE)[number];

interface RunRule {
  /** What a finding quotes unless it names another. */
  requirement: RequirementId;
  /** `exchanges` unless given. */
  evidence?: RunEvidence;
  /** A client that never gets an event breaks it too. */
  followsFromLostEvent?: true;
}

/** Rules that take more than the exchanges to judge: the job, the result line, the exit code and how the run ended. */
const RUN_RULES = {
  'run/requests': { requirement: 'CLIENT-13' },
  'run/started': { requirement: 'CLIENT-09', evidence: 'end' },
  'run/flooded': { requirement: 'CLIENT-09', evidence: 'end' },
  'run/ended': { requirement: 'CLIENT-09', evidence: 'end', followsFromLostEvent: true },
  'run/signal': { requirement: 'CLIENT-09', evidence: 'end' },
  'run/left-behind': { requirement: 'CLIENT-09', evidence: 'end' },
  'run/goes-on': { requirement: 'CLIENT-09', evidence: 'end' },
  'run/unhandled': { requirement: 'CLIENT-09', evidence: 'end' },
  'create/once': { requirement: 'CLIENT-13' },
  'create/as-told': { requirement: 'CLIENT-13' },
  'actions/once': { requirement: 'CLIENT-13' },
  'actions/as-told': { requirement: 'CLIENT-13', followsFromLostEvent: true },
  'actions/in-turn': { requirement: 'CLIENT-13' },
  'actions/refused': { requirement: 'CLIENT-09' },
  'cancel/as-told': { requirement: 'CLIENT-13' },
  'sessions/closed': { requirement: 'SESSION-02', followsFromLostEvent: true },
  'sessions/closed-early': { requirement: 'SESSION-02', followsFromLostEvent: true },
  'sessions/closed-as-told': { requirement: 'CLIENT-13' },
  'replies/outcome': { requirement: 'TOOL-06' },
  'replies/each-call': { requirement: 'TOOL-10' },
  'replies/given-up': { requirement: 'TOOL-10' },
  'cursor/same-instant': { requirement: 'POLL-05' },
  'line/missing': { requirement: 'CLIENT-10', evidence: 'line', followsFromLostEvent: true },
  'line/shape': { requirement: 'CLIENT-10', evidence: 'line' },
  'line/status': { requirement: 'CLIENT-10', evidence: 'line', followsFromLostEvent: true },
  'line/output': { requirement: 'CLIENT-10', evidence: 'line', followsFromLostEvent: true },
  'line/results': { requirement: 'CLIENT-10', evidence: 'line', followsFromLostEvent: true },
  'line/tool-runs': { requirement: 'TOOL-10', evidence: 'line' },
  'line/asked': { requirement: 'CLIENT-10', evidence: 'line' },
  'line/error': { requirement: 'CLIENT-10', evidence: 'line', followsFromLostEvent: true },
  'line/gave-up': { requirement: 'CLIENT-11', evidence: 'line', followsFromLostEvent: true },
  'exit/code': { requirement: 'CLIENT-10', evidence: 'exit', followsFromLostEvent: true },
} satisfies Record<string, RunRule>;
export type RunRuleId = keyof typeof RUN_RULES;

/** A rule that a run breaks, or advice. */
export type RunFinding = Finding & {
  /** A name that is the same in every run: the step of a call or an action, or the name of a tool. */
  about?: string | undefined;
};

/** `evidence`: `seq` of the exchanges that show it. */
export function failure(
  rule: keyof typeof RUN_RULES,
  message: string,
  evidence: readonly number[] = [],
  details: { requirement?: RequirementId; about?: string | undefined } = {},
): RunFinding {
  const { requirement = RUN_RULES[rule].requirement, about } = details;
  return { rule, requirement, side: 'client', level: 'must', message, evidence: [...evidence], about };
}

/** The API does not oblige a client to it. */
export function advice(...given: Parameters<typeof failure>): RunFinding {
  return { ...failure(...given), level: 'advice' };
}

/** What the finding was judged by. */
export function evidenceOf({ rule }: RunFinding): RunEvidence {
  return runRule(rule)?.evidence ?? 'exchanges';
}

export function followsFromLostEvent({ rule }: RunFinding): boolean {
  return runRule(rule)?.followsFromLostEvent === true;
}

/** Undefined for rules that judge exchanges alone. */
function runRule(rule: string): RunRule | undefined {
  return Object.hasOwn(RUN_RULES, rule) ? RUN_RULES[rule as keyof typeof RUN_RULES] : undefined;
}
