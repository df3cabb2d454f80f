import { RESULT_CODES } from '../../../spec/vocabulary.js';
import { field } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import { FLOOD_OF_REQUESTS } from '../run/recording.js';
import { failure, type RunFinding } from './finding.js';
import { lastWords } from './last-words.js';
import { named, type Story } from './story.js';

const UNHANDLED = /unhandled\s*(promise)?\s*rejection|unhandledRejection/i;

/** How the run ended: what there is to say however the conversation went. */
export function ended(story: Story): RunFinding[] {
  const { run } = story;
  const found: RunFinding[] = [...howItEnded(story)];
  if (run.signal !== null && run.end === 'by-itself') {
    found.push(
      failure({
        rule: 'run/signal',
        requirement: 'CLIENT-09',
        message: `The client was killed by ${run.signal}${tail(run.stderr)}. It has to print its line and exit by itself.`,
      }),
    );
  }
  if (run.left_behind > 0) {
    const what = run.left_behind === 1 ? 'a process' : `${run.left_behind} processes`;
    found.push(
      failure({
        rule: 'run/left-behind',
        requirement: 'CLIENT-09',
        message: `The client left ${what} behind (ended now). A client waits for the processes that it starts, or ends them.`,
      }),
    );
  }
  const unhandled = unhandledIn(story);
  if (unhandled !== undefined) {
    found.push(
      failure({
        rule: 'run/unhandled',
        requirement: 'CLIENT-09',
        message: `A promise was rejected and nobody took care of it: ${unhandled}. Await every request, or catch its error.`,
        evidence: lastOf(story),
      }),
    );
  }
  return found;
}

/** Requests that a service of this API would not know do not count. */
export function madeNoRequest({ seen, run }: Story): RunFinding[] {
  if (run.end === 'not-started' || seen.some(({ operation }) => operation !== undefined)) return [];
  const other = seen[0]?.exchange;
  const message = other
    ? `The client made no request of this API: ${named(other)} is none. Paths are those below TASKDOUBLE_BASE_URL/api/v1.`
    : 'The client made no request. Read the address of the service from TASKDOUBLE_BASE_URL (a function from `baseUrl`), and use its `fetch`.';
  return [
    failure({
      rule: 'run/requests',
      requirement: 'CLIENT-13',
      message,
      evidence: seen.slice(0, 3).map(({ seq }) => seq),
    }),
  ];
}

function howItEnded(story: Story): RunFinding[] {
  const { run } = story;
  const said = (rule: string, message: string, evidence: number[] = []): RunFinding[] => [
    failure({ rule, requirement: 'CLIENT-09', message, evidence }),
  ];
  switch (run.end) {
    case 'not-started':
      return said('run/started', `The client could not be started: ${run.error ?? 'no reason is known'}.`);
    case 'not-virtual':
      return said(
        'run/started',
        `Time could not be made virtual in the client: ${run.error ?? 'no reason is known'}. Run it with --time real.`,
      );
    case 'flooded':
      return said(
        'run/flooded',
        run.error === FLOOD_OF_REQUESTS
          ? `The client ${run.error} in one run, and was ended. Let it do what the job says once, not in a loop without end.`
          : 'The client wrote more to its output than is taken, and was ended. Print one line, the last; logs go to stderr, and not without end.',
      );
    case 'deadline':
    case 'stalled':
    case 'idle':
      return [hang(story)];
    default:
      // Node.js says so with a code of its own: the same hang, only that nothing was left to wait with.
      return run.waiting_for === undefined ? [] : [hang(story)];
  }
}

function hang(story: Story): RunFinding {
  const { run, end, actions, calls } = story;
  const waiting = run.waiting_for ?? 'nothing that can be told';
  const printed =
    run.line === undefined ? '' : ' It had printed its line already: something of it goes on running.';
  // What came together with the end is missed by those who look at the status alone.
  const missed = [
    ...[...actions.values()]
      .filter(({ result }) => result?.withEnd)
      .map(({ name }) => `the result of ${name}`),
    ...[...calls.values()]
      .filter(({ delivered }) => delivered[0] === end?.seq)
      .map(({ tool }) => `a call of ${tool}`),
  ];
  const why = end
    ? missed.length > 0
      ? ` Exchange ${end.seq} brought ${missed.join(' and ')} together with the status "${end.status}": read the events of an answer before its status.`
      : ` It had read that the task is "${end.status}" in exchange ${end.seq}: then nothing more comes, and every wait has to end.`
    : oddResult(story) + brokenOff(story);
  const about = [...actions.values()].find(({ result }) => result === undefined)?.about;
  return failure({
    rule: 'run/ended',
    requirement: missed.length > 0 ? 'CLIENT-05' : 'CLIENT-09',
    message: `The client did not end${howLong(run.end, run.duration_ms)}. It was waiting for ${waiting}.${printed}${why}`,
    evidence: end ? [...new Set([end.seq, ...lastOf(story)])] : lastOf(story),
    about:
      about ?? [...calls.values()].find(({ replies, tooLate }) => replies.length === 0 && !tooLate)?.about,
  });
}

function howLong(end: Story['run']['end'], duration_ms: number): string {
  if (end === 'by-itself')
    return ': it stopped in the middle of an await that nothing could settle (exit code 13)';
  const s = `${Math.round(duration_ms / 100) / 10} s`;
  if (end === 'idle') return ` and had nothing left to do after ${s}`;
  return end === 'stalled' ? `; nothing has moved any more when it was ended after ${s}` : ` within ${s}`;
}

/** Results that a client may overlook: an output of null, a code that the API does not list. */
function oddResult({ actions }: Story): string {
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
function brokenOff({ seen }: Story): string {
  const polls = seen.filter((each) => each.is('getTask'));
  const last = polls.at(-1);
  const came = last && failureOf(last);
  if (!came) return '';
  const before = polls.at(-2);
  if (before && failureOf(before) === came)
    return ` Poll after poll ${came}, last ${named(last.exchange)}: that does not change by polling on.`;
  const status = last.exchange.response?.status ?? 0;
  const isForGood = status >= 400 && status < 500 && status !== 429;
  const remedy = isForGood
    ? 'that does not change by polling on. End with an "error" that says so.'
    : 'a poll that fails is sent again after a while.';
  return ` It has not polled any more since ${named(last.exchange)} ${came}: ${remedy}`;
}

function failureOf(poll: ReadExchange): string | undefined {
  const { response } = poll.exchange;
  if (!response) return 'got no answer';
  if (!poll.ok) return `was answered with ${response.status}`;
  return poll.unclear ? 'could not be read' : undefined;
}

function unhandledIn({ run }: Story): string | undefined {
  if (run.unhandled !== undefined) return run.unhandled;
  if (run.way === 'function') return run.line !== undefined ? run.error : undefined;
  const at = run.stderr.search(UNHANDLED);
  if (run.end !== 'by-itself' || run.exit_code === 0 || at === -1) return undefined;
  return field({ text: run.stderr.slice(at).split('\n')[0]?.slice(0, 200) }, 'text') as string;
}

function tail(stderr: string): string {
  const last = lastWords(stderr);
  return last ? `, its last words: ${last}` : '';
}

function lastOf({ seen }: Story): number[] {
  const last = seen.at(-1);
  return last ? [last.seq] : [];
}
