import { type TraceEntry, traceLine } from '../../../mock/network/tracer.js';
import { verbOf } from '../../../scenarios/verbs/verbs.js';
import type { TimeOfRuns } from '../../service/runner/result.js';
import type { Schedule } from '../types.js';
import { deviationText } from './schedule.js';
import { isEmptyPoll, repeatedEmptyPolls } from './traced-run.js';

/**
 * The run as each of the two sides saw it: the order of the service's steps and of what reached it, and the order of
 * the client's requests and of the responses to them. Where both are the same, nothing has changed, even if things
 * on different sides changed places. The number of a poll does not count, nor how many in a row learnt nothing.
 */
export function canonicalOrder({ scenario, deviations }: Schedule, trace: readonly TraceEntry[]): string {
  const repeated = repeatedEmptyPolls(trace);
  const service: string[] = [];
  const client: string[] = [];
  for (const entry of trace) {
    if (entry.what !== 'step' && repeated.has(entry.seq)) continue;
    const numbered = traceLine(entry);
    const line = numbered.includes('poll#') ? numbered.replace(/\bpoll#\d+/, 'poll') : numbered;
    if (entry.what !== 'answer') service.push(line);
    if (entry.what !== 'step') client.push(line);
  }
  const unseen = deviations.filter(({ rule }) => verbOf(rule).deviations?.isHidden).map(deviationText);
  return [scenario.name, ...service, 'as the client saw it:', ...client, 'unseen:', ...unseen.sort()].join(
    '\n',
  );
}

/**
 * Where the second run of a schedule differed from the first, in words; undefined where it did not. In virtual time
 * everything has to be the same, the times too; in real time the order of what is not an empty poll.
 */
export function differenceOf(
  schedule: Schedule,
  first: readonly TraceEntry[],
  second: readonly TraceEntry[],
  time: TimeOfRuns,
): string | undefined {
  const [a, b] = [first, second].map((trace) =>
    time === 'real' ? canonicalOrder(schedule, withoutEmptyPolls(trace)).split('\n') : timedLines(trace),
  ) as [string[], string[]];
  const length = Math.max(a.length, b.length);
  for (let index = 0; index < length; index++) {
    if (a[index] === b[index]) continue;
    const [once, again] = [a[index] ?? 'the end', b[index] ?? 'the end'];
    return `line ${index + 1} of the trace was "${once}" the first time and "${again}" the second`;
  }
  return undefined;
}

/** How many there are, and where, is chance where time is real. */
function withoutEmptyPolls(trace: readonly TraceEntry[]): TraceEntry[] {
  const empty = new Set(
    trace.flatMap((entry) => (entry.what === 'answer' && isEmptyPoll(entry) ? [entry.seq] : [])),
  );
  return trace.filter((entry) => entry.what === 'step' || !empty.has(entry.seq));
}

function timedLines(trace: readonly TraceEntry[]): string[] {
  const start = trace[0]?.at ?? 0;
  return trace.map((entry) => `${entry.at - start} ms: ${traceLine(entry)}`);
}

/** Why two runs of one schedule most likely differ, by the way in which they do, as one sentence with what to do. */
export function likelySourceOf(
  first: readonly TraceEntry[],
  second: readonly TraceEntry[],
  time: TimeOfRuns,
): string {
  if (time === 'real')
    return 'In real time the machine decides what comes first: for runs that repeat, search a Node.js command or --function FILE.';
  const [a, b] = [first, second].map((trace) => trace.map((entry) => traceLine(entry))) as [
    string[],
    string[],
  ];
  if (a.join('\n') === b.join('\n'))
    return 'The client does the same at other times: it reads a clock or waits for a timer outside of virtual time (a worker thread, a native module, a program that is not Node.js).';
  if (a.toSorted().join('\n') === b.toSorted().join('\n'))
    return 'The client does the same in another order: things that it does at once (files, compression, requests elsewhere) end in either order.';
  const memory =
    time === 'virtual (in process)' ? 'a variable of its module, or a file' : 'a file or a cache';
  return `The client does something else: it remembers the run before (${memory}), or depends on what else the machine does.`;
}
