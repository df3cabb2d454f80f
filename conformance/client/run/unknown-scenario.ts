import type { Scenario } from '../../../scenarios/format/types.js';
import type { Client, ClientRun } from '../types.js';
import { play } from './play.js';
import type { PlayOptions } from './settings.js';

/** No scenario has this name. */
export const UNKNOWN_SCENARIO = 'taskdouble/no-such-scenario';

/** Whether a client says so when it cannot do what it was asked for. */
export interface Honesty {
  /**
   * `silent`: it failed, as it should, without having made a request: so does a client that never works.
   * `not-started`: nothing can be said.
   */
  outcome: 'honest' | 'dishonest' | 'silent' | 'not-started';
  /** What was expected, what came, what to do. */
  message: string;
  run: ClientRun;
}

const PROBE: Scenario = {
  name: UNKNOWN_SCENARIO,
  title: 'A scenario that does not exist',
  covers: [],
  match: 'never',
  request: { task: 'There is nothing to do: this scenario does not exist.' },
  timeline: [],
};

/**
 * Asks a client to play a scenario that does not exist. Every request is refused with 400, and the client has to fail:
 * a command exits with a code other than 0, a function throws or gives an `error`. A client that says it is done
 * whatever happens would else pass by saying so.
 */
export async function asksHonestly(client: Client, options: PlayOptions = {}): Promise<Honesty> {
  const detail = `There is no scenario "${UNKNOWN_SCENARIO}".`;
  const run = await play(PROBE, client, { ...options, network: [{ network: 'fail', status: 400, detail }] });
  const fails = client.kind === 'function' ? 'throw, or give an "error"' : 'exit with a code other than 0';
  const asked = `Asked for the scenario "${UNKNOWN_SCENARIO}", which does not exist, with every request refused with 400, a client has to ${fails}`;
  if (run.end === 'not-started') return { outcome: 'not-started', message: run.error ?? asked, run };
  if (run.end !== 'by-itself') {
    const message = `${asked}; it did not end by itself (${run.end}${run.waiting_for === undefined ? '' : `, waiting for ${run.waiting_for}`}). Let it give up at an answer that no waiting can mend.`;
    return { outcome: 'dishonest', message, run };
  }
  if (run.exit_code === 0) {
    const did = client.kind === 'function' ? 'it ended as if all were well' : 'it exited with 0';
    return {
      outcome: 'dishonest',
      message: `${asked}; ${did}. Let it fail where its task cannot be made.`,
      run,
    };
  }
  if (run.exchanges.length === 0) {
    const message = `${asked}; it did, but without having made a request, as a client that cannot work at all would. ${run.error ?? run.stderr.trim().split('\n').at(-1) ?? ''}`;
    return { outcome: 'silent', message: message.trim(), run };
  }
  return { outcome: 'honest', message: `${asked}; it did.`, run };
}
