import { prepareVirtualTime } from '../../mock/virtual-time/virtual-run.js';
import { findingsOf } from '../client/judge/verdict.js';
import { play } from '../client/run/play.js';
import type { Client } from '../client/types.js';
import type { Tools } from './tools.js';

/** Plays against the client and judges by all rules. To be closed. */
export async function openTools(client: Client, seed: number, isUnhurried = false): Promise<Tools> {
  // Put in place once: putting it in place takes longer than a run.
  const restoreTime = client.kind === 'function' ? prepareVirtualTime() : () => {};
  return {
    play: (scenario, signal) => play(scenario, client, { seed, signal, isUnhurried }),
    judge: findingsOf,
    close: async () => restoreTime(),
  };
}
