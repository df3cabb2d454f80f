import { type TraceEntry, traceLine } from '../../mock/trace.js';
import { canonicalOf } from './canonical.js';
import type { Schedule, TimeOfRuns } from './types.js';

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
    time === 'real' ? canonicalOf(schedule, trace).split('\n') : timed(trace),
  ) as [string[], string[]];
  const length = Math.max(a.length, b.length);
  for (let index = 0; index < length; index++) {
    if (a[index] === b[index]) continue;
    const [once, again] = [a[index] ?? 'the end', b[index] ?? 'the end'];
    return `line ${index + 1} of the trace was "${once}" the first time and "${again}" the second`;
  }
  return undefined;
}

function timed(trace: readonly TraceEntry[]): string[] {
  const start = trace[0]?.at ?? 0;
  return trace.map((entry) => `${entry.at - start} ms: ${traceLine(entry)}`);
}
