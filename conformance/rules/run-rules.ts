import type { RequirementId } from '../../spec/generated/documents.js';
import type { RuleDefect } from './rule.js';

export const RUN_EVIDENCE = ['exchanges', 'line', 'exit', 'end'] as const;
export type RunEvidence = (typeof RUN_EVIDENCE)[number];

interface RunRule extends RuleDefect {
  /** Quoted by a finding that names no other. */
  requirement: RequirementId;
  /** Default: `exchanges`. */
  evidence?: RunEvidence;
}

/** Client faults after which the service or the client itself waits: the client hangs. */
const WAITED_FOR = [
  'replies/each-call',
  'replies/given-up',
  'replies/after-refusal',
  'replies/call-id',
  'replies/event-name',
  'replies/complete',
  'actions/refused',
  'actions/known-name',
  'actions/event-name',
  'actions/event-kind',
  'actions/unique-id',
  'polling/event-t',
  'polling/event-t-first',
  'cancel/matches-job',
] as const;

/** Rules that need more than the exchanges: the job, the result line, the exit code and how the run ended. */
export const RUN_RULES = {
  'run/requests': {
    onLack: true,
    requirement: 'CLIENT-13',
    defect: 'The client sent no request',
  },
  'run/started': {
    requirement: 'CLIENT-09',
    evidence: 'end',
    defect: 'The client did not start',
  },
  'run/flooded': {
    requirement: 'CLIENT-09',
    evidence: 'end',
    defect: 'The client sent or wrote without end',
  },
  'run/ended': {
    requirement: 'CLIENT-09',
    evidence: 'end',
    defect: 'The client hung',
    consequenceOf: [...WAITED_FOR],
    followsFromLostEvent: true,
  },
  'run/signal': {
    requirement: 'CLIENT-09',
    evidence: 'end',
    defect: 'The client was killed',
  },
  'run/left-behind': {
    requirement: 'CLIENT-09',
    evidence: 'end',
    defect: 'The client left a process behind',
  },
  'run/late-request': {
    requirement: 'CLIENT-09',
    evidence: 'end',
    defect: 'The client sent a request after it had returned',
    followsFromLostEvent: true,
  },
  'run/left-open': {
    requirement: 'CLIENT-09',
    evidence: 'end',
    defect: 'The client left timers, requests or sockets open',
  },
  'run/unhandled': {
    requirement: 'CLIENT-09',
    evidence: 'end',
    defect: 'A rejected promise was not handled',
    onGivingUp: 'reported',
  },
  'requests/dropped': {
    requirement: 'CLIENT-13',
    defect: 'A request that failed was neither sent again nor reported',
    defects: {
      'SESSION-02': 'A close that failed was neither sent again nor reported',
      'TOOL-10': 'A reply that failed was neither sent again nor reported',
      'CLIENT-09': 'The client waited for what a request that had failed would bring',
    },
    severity: 'loss',
  },
  'requests/refused': {
    requirement: 'CLIENT-08',
    defect: 'A request that is refused for good was sent until the time was over',
    concerns: 'request',
  },
  'create/once': {
    requirement: 'CLIENT-13',
    defect: 'The task was created more than once',
    concerns: 'request',
  },
  'create/matches-job': {
    onLack: true,
    requirement: 'CLIENT-13',
    defect: 'The task was created with another request than the job has',
    concerns: 'request',
  },
  'create/other-job': {
    requirement: 'CLIENT-13',
    defect: 'A job was mixed up with another job of the process',
    concerns: 'request',
  },
  'actions/once': {
    requirement: 'CLIENT-13',
    defect: 'An action was sent more than once',
    concerns: 'request',
  },
  'actions/match-job': {
    onLack: true,
    requirement: 'CLIENT-13',
    defect: 'An action of the job was not sent as the job has it',
    concerns: 'request',
    onGivingUp: 'left undone',
    followsFromLostEvent: true,
  },
  'actions/in-turn': {
    requirement: 'CLIENT-13',
    defect: 'An action was sent before the result of the one before',
    concerns: 'request',
  },
  'actions/refused': {
    requirement: 'CLIENT-09',
    defect: 'The result of a refused action was waited for',
    concerns: 'request',
  },
  'cancel/matches-job': {
    onLack: true,
    requirement: 'CLIENT-13',
    defect: 'The task was not cancelled as the job says',
    onGivingUp: 'reported',
    followsFromLostEvent: true,
  },
  'sessions/closed': {
    onLack: true,
    requirement: 'SESSION-02',
    defect: 'The session was left open',
    consequenceOf: ['*', 'line/error', 'line/missing', 'exit/code'],
    concerns: 'request',
    onGivingUp: 'reported',
    followsFromLostEvent: true,
  },
  'sessions/closed-early': {
    requirement: 'SESSION-02',
    defect: 'The session was closed before the last result',
    concerns: 'request',
    onGivingUp: 'reported',
    followsFromLostEvent: true,
  },
  'sessions/close-matches-job': {
    onLack: true,
    requirement: 'CLIENT-13',
    defect: 'The session was not closed as the job says',
    concerns: 'request',
    onGivingUp: 'reported',
  },
  'replies/outcome': {
    requirement: 'TOOL-06',
    defect: 'A reply did not carry what the tool returned',
    consequenceOf: ['replies/code', 'replies/complete'],
    defects: {
      'TOOL-03': 'A reply did not report the failure of a tool with code 400 or 500 and its message',
    },
  },
  'replies/each-call': {
    requirement: 'TOOL-10',
    defect: 'A call got no reply',
    consequenceOf: ['replies/call-id', 'replies/event-name'],
    defects: { 'CLIENT-06': 'A call of a tool that the client does not have got no reply' },
    onGivingUp: 'left undone',
  },
  'replies/given-up': {
    requirement: 'TOOL-10',
    defect: 'A reply was given up',
  },
  'cursor/same-instant': {
    requirement: 'POLL-05',
    defect: 'An event of the same instant was missed',
  },
  'polling/without-events': {
    requirement: 'POLL-01',
    defect: 'A response without events stopped the client',
  },
  'results/odd-code': {
    requirement: 'CLIENT-09',
    defect: 'A result with an unknown code stopped the client',
  },
  'line/missing': {
    requirement: 'CLIENT-10',
    evidence: 'line',
    defect: 'The adapter gave no result line',
    consequenceOf: ['*', 'line/error'],
    onGivingUp: 'reported',
    followsFromLostEvent: true,
  },
  'line/shape': {
    requirement: 'CLIENT-10',
    evidence: 'line',
    defect: 'The adapter gave a result line of another form',
    consequenceOf: ['requests/dropped'],
    onGivingUp: 'left undone',
  },
  'line/status': {
    requirement: 'CLIENT-10',
    evidence: 'line',
    defect: 'The client reported a wrong status',
    consequenceOf: ['run/ended'],
    defects: { 'POLL-01': 'The client stopped before the task was over' },
    onGivingUp: 'left undone',
    followsFromLostEvent: true,
  },
  'line/output': {
    requirement: 'CLIENT-10',
    evidence: 'line',
    defect: 'The client reported a wrong output',
    onGivingUp: 'reported',
    followsFromLostEvent: true,
  },
  'line/results': {
    requirement: 'CLIENT-10',
    evidence: 'line',
    defect: 'The client reported a wrong result of an action',
    consequenceOf: ['actions/known-name', 'actions/event-name', 'requests/dropped'],
    defects: {
      'CLIENT-05': 'The result of an action that came together with the end of the task was lost',
      'CLIENT-07': 'The results of actions were mixed up',
      'POLL-06': 'The result of an action was handled twice',
    },
    onGivingUp: 'reported',
    followsFromLostEvent: true,
  },
  'line/tool-runs': {
    requirement: 'TOOL-10',
    evidence: 'line',
    defect: 'The tool did not run once for each call, with its input',
    defects: { 'POLL-06': 'The tool ran twice' },
    onGivingUp: 'reported',
  },
  'line/asked': {
    requirement: 'CLIENT-10',
    evidence: 'line',
    defect: 'The client reported another address or end than the service gave',
    onGivingUp: 'reported',
  },
  'line/error': {
    requirement: 'CLIENT-10',
    evidence: 'line',
    defect: 'The client gave up without a reason',
    consequenceOf: ['*'],
    onGivingUp: 'reported',
    followsFromLostEvent: true,
  },
  'line/gave-up': {
    requirement: 'CLIENT-11',
    evidence: 'line',
    defect: 'The client gave up',
    onGivingUp: 'reported',
    followsFromLostEvent: true,
  },
  'exit/code': {
    requirement: 'CLIENT-10',
    evidence: 'exit',
    defect: 'The adapter exited with a code that contradicts its result line',
    consequenceOf: ['*', 'line/error', 'line/missing'],
    followsFromLostEvent: true,
  },
} satisfies Record<string, RunRule>;
export type RunRuleId = keyof typeof RUN_RULES;

/** Undefined for a rule that needs only exchanges. */
export function findRunRule(rule: string): RunRule | undefined {
  return Object.hasOwn(RUN_RULES, rule) ? RUN_RULES[rule as RunRuleId] : undefined;
}
