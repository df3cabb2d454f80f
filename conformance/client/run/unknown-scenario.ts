import type { Scenario } from '../../../scenarios/format/types.js';
import type { CheckResult } from '../../causes/check-result.js';
import { describeWait, isHang } from '../judge/run-end.js';
import type { ClientRun } from '../types.js';

const NAME = 'taskdouble/no-such-scenario';

/**
 * A scenario that does not exist. Its task is refused with 400, and the client has to fail: a command exits with a code other than 0, a
 * function throws or returns an `error`. This finds clients that always report success.
 */
export const UNKNOWN_SCENARIO: Scenario = {
  name: NAME,
  title: 'A scenario that does not exist',
  covers: [],
  match: 'never',
  request: { task: 'There is nothing to do: this scenario does not exist.' },
  timeline: [
    {
      network: 'fail',
      of: { create: true },
      times: Number.MAX_SAFE_INTEGER,
      status: 400,
      detail: `There is no scenario "${NAME}".`,
    },
  ],
};

export const UNKNOWN_SCENARIO_CHECK: Pick<CheckResult, 'id' | 'case' | 'suite' | 'title' | 'covers'> = {
  id: 'unknown-scenario#CLIENT-10',
  case: 'unknown-scenario',
  suite: 'unknown-scenario',
  title: 'A client that cannot do its job reports an error',
  covers: ['CLIENT-10'],
};

/** Whether the client failed. Inconclusive if it made no request: a client that never works does the same. */
export function checkUnknownScenario(run: ClientRun): CheckResult {
  const isFunction = run.kind === 'function';
  const fails = isFunction ? 'throw, or return an "error"' : 'exit with a code other than 0';
  const [outcome, what] = classifyOutcome(run, isFunction);
  const message = `The scenario "${NAME}" does not exist and its task is refused with 400: the client has to ${fails}; ${what}`;
  const evidence = run.exchanges.slice(0, 3).map(({ seq }) => seq);
  return { ...UNKNOWN_SCENARIO_CHECK, outcome, message: message.trim(), evidence };
}

function classifyOutcome(run: ClientRun, isFunction: boolean): [CheckResult['outcome'], string] {
  if (run.end !== 'by-itself') {
    const waiting = isHang(run) ? `, waiting for ${describeWait(run)}` : '';
    const what = `it did not end by itself (${run.end}${waiting}). Give up if repeating a request cannot help.`;
    return ['failed', what];
  }
  if (run.exitCode === 0) {
    const did = isFunction ? 'it ended without an error' : 'it exited with 0';
    return ['failed', `${did}. Fail if the task cannot be created.`];
  }
  if (run.exchanges.length > 0) return ['passed', 'it did.'];
  const words = run.error ?? run.stderr.trim().split('\n').at(-1) ?? '';
  return ['inconclusive', `it did, but without a request, as a client that never works does. ${words}`];
}
