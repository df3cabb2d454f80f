import { RESULT_CODES } from '../../../spec/vocabulary.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import type { ClientRun } from '../types.js';
import { lastLine } from './line.js';
import { describeRequest, type ObservedRun } from './observed-run.js';
import { failure, type RunFinding } from './run-rules.js';
import { waitingFor } from './waiting-for.js';

const UNHANDLED = /unhandled\s*(promise)?\s*rejection|unhandledRejection/i;

/** Exit code of Node.js for a process that ends in the middle of an await, as nothing can settle it any more. */
const UNSETTLED = 13;

/** The client did not end although nothing kept it from it. */
export function isHang({ end, exitCode, line }: ClientRun): boolean {
  return end === 'deadline' || end === 'stalled' || end === 'idle' || (exitCode === UNSETTLED && !line);
}

/** How the run ended, however the conversation went. */
export function runEnd(observed: ObservedRun): RunFinding[] {
  const { run, last } = observed;
  const found: RunFinding[] = isHang(run) ? [hang(observed)] : endedByUs(run);
  if (run.signal !== null && run.end === 'by-itself') {
    const words = lastLine(run.stderr);
    const message = `The client was killed by ${run.signal}${words ? `, its last words: ${words}` : ''}. It has to print its line and exit by itself.`;
    found.push(failure('run/signal', message));
  }
  if (run.leftBehind > 0) {
    const what = run.leftBehind === 1 ? 'a process' : `${run.leftBehind} processes`;
    const message = `The client left ${what} behind (ended now). A client waits for the processes that it starts, or ends them.`;
    found.push(failure('run/left-behind', message));
  }
  const unhandled = unhandledIn(run);
  if (unhandled !== undefined) {
    const message = `A promise was rejected and nobody took care of it: ${unhandled}. Await every request, or catch its error.`;
    found.push(failure('run/unhandled', message, last));
  }
  return found;
}

/** Requests that a service of this API would not know do not count. */
export function noRequest({ exchanges, run }: ObservedRun): RunFinding[] {
  if (run.end === 'not-started' || exchanges.some(({ operation }) => operation !== undefined)) return [];
  const first = exchanges.slice(0, 3);
  const message = first[0]
    ? `The client made no request of this API: ${describeRequest(first[0].exchange)} is none. Paths are those below TASKDOUBLE_BASE_URL/api/v1.`
    : 'The client made no request. Read the address of the service from TASKDOUBLE_BASE_URL (a function from `baseUrl`), and use its `fetch`.';
  return [
    failure(
      'run/requests',
      message,
      first.map(({ seq }) => seq),
    ),
  ];
}

function endedByUs({ end, error = 'no reason is known' }: ClientRun): RunFinding[] {
  switch (end) {
    case 'not-started':
      return [failure('run/started', `The client could not be started: ${error}.`)];
    case 'not-virtual': {
      const message = `Time could not be made virtual in the client: ${error}. Run it with --time real.`;
      return [failure('run/started', message)];
    }
    case 'request-flood': {
      const message =
        'The client sent and read more than 64 million characters in one run, and was ended. Let it do what the job says once, not in a loop without end.';
      return [failure('run/flooded', message)];
    }
    case 'output-flood': {
      const message =
        'The client wrote more to its output than is taken, and was ended. Print one line, the last; logs go to stderr, and not without end.';
      return [failure('run/flooded', message)];
    }
    default:
      return [];
  }
}

function hang(observed: ObservedRun): RunFinding {
  const { run, end, last } = observed;
  const [actions, calls] = [[...observed.actions.values()], [...observed.calls.values()]];
  const printed =
    run.line === undefined ? '' : ' It had printed its line already: something of it goes on running.';
  // A client that looks at the status alone misses what came together with the end.
  const missed = [
    ...actions.filter(({ result }) => result?.isWithEnd).map(({ name }) => `the result of ${name}`),
    ...calls.filter(({ deliveries }) => deliveries[0] === end?.seq).map(({ tool }) => `a call of ${tool}`),
  ];
  const why = end
    ? missed.length > 0
      ? ` Exchange ${end.seq} brought ${missed.join(' and ')} together with the status "${end.status}": read the events of a response before its status.`
      : ` It had read that the task is "${end.status}" in exchange ${end.seq}: then nothing more comes, and every wait has to end.`
    : oddResult(observed) + brokenOff(observed);
  const about =
    actions.find(({ result }) => result === undefined) ??
    calls.find(({ replies, isTooLate }) => replies.length === 0 && !isTooLate);
  const message = `The client did not end${howLong(run)}. It was waiting for ${waitingFor(observed)}.${printed}${why}`;
  return failure('run/ended', message, end ? [...new Set([end.seq, ...last])] : last, {
    requirement: missed.length > 0 ? 'CLIENT-05' : 'CLIENT-09',
    about: about?.about,
  });
}

function howLong({ end, durationMs }: ClientRun): string {
  if (end === 'by-itself')
    return ': it stopped in the middle of an await that nothing could settle (exit code 13)';
  const s = `${Math.round(durationMs / 100) / 10} s`;
  if (end === 'idle') return ` and had nothing left to do after ${s}`;
  return end === 'stalled' ? `; nothing has moved any more when it was ended after ${s}` : ` within ${s}`;
}

/** Results that a client may overlook: an output of null, a code that the API does not list. */
function oddResult({ actions }: ObservedRun): string {
  const last = [...actions.values()].at(-1);
  if (last?.result?.code === 200 && last.result.output === null && last.name !== 'close')
    return ` The result of ${last.name} (exchange ${last.result.seq}) has the output null: a result is there as soon as it has a code.`;
  for (const { name, result } of actions.values()) {
    if (result && RESULT_CODES.every((code) => code !== result.code))
      return ` The result of ${name} (exchange ${result.seq}) has the code ${String(result.code)}: any result settles its action, whatever its code.`;
  }
  return '';
}

/** Polls that fail at the end: the client stopped at that failure, or polls on without end. */
function brokenOff({ exchanges }: ObservedRun): string {
  const polls = exchanges.filter((each) => each.is('getTask'));
  const last = polls.at(-1);
  const came = last && failureOf(last);
  if (!came) return '';
  const before = polls.at(-2);
  if (before && failureOf(before) === came)
    return ` Poll after poll ${came}, last ${describeRequest(last.exchange)}: that does not change by polling on.`;
  const status = last.exchange.response?.status ?? 0;
  const isForGood = status >= 400 && status < 500 && status !== 429;
  const remedy = isForGood
    ? 'that does not change by polling on. End with an "error" that says so.'
    : 'a poll that fails is sent again after a while.';
  return ` It has not polled any more since ${describeRequest(last.exchange)} ${came}: ${remedy}`;
}

function failureOf(poll: ReadExchange): string | undefined {
  const { response } = poll.exchange;
  if (!response) return 'got no answer';
  if (!poll.ok) return `was answered with ${response.status}`;
  return poll.unclear ? 'could not be read' : undefined;
}

function unhandledIn(run: ClientRun): string | undefined {
  if (run.unhandled !== undefined) return run.unhandled;
  if (run.kind === 'function') return run.line !== undefined ? run.error : undefined;
  const at = run.stderr.search(UNHANDLED);
  if (run.end !== 'by-itself' || run.exitCode === 0 || at === -1) return undefined;
  return run.stderr.slice(at).split('\n')[0]?.slice(0, 200);
}
