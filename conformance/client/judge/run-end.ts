import { type Finding, isTerminal, type Situation } from '../../../spec/vocabulary.js';

import { formatCount } from '../../common/text.js';
import type { ClientEnd, ClientRun, Job } from '../types.js';
import { collectLostRequests, type LostRequest } from './dropped-requests.js';
import { createAdvice, createFailure, describeLastNews, generalize } from './findings.js';
import { formatStderrError } from './line.js';
import { describeOutcome, describeRequest, ObservedRun } from './observed-run.js';

const UNHANDLED = /unhandled\s*(promise)?\s*rejection|unhandledRejection/i;

/** Exit code of Node.js for a process that ends during an await that can never settle. */
const UNSETTLED = 13;

/** The client did not end although nothing prevented it. */
export function isHang({ end, exitCode, line }: ClientRun): boolean {
  return end === 'deadline' || end === 'stalled' || end === 'idle' || (exitCode === UNSETTLED && !line);
}

/** The end of the run, independent of the conversation. */
export function checkRunEnd(observed: ObservedRun): Finding[] {
  const { run, last } = observed;
  const found: Finding[] = isHang(run) ? [createHangFailure(observed)] : checkInterruption(run);
  if (run.signal !== null && run.end === 'by-itself') {
    const message = `The client was killed by ${run.signal}. It has to print its line and exit by itself.${formatStderrError(run.stderr)}`;
    found.push(createFailure('run/signal', message));
  }
  if (run.leftBehind > 0) {
    const what = run.leftBehind === 1 ? 'a process' : `${run.leftBehind} processes`;
    const message = `The client left ${what} behind (ended now). A client waits for the processes that it starts, or ends them.`;
    found.push(createFailure('run/left-behind', message));
  }
  const [late] = run.late ?? [];
  const request = late !== undefined && observed.exchanges.find(({ seq }) => seq === late);
  if (request) {
    const message = `The function had returned, and sent ${describeRequest(request)}. A client ends its timers, polls and cancels before it ends.`;
    found.push(createFailure('run/late-request', message, run.late));
  }
  const left = describeLeftOpen(run);
  if (left !== undefined) {
    const message = `The function had returned, and left ${left} behind. In a process that lives on they add up: end them at the end of each job.`;
    found.push(createAdvice('run/left-open', message, last));
  }
  const unhandled = findUnhandledError(run);
  if (unhandled !== undefined) {
    const message = `A promise was rejected and nothing handled it: ${unhandled}. Await every request, or catch its error.`;
    const situation = readSituation(observed, { died: true, error: generalize(unhandled) });
    found.push(createFailure('run/unhandled', message, last, { situation }));
  }
  return found;
}

function describeLeftOpen({ leftOpen, exitCode }: ClientRun): string | undefined {
  if (!leftOpen) return undefined;
  const { timers, requests, sockets, servers, listeners } = leftOpen;
  const parts = [
    [timers, 'timer'],
    // Of a client that has given up, the last ones end by themselves.
    [exitCode === 0 ? requests : 0, 'request without a response'],
    [sockets, 'open socket'],
    [servers, 'listening server'],
    [listeners, 'process listener'],
  ] as const;
  const left = parts.flatMap(([count, what]) => (count > 0 ? [formatCount(count, what)] : []));
  return left.length > 0 ? left.join(' and ') : undefined;
}

function checkInterruption({ end, error = 'no reason is known' }: ClientRun): Finding[] {
  if (end === 'not-started')
    return [createFailure('run/started', `The client could not be started: ${error}.`)];
  if (end === 'not-virtual') {
    const message = `Time could not be made virtual in the client: ${error}. Run it with --time real.`;
    return [createFailure('run/started', message)];
  }
  const flood = FLOODS[end];
  return flood === undefined ? [] : [createFailure('run/flooded', flood)];
}

const FLOODS: Partial<Record<ClientEnd, string>> = {
  'request-flood':
    'The client sent and read more than 64 million characters in one run, and was ended. Do the job once, not in an endless loop.',
  'output-flood':
    'The client wrote more to its output than is read, and was ended. Print one line, the last; write logs to stderr, within limits.',
};

function createHangFailure(observed: ObservedRun): Finding {
  const { run, end, last } = observed;
  const [actions, calls] = [[...observed.actions.values()], [...observed.calls.values()]];
  // A client that checks only the status misses events in the response with the terminal status.
  const missed = [
    ...actions.filter(({ result }) => result?.isWithEnd).map(({ name }) => `the result of ${name}`),
    ...calls.filter(({ deliveries }) => deliveries[0] === end?.seq).map(({ tool }) => `a call of ${tool}`),
  ];
  const why = !end
    ? ''
    : missed.length > 0
      ? ` Exchange ${end.seq} brought ${missed.join(' and ')} together with the status "${end.status}": read the events of a response before its status.`
      : ` It had read that the task is "${end.status}" in exchange ${end.seq}: no more events follow, and every wait has to end.`;
  const wait = classifyWait(observed);
  const action = actions.find(({ result }) => result === undefined);
  const call = calls.find(({ replies, isTooLate }) => replies.length === 0 && !isTooLate);
  // If the service waits for a reply, the action that depends on it is not the cause.
  const about = wait.kind === 'reply' ? (call ?? action) : (action ?? call);
  const message = `The client did not end${describeDuration(run)}. It was waiting for ${wait.words}.${why}`;
  return createFailure('run/ended', message, end ? [...new Set([end.seq, ...last])] : last, {
    requirement: missed.length > 0 ? 'CLIENT-05' : 'CLIENT-09',
    about: about?.about,
    situation: readSituation(observed, run.end === 'by-itself' ? { died: true } : {}),
  });
}

