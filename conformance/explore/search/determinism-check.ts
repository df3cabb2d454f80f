import { type TraceEntry, traceLine } from '../../../mock/network/trace.js';
import { canonicalOf } from '../schedule/canonical.js';
import { isEmptyPoll } from '../schedule/traced-run.js';
import type { Schedule, TimeOfRuns } from '../types.js';

/**
 * Where the second run of a schedule went another way than the first, in words; undefined where it did not. In virtual
 * time everything has to be the same, the times too; in real time the order of what told something.
 */
export function differenceOf(
  schedule: Schedule,
  first: readonly TraceEntry[],
  second: readonly TraceEntry[],
  time: TimeOfRuns,
): string | undefined {
  const [a, b] = [first, second].map((trace) =>
    time === 'real' ? canonicalOf(schedule, telling(trace)).split('\n') : timed(trace),
  ) as [string[], string[]];
  const length = Math.max(a.length, b.length);
  for (let index = 0; index < length; index++) {
    if (a[index] === b[index]) continue;
    const [once, again] = [a[index] ?? 'the end', b[index] ?? 'the end'];
    return `line ${index + 1} of the trace was "${once}" the first time and "${again}" the second`;
  }
  return undefined;
}

/** Without the polls that learnt nothing: how many there are, and where, is chance where time is real. */
function telling(trace: readonly TraceEntry[]): TraceEntry[] {
  const vain = new Set(
    trace.flatMap((entry) => (entry.what === 'answer' && isEmptyPoll(entry) ? [entry.seq] : [])),
  );
  return trace.filter((entry) => entry.what === 'step' || !vain.has(entry.seq));
}

function timed(trace: readonly TraceEntry[]): string[] {
  const start = trace[0]?.at ?? 0;
  return trace.map((entry) => `${entry.at - start} ms: ${traceLine(entry)}`);
}
