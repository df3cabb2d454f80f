import { judgeRun } from '../../client/judge/verdict.js';
import type { ClientRun } from '../../client/types.js';
import { formatFailureKey } from '../reproduce/reproducer.js';
import { findDifference } from '../schedule/run-order.js';

/** Describes how a run in a thread differs from the same run in a process. */
export function findThreadDifference(thread: ClientRun, process: ClientRun): string | undefined {
  const schedule = { scenario: thread.scenario, deviations: [] };
  const order = findDifference(schedule, thread.trace, process.trace, 'virtual (Node.js)');
  if (order) return order.difference;
  const [own, other] = [summarizeRun(thread), summarizeRun(process)];
  return own === other ? undefined : `it shows ${own}, in a process ${other}`;
}

/** Each run has its own port. */
function summarizeRun(run: ClientRun): string {
  const { end, exitCode, line, lineProblem } = run;
  const rules = judgeRun(run).map(formatFailureKey);
  return JSON.stringify({ end, exitCode, line, lineProblem, rules }).replace(/127\.0\.0\.1:\d+/g, '{host}');
}
