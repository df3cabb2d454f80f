import type { Choices } from '../../../mock/options/mock-options.js';
import type { Scenario } from '../../../scenarios/format/types.js';
import type { Client, ClientRun } from '../types.js';
import { runCommand, runNode } from './command-run.js';
import { FunctionPlayer } from './function-run.js';
import { type PlayOptions, planOf } from './run-plan.js';

/** One for each dialect: those of a process share its time, and a run leaves nothing behind. */
const players = new WeakMap<object, FunctionPlayer>();
const PLAIN: Choices = {};

/**
 * Plays a scenario against a client, every task of which follows it, and gives all that is known of the run. What the
 * client does wrong is in there: it rejects only where the mock itself is at fault.
 */
export function play(scenario: Scenario, client: Client, options: PlayOptions = {}): Promise<ClientRun> {
  const plan = planOf(scenario, client.kind, options);
  switch (client.kind) {
    case 'function':
      return playerOf(plan.dialect).play(client, plan);
    case 'node':
      return runNode(client, plan);
    case 'command':
      return runCommand(client, plan);
  }
}

function playerOf(dialect: Choices = PLAIN): FunctionPlayer {
  const known = players.get(dialect) ?? new FunctionPlayer(dialect);
  players.set(dialect, known);
  return known;
}