function describeDuration({ end, durationMs }: ClientRun): string {
  if (end === 'by-itself')
    return ': it stopped in the middle of an await that nothing can settle (exit code 13)';
  return ` within ${Math.round(durationMs / 100) / 10} s`;
}

function findUnhandledError(run: ClientRun): string | undefined {
  if (run.unhandled !== undefined) return run.unhandled;
  if (run.kind === 'function') return run.line !== undefined ? run.error : undefined;
  const at = run.stderr.search(UNHANDLED);
  if (run.end !== 'by-itself' || run.exitCode === 0 || at === -1) return undefined;
  return run.stderr.slice(at).split('\n')[0]?.slice(0, 200);
}

/** What a client that did not end was waiting for. */
export type WaitKind =
  | 'response'
  | 'nothing'
  | 'task'
  /** Something that no response contained: the client has stopped polling. */
  | 'poll'
  /** The task is over, and the client knows. */
  | 'after-the-end'
  /** The service waits for the reply to a call that the client has read. */
  | 'reply'
  /** The next action of the job, or the close. */
  | 'action'
  | 'cancel'
  | 'end';

/** Run-independent descriptions that follow "waiting for". */
const WAITS: Readonly<Record<WaitKind, string>> = {
  response: 'a response that was held back',
  nothing: 'something that is not visible to the service',
  task: 'a task',
  poll: 'something that no response had',
  'after-the-end': 'something that can no longer arrive',
  reply: 'a service that waits for a reply',
  action: 'a service that waits for the next action',
  cancel: 'a service that waits for the DELETE of its task',
  end: 'the end of its task',
};

interface ClientWait {
  kind: WaitKind;
  /** They follow "It was waiting for". */
  words: string;
}

export function readSituation(observed: ObservedRun, more: Pick<Situation, 'died' | 'error'>): Situation {
  return { waits: WAITS[classifyWait(observed).kind], given: describeLastNews(observed), ...more };
}

/** What a hanging client waits for; undefined for every other finding. */
export function findWait(run: ClientRun, { rule }: Finding): WaitKind | undefined {
  return rule === 'run/ended' && isHang(run) ? classifyWait(new ObservedRun(run)).kind : undefined;
}

export function describeWait(run: ClientRun): string {
  return classifyWait(new ObservedRun(run)).words;
}

function classifyWait(observed: ObservedRun): ClientWait {
  const { exchanges, creates, run, end } = observed;
  const pendingRequest = exchanges.findLast(({ seq }) => run.pending.includes(seq));
  if (pendingRequest) {
    const words = `the response to ${describeRequest(pendingRequest)}, which was held back when the run was over`;
    return { kind: 'response', words };
  }
  const task = run.tasks.at(-1);
  const create = creates.at(-1);
  if (!create) {
    const words = 'something that is not visible to the service: it made no request for a task';
    return { kind: 'nothing', words };
  }
  if (!task) return { kind: 'task', words: `a task: ${describeRequest(create)} ${describeOutcome(create)}` };
  if (isTerminal(task.status)) {
    const words = `something that can no longer arrive: the task is ${task.status}`;
    return { kind: end ? 'after-the-end' : 'poll', words };
  }
  const lost = collectLostRequests(observed);
  const describeTry = ({ last }: LostRequest) =>
    `${describeRequest(last)} ${describeOutcome(last)}, and was not sent again`;
  const seen = observed.conversation.tasks.get(task.id);
  const call = task.calls.find(({ reply }) => reply === undefined);
  if (call) {
    const delivery = seen?.calls.get(call.id)?.seq;
    const where =
      delivery === undefined ? 'which no response had' : `which was delivered in exchange ${delivery}`;
    const reply = lost.find(({ call: its }) => its?.id === call.id);
    const words = `a service that itself waits for the reply to call ${formatStepName({ ...call, name: call.tool })}, ${where}${reply ? `: ${describeTry(reply)}` : ''}`;
    return { kind: delivery === undefined ? 'poll' : 'reply', words };
  }
  const action = task.actions.find(({ id }) => !seen?.results.has(id));
  if (action) {
    const words = `the result of ${formatStepName(action)}, which no response had`;
    return { kind: 'poll', words };
  }
  const [first] = lost;
  if (first) {
    const kind = first.kind === 'close' ? 'action' : first.kind;
    return { kind, words: `${first.awaited}: ${describeTry(first)}` };
  }
  return classifyJobWait(run.job, task.actions.length);
}

/** No request is pending: the client has to continue. `sent`: number of actions so far. */
function classifyJobWait({ actions, close, cancel_after_ms }: Job, sent: number): ClientWait {
  const waits = 'a service that itself waits for';
  const next = actions[sent];
  if (next) {
    const words = `${waits} ${next.payload.name}, action ${sent + 1} of the job, which was never sent`;
    return { kind: 'action', words };
  }
  if (close && sent === actions.length)
    return { kind: 'action', words: `${waits} the close, the last thing in the job` };
  if (cancel_after_ms === null) return { kind: 'end', words: 'the end of its task, which is still running' };
  const words = `${waits} the client to stop the task (DELETE) after ${cancel_after_ms} ms, as its job says`;
  return { kind: 'cancel', words };
}

function formatStepName({ name, step = name }: { name: string; step?: string | undefined }): string {
  return step === name ? name : `${step} (${name})`;
}
