import { meansCreate } from '../../scenarios/leading-rules.js';
import type { NetworkRule, Target } from '../../scenarios/types.js';
import type { Task } from '../engine/task.js';
import type { World } from '../engine/world.js';
import type { About } from './about.js';
import type { Wait } from './held.js';
import type { ActiveRule } from './rule.js';
import type { Tally } from './tally.js';
import { describeTarget, matches } from './targets.js';

type Until = Extract<NetworkRule, { network: 'hold' }>['until'];

/** What the rules need to know of the organisation. */
export interface Ground {
  world: World;
  tally: Tally;
}

/** What a `hold` waits for, without its longest time, and in words. */
export function waitUntil(
  until: Until,
  rule: ActiveRule,
  about: About,
  ground: Ground,
): { over: () => boolean; arrived?: Wait['arrived']; words: string } {
  const task = rule.scope?.task ?? about.task;
  if ('gate' in until)
    return { over: gateIsOpen(until.gate, task, ground.world), words: `gate ${until.gate}` };
  const run = rule.scope?.run ?? (task && ground.tally.runOf(task));
  if ('step' in until) {
    return { over: () => run?.happened.has(until.step) === true, words: `step ${until.step}` };
  }
  const target = until.arrive;
  let come = hasCome(target, task, ground.tally);
  return {
    over: () => come,
    arrived: (other) => {
      const isElsewhere = task !== undefined && other.task !== task && !meansCreate(target);
      if (!isElsewhere && matches(target, other, run)) come = true;
    },
    words: `arrival of ${describeTarget(target)}`,
  };
}

function gateIsOpen(gate: string, task: Task | undefined, world: World): () => boolean {
  return () => (task ? world.isOpen(gate, task) : world.gates.has(gate));
}

/** Where the n-th is waited for, it may have come before: then nothing is held for it. */
function hasCome(target: Target, task: Task | undefined, tally: Tally): boolean {
  for (const kind of ['create', 'poll', 'cancel'] as const) {
    const wanted = target[kind];
    if (typeof wanted === 'number') return tally.count(kind, task) >= wanted;
  }
  return false;
}
