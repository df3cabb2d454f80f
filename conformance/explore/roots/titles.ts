import type { RunRuleId } from '../../client/judge/run-rules.js';
import type { Deviation, Failure } from '../types.js';

/** What a client does that breaks a rule. */
const DEFECTS: Readonly<Record<RunRuleId, string>> & Readonly<Record<string, string>> = {
  'run/requests': 'The client sent no request',
  'run/started': 'The client did not start',
  'run/flooded': 'The client sent or wrote without end',
  'run/ended': 'The client hung',
  'run/signal': 'The client was killed',
  'run/left-behind': 'The client left a process behind',
  'run/goes-on': 'The client sent a request after it had returned',
  'run/unhandled': 'A rejected promise was not handled',
  'create/once': 'The task was created more than once',
  'create/as-told': 'The task was created with another request than the job has',
  'actions/once': 'An action was sent more than once',
  'actions/as-told': 'An action of the job was not sent as the job has it',
  'actions/refused': 'The result of a refused action was waited for',
  'actions/in-turn': 'An action was sent before the result of the one before',
  'cancel/as-told': 'The task was not cancelled as the job says',
  'sessions/closed': 'The session was left open',
  'sessions/closed-early': 'The session was closed before the last result',
  'sessions/closed-as-told': 'The session was not closed as the job says',
  'replies/call-id': 'A reply carried no id of a call',
  'replies/event-name': 'A reply was sent as another event',
  'replies/outcome': 'A reply did not carry what the tool returned',
  'replies/each-call': 'A call got no reply',
  'replies/given-up': 'A reply was given up',
  'cursor/same-instant': 'An event of the same instant was missed',
  'line/missing': 'The client printed no result line',
  'line/shape': 'The result line had another form',
  'line/status': 'The client reported a wrong status',
  'line/output': 'The client reported a wrong output',
  'line/results': 'The client lost or mixed up the result of an action',
  'line/tool-runs': 'The tool did not run once for each call',
  'line/asked': 'The client reported another address or end than the service gave',
  'line/error': 'The client gave up without a reason',
  'line/gave-up': 'The client gave up',
  'exit/code': 'The exit code contradicted the result',
  'replies/once': 'A call was replied to twice',
  'replies/same-again': 'A call got two different replies',
  'replies/after-the-end': 'A reply was sent after the end of the task',
  'replies/after-refusal': 'A refused reply was sent again',
  'limits/immediate-retry': 'A request was sent again at once',
  'polling/after-the-end': 'The task was polled on after its end',
  'polling/event-t-back': 'event_t went back',
  'polling/event-t-first': 'event_t was the first timestamp, not the last',
  'polling/event-t-missing': 'Polls had no event_t',
  'polling/event-t': 'event_t was no timestamp of an event',
  'actions/known-name': 'An action was sent under an unknown name',
  'actions/unique-id': 'Two actions had the same id',
  'actions/event-name': 'An action was sent as another event',
  'auth/key-sent': 'A request had no API key',
  'body/json': 'A body was not JSON',
};

/** The defect in one sentence: `The client hung when poll 2 got 429.` */
export function titleOf({ rule, message, deviations }: Failure): string {
  const when =
    deviations.length === 0
      ? 'in the unchanged scenario'
      : `when ${[...new Set(deviations.map(inWords))].join(' and ')}`;
  return `${defectOf({ rule, message })} ${when}.`;
}

/** What the client did, without a full stop. */
export function defectOf({ rule, message }: Pick<Failure, 'rule' | 'message'>): string {
  if (rule === 'line/tool-runs' && / ran 2 times for 1 call/.test(message)) return 'The tool ran twice';
  return DEFECTS[rule] ?? `The client broke ${rule}`;
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
