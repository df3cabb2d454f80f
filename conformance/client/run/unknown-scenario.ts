import type { Scenario } from '../../../scenarios/format/types.js';
import { isHang, waitingFor } from '../judge/ended.js';
import { ObservedRun } from '../judge/observed-run.js';
import type { Client, ClientRun } from '../types.js';
import { type PlayOptions, play } from './play.js';

/** No scenario has this name. */
const NAME = 'taskdouble/no-such-scenario';

/** Whether a client fails when it cannot do what it was asked for. */
export interface UnknownScenarioResult {
  /** `inconclusive`: it failed without a request, as a client that never works does, or it could not be started. */
  outcome: 'passed' | 'failed' | 'inconclusive';
  /** What was expected, what came, what to do. */
  message: string;
  run: ClientRun;
}

const SCENARIO: Scenario = {
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

/**
 * Asks a client to play a scenario that does not exist. Its task is refused with 400, and the client has to fail: a
 * command exits with a code other than 0, a function throws or returns an `error`. This finds clients that report success
 * whatever happens.
 */
export async function playUnknownScenario(
  client: Client,
  options: PlayOptions = {},
): Promise<UnknownScenarioResult> {
  const run = await play(SCENARIO, client, options);
  const isFunction = client.kind === 'function';
  const fails = isFunction ? 'throw, or return an "error"' : 'exit with a code other than 0';
  const [outcome, what] = outcomeOf(run, isFunction);
  const message = `Asked for the scenario "${NAME}", which does not exist, with its task refused with 400, a client has to ${fails}; ${what}`;
  return { outcome, message: message.trim(), run };
}

function outcomeOf(run: ClientRun, isFunction: boolean): [UnknownScenarioResult['outcome'], string] {
  if (run.end === 'not-started') return ['inconclusive', run.error ?? 'it could not be started.'];
  if (run.end !== 'by-itself') {
    const waiting = isHang(run) ? `, waiting for ${waitingFor(new ObservedRun(run))}` : '';
    const what = `it did not end by itself (${run.end}${waiting}). Let it give up where repeating a request cannot help.`;
    return ['failed', what];
  }
  if (run.exitCode === 0) {
    const did = isFunction ? 'it ended without an error' : 'it exited with 0';
    return ['failed', `${did}. Let it fail where its task cannot be created.`];
  }
  if (run.exchanges.length > 0) return ['passed', 'it did.'];
  const words = run.error ?? run.stderr.trim().split('\n').at(-1) ?? '';
  return ['inconclusive', `it did, but without a request, as a client that never works does. ${words}`];
}
