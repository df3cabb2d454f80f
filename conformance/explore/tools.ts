import { prepareVirtualTime } from '../../mock/virtual-time/virtual-run.js';
import type { Scenario } from '../../scenarios/format/types.js';
import type { RunFinding } from '../client/judge/run-rules.js';
import { findingsOf } from '../client/judge/verdict.js';
import { play } from '../client/run/play.js';
import type { Client, ClientRun } from '../client/types.js';

/** What a search is done with: plays a scenario against the client, and judges the run. */
export interface Tools {
  play(scenario: Scenario, signal?: AbortSignal): Promise<ClientRun>;
  judge(run: ClientRun): RunFinding[];
  close(): Promise<void>;
}

/** `isUnhurried`: in real time no poll that learns nothing is left out. */
export async function openTools(client: Client, seed: number, isUnhurried = false): Promise<Tools> {
  // Put in place once: putting it in place takes longer than a run.
  const restoreTime = client.kind === 'function' ? prepareVirtualTime() : () => {};
  return {
    play: (scenario, signal) => play(scenario, client, { seed, signal, isUnhurried }),
    judge: findingsOf,
    close: async () => restoreTime(),
  };
}
