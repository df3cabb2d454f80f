import type { ClientRun } from '../types.js';

/**
 * The run with its exchanges numbered from `before` + 1: a report holds the exchanges of many runs. To be done before the
 * run is judged, so that messages have these numbers too.
 */
export function renumber(run: ClientRun, before: number): ClientRun {
  if (before === 0) return run;
  const { exchanges, pending, wall, trace } = run;
  return {
    ...run,
    exchanges: exchanges.map((exchange) => ({ ...exchange, seq: exchange.seq + before })),
    pending: pending.map((seq) => seq + before),
    wall: wall && new Map([...wall].map(([seq, times]) => [seq + before, times])),
    trace: trace.map((entry) => (entry.what === 'step' ? entry : { ...entry, seq: entry.seq + before })),
  };
}
