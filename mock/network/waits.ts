import { meansCreate } from '../../scenarios/format/network/leading-rules.js';
import type { NetworkRule, Target } from '../../scenarios/format/types.js';
import type { Task } from '../engine/tasks/task.js';
import type { World } from '../engine/world.js';
import type { About } from './about.js';
import type { Wait } from './held.js';
import type { ActiveRule } from './rule.js';
import type { Tally } from './tally.js';
import { describeTarget, matches } from './targets.js';

type Until = Extract<NetworkRule, { network: 'hold' }>['until'];

/** How long a `hold` lasts at most unless it says otherwise, ms: below the time-outs that clients set themselves. */
export const HOLD_AT_MOST_MS = 10_000;

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
): { over: () => boolean; arrived?: Wait['arrived']; answered?: Wait['answered']; words: string } {
  const task = rule.scope?.task ?? about.task;
  if ('gate' in until)
    return { over: gateIsOpen(until.gate, task, ground.world), words: `gate ${until.gate}` };
  const run = rule.scope?.run ?? (task && ground.tally.runOf(task));
  if ('step' in until) {
    return { over: () => run?.happened.has(until.step) === true, words: `step ${until.step}` };
  }
  const target = 'answer' in until ? until.answer : until.arrive;
  let come = ('answer' in until ? hasLeft : hasCome)(target, task, ground.tally);
  const over = () => come;
  const hear = (other: About) => {
    if (comesToTask(target, other, task) && matches(target, other, run)) come = true;
  };
  const words = describeTarget(target);
  return 'answer' in until
    ? { over, answered: hear, words: `the answer to ${words}` }
    : { over, arrived: hear, words: `arrival of ${words}` };
}

/** True for a request that who waits in a task's timeline can mean: those of the task, and creates. */
export function comesToTask(target: Target, about: About, task: Task | undefined): boolean {
  return task === undefined || about.task === task || meansCreate(target);
}

export function gateIsOpen(gate: string, task: Task | undefined, world: World): () => boolean {
  return () => (task ? world.isOpen(gate, task) : world.gates.has(gate));
}

/** Where the n-th is waited for, it may have come before: then nothing is held for it. */
export function hasCome(target: Target, task: Task | undefined, tally: Tally): boolean {
  for (const kind of NUMBERED) {
    const wanted = target[kind];
    if (typeof wanted === 'number') return tally.count(kind, task) >= wanted;
  }
  return false;
}

/** The same for the answer to the n-th. */
export function hasLeft(target: Target, task: Task | undefined, tally: Tally): boolean {
  if (!hasCome(target, task, tally)) return false;
  return !NUMBERED.some((kind) => {
    const wanted = target[kind];
    return typeof wanted === 'number' && tally.isUnderWay(kind, wanted, task);
  });
}

const NUMBERED = ['create', 'poll', 'cancel'] as const;
