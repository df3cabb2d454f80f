import { isCreateTarget } from '../../scenarios/format/network/target.js';
import type { HoldCondition } from '../../scenarios/format/types.js';
import type { Run, Task } from '../engine/tasks/task.js';
import type { Network } from './network.js';
import { isMatch, type NetworkRequest } from './network-request.js';
import type { RequestCounts } from './request-counts.js';

/** The condition for which a request, a response or a step waits. */
export interface WaitCondition {
  isMet: () => boolean;
  /** Called for every request that arrives, and again when its response has left; true if this meets the condition. */
  onRequest?: (what: 'arrive' | 'response', request: NetworkRequest) => boolean;
}

export function createCondition(
  until: HoldCondition,
  task: Task | undefined,
  run: Run | undefined,
  { organisation, counts }: Network,
  isInitiallyMet = hasOccurred(until, task, counts),
): WaitCondition {
  if ('gate' in until)
    return {
      isMet: () => (task ? organisation.isGateOpen(until.gate, task) : organisation.gates.has(until.gate)),
    };
  if ('step' in until) return { isMet: () => run?.happened.has(until.step) === true };
  const target = 'response' in until ? until.response : until.arrive;
  let isMet = isInitiallyMet;
  const onRequest = (what: 'arrive' | 'response', request: NetworkRequest) => {
    // A timeline's rule can match requests of its own task, and creates.
    const canMean = task === undefined || request.task === task || isCreateTarget(target);
    const isMeant = what in until && canMean && isMatch(target, request, run);
    isMet ||= isMeant;
    return isMeant;
  };
  return { isMet: () => isMet, onRequest };
}

/** True if the n-th request has already arrived (or its response has left) when the wait begins. */
function hasOccurred(until: HoldCondition, task: Task | undefined, counts: RequestCounts): boolean {
  const target = 'response' in until ? until.response : 'arrive' in until ? until.arrive : {};
  for (const kind of ['create', 'poll', 'cancel'] as const) {
    const wanted = target[kind];
    if (typeof wanted !== 'number') continue;
    if (counts.count(kind, task) < wanted) return false;
    return !('response' in until) || !counts.isUnderWay(kind, wanted, task);
  }
  return false;
}
