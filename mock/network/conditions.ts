import { meansCreate } from '../../scenarios/format/network/target.js';
import type { Until } from '../../scenarios/format/types.js';
import type { Run, Task } from '../engine/tasks/task.js';
import type { World } from '../engine/world.js';
import { matches, type NetworkRequest } from './network-request.js';
import type { RequestCounts } from './request-counts.js';

/** What decides whether something has come about. */
export interface TriggerContext {
  readonly world: World;
  readonly counts: RequestCounts;
}

/** What a request, a response or a step waits for. */
export interface WaitCondition {
  /** True once it has come about. */
  isMet: () => boolean;
  /** Handed every request that arrives meanwhile, and every one whose response has left; true for the one that is waited for. */
  hear?: (what: 'arrive' | 'answer', request: NetworkRequest) => boolean;
}

/** What a `hold` waits for. `run`: the timeline that names its steps. */
export function conditionOf(
  until: Until,
  task: Task | undefined,
  run: Run | undefined,
  { world, counts }: TriggerContext,
  hasCome = hasComeAbout(until, task, counts),
): WaitCondition {
  if ('gate' in until)
    return { isMet: () => (task ? world.isOpen(until.gate, task) : world.gates.has(until.gate)) };
  if ('step' in until) return { isMet: () => run?.happened.has(until.step) === true };
  const target = 'answer' in until ? until.answer : until.arrive;
  let isMet = hasCome;
  const hear = (what: 'arrive' | 'answer', request: NetworkRequest) => {
    // A timeline can mean the requests of its task, and creates.
    const canMean = task === undefined || request.task === task || meansCreate(target);
    const isMeant = what in until && canMean && matches(target, request, run);
    isMet ||= isMeant;
    return isMeant;
  };
  return { isMet: () => isMet, hear };
}

/** The n-th of a kind may have come, and its response have left, before anything waits for it. */
function hasComeAbout(until: Until, task: Task | undefined, counts: RequestCounts): boolean {
  const target = 'answer' in until ? until.answer : 'arrive' in until ? until.arrive : {};
  for (const kind of ['create', 'poll', 'cancel'] as const) {
    const wanted = target[kind];
    if (typeof wanted !== 'number') continue;
    if (counts.count(kind, task) < wanted) return false;
    return !('answer' in until) || !counts.isUnderWay(kind, wanted, task);
  }
  return false;
}
