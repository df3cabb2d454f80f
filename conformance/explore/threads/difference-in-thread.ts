import { findingsOf } from '../../client/judge/verdict.js';
import type { ClientRun } from '../../client/types.js';
import { failureKey } from '../reproduce/reproducer.js';
import { differenceOf } from '../schedule/run-order.js';

/** What a run in a thread shows that the same in a process does not, in words. */
export function differenceInThread(thread: ClientRun, process: ClientRun): string | undefined {
  const schedule = { scenario: thread.scenario, deviations: [] };
  const order = differenceOf(schedule, thread.trace, process.trace, 'virtual (Node.js)');
  if (order) return order.difference;
  const [own, other] = [shownBy(thread), shownBy(process)];
  return own === other ? undefined : `it shows ${own}, in a process ${other}`;
}

/** Each run has a port of its own. */
function shownBy(run: ClientRun): string {
  const { end, exitCode, line, lineProblem } = run;
  const rules = findingsOf(run).map(failureKey);
  return JSON.stringify({ end, exitCode, line, lineProblem, rules }).replace(/127\.0\.0\.1:\d+/g, '{host}');
}
