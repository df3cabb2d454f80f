import { formatTraceEntry, type TraceEntry } from '../../../mock/network/tracer.js';
import { readVerb } from '../../../scenarios/verbs/verbs.js';
import type { RunTimeLabel } from '../../service/runner/result.js';
import type { Schedule } from '../types.js';
import { formatDeviationKey } from './schedule.js';
import { collectRepeatedPolls, isEmptyPoll } from './traced-run.js';

/**
 * The run as observed by each side: the order of the service's steps and of arrivals, and the order of the client's requests and of their
 * responses. If both are equal, a reordering across sides changed nothing. Poll numbers and the count of consecutive empty polls are
 * ignored.
 */
export function canonicalizeOrder({ scenario, deviations }: Schedule, trace: readonly TraceEntry[]): string {
  const repeated = collectRepeatedPolls(trace);
  const service: string[] = [];
  const client: string[] = [];
  for (const entry of trace) {
    if (entry.what !== 'step' && repeated.has(entry.seq)) continue;
    const numbered = formatTraceEntry(entry);
    const line = numbered.includes('poll#') ? numbered.replace(/\bpoll#\d+/, 'poll') : numbered;
    if (entry.what !== 'response') service.push(line);
    if (entry.what !== 'step') client.push(line);
  }
  const unseen = deviations.filter(({ rule }) => readVerb(rule).deviations?.isHidden).map(formatDeviationKey);
  return [scenario.name, ...service, 'as the client saw it:', ...client, 'unseen:', ...unseen.sort()].join(
    '\n',
  );
}

/** How the second run of a schedule differed from the first. */
interface RunDifference {
  /** The first line of the traces that differs. */
  difference: string;
  /** Description, likely source and advice in one line. */
  source: string;
}

/**
 * Undefined if both runs of a schedule are equal. In virtual time everything has to be equal, including times. In real time the order of
 * everything except empty polls has to be equal.
 */
export function findDifference(
  schedule: Schedule,
  first: readonly TraceEntry[],
  second: readonly TraceEntry[],
  time: RunTimeLabel,
): RunDifference | undefined {
  const [a, b] = [first, second].map((trace) =>
    time === 'real'
      ? canonicalizeOrder(schedule, removeEmptyPolls(trace)).split('\n')
      : formatTimedLines(trace),
  ) as [string[], string[]];
  const length = Math.max(a.length, b.length);
  for (let index = 0; index < length; index++) {
    if (a[index] === b[index]) continue;
    const [once, again] = [a[index] ?? 'the end', b[index] ?? 'the end'];
    const difference = `line ${index + 1} of the trace was "${once}" the first time and "${again}" the second`;
    const what = `Where the first run has ${describeTraceLine(a[index])}, the second has ${describeTraceLine(b[index])}`;
    return { difference, source: `${what}: ${describeLikelySource(first, second, time)}` };
  }
  return undefined;
}

/** In real time their number and position is random. */
function removeEmptyPolls(trace: readonly TraceEntry[]): TraceEntry[] {
  const empty = new Set(
    trace.flatMap((entry) => (entry.what === 'response' && isEmptyPoll(entry) ? [entry.seq] : [])),
  );
  return trace.filter((entry) => entry.what === 'step' || !empty.has(entry.seq));
}

function formatTimedLines(trace: readonly TraceEntry[]): string[] {
  const start = trace[0]?.at ?? 0;
  return trace.map((entry) => `${entry.at - start} ms: ${formatTraceEntry(entry)}`);
}

/** Describes a line of a trace. Any other line is the end of one side's events. */
function describeTraceLine(line = ''): string {
  const [, at, what, rest = ''] = /^(\d+ ms: )?(service|arrive|response) (.+)$/.exec(line) ?? [];
  if (what === undefined) return 'nothing more';
  const name = rest.replace(/#(\d+)/, ' $1');
  const kind = { service: 'step', arrive: 'request', response: 'response to' }[what];
  return `${kind} ${name}${at === undefined ? '' : ` at ${at.slice(0, -2)}`}`;
}

/** The likely source of a difference between two runs, and advice. */
function describeLikelySource(
  first: readonly TraceEntry[],
  second: readonly TraceEntry[],
  time: RunTimeLabel,
): string {
  if (time === 'real')
    return 'in real time the order depends on the machine. Only a Node.js command, --function FILE or an adapter on virtual time repeats exactly.';
  const [a, b] = [first, second].map((trace) => trace.map(formatTraceEntry)) as [string[], string[]];
  const isSame = a.join('\n') === b.join('\n');
  if (!isSame && a.toSorted().join('\n') === b.toSorted().join('\n'))
    return 'the order changes. Concurrent work of the client outside of virtual time (files, compression, threads, other servers) ends in any order: run it in sequence.';
  const inProcess = time === 'virtual (in process)';
  const other = {
    'virtual (in process)': ['a child process', 'a variable of its module, a file'],
    'virtual (Node.js)': ['a program that is not Node.js', 'a file'],
    'virtual (adapter)': ['a child process', 'a file, a variable of a process that does several jobs'],
  } as const;
  const [program, memory] = other[time];
  const outside = `a worker thread, a native module, ${program}`;
  const advice = inProcess ? ' As a Node.js command, each run is a new process.' : '';
  return `${isSame ? 'only times change. The client waits' : 'the client decides'} by state from the previous run (${memory}), or by a clock or random numbers outside of virtual time (${outside}).${advice}`;
}
