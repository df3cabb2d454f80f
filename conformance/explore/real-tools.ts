import { prepareVirtualTime } from '../../mock/virtual-time/virtual-run.js';
import { findingsOf } from '../client/judge/verdict.js';
import { FunctionPlayer } from '../client/run/function-run.js';
import { play } from '../client/run/play.js';
import { planOf } from '../client/run/run-plan.js';
import type { Client } from '../client/types.js';
import type { Tools } from './tools.js';

/**
 * Plays against the client in its way and judges by all rules. To be closed. `unhurried`: in real time no poll in vain is
 * left out.
 */
export async function openTools(client: Client, seed: number, unhurried = false): Promise<Tools> {
  if (client.kind !== 'function') {
    return {
      play: (scenario, signal) => play(scenario, client, { seed, signal, unhurried }),
      judge: findingsOf,
      close: async () => {},
    };
  }
  const player = new FunctionPlayer();
  // Put in place once: putting it in place takes longer than a run.
  const takeAway = prepareVirtualTime();
  return {
    play: (scenario, signal) => player.play(client, planOf(scenario, client.kind, { seed, signal })),
    judge: findingsOf,
    close: async () => {
      await player.close();
      takeAway();
    },
  };
}
