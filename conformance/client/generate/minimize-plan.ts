import type { Budget, Candidates } from '../../common/minimize.js';
import type { RunTimeLabel } from '../../service/runner/result.js';
import type { ConversationPlan } from './plan.js';
import { LEFT_OUT, listSites } from './plan-sites.js';

const MOST_RUNS: Record<RunTimeLabel, number> = {
  'virtual (in process)': 500,
  'virtual (Node.js)': 80,
  'virtual (adapter)': 80,
  real: 40,
};
/** In real time a client that hangs takes its whole deadline. */
const MOST_HANGS_IN_REAL_TIME = 8;

/** Longest time for minimizing one failure, real ms. */
const MOST_MINIMIZING_MS = 20_000;

/** The runs and the time, from now on, for minimizing one failure. */
export function createPlanBudget(time: RunTimeLabel, isHang: boolean, isStopped: () => boolean): Budget {
  const until = performance.now() + MOST_MINIMIZING_MS;
  return {
    runs: isHang && time === 'real' ? MOST_HANGS_IN_REAL_TIME : MOST_RUNS[time],
    isOver: () => isStopped() || performance.now() >= until,
  };
}

/** Removes or simplifies parts, fields and values one after the other, until nothing more can be removed. */
export function* simplifyPlan(plan: ConversationPlan): Candidates<ConversationPlan> {
  let best = plan;
  function* simplifySite(at: number): Generator<ConversationPlan, boolean, boolean> {
    const { path, simpler } = listSites(best)[at]!;
    for (const value of simpler) {
      const candidate = replaceValue(best, path, value) as ConversationPlan;
      if (!(yield candidate)) continue;
      best = candidate;
      return true;
    }
    return false;
  }
  let hasChanged = true;
  while (hasChanged) {
    hasChanged = false;
    for (let at = 0; at < listSites(best).length; at++) {
      // After one removal, more may be removed at the same site.
      while (at < listSites(best).length && (yield* simplifySite(at))) hasChanged = true;
    }
  }
}

function replaceValue(whole: unknown, [key, ...rest]: readonly (string | number)[], value: unknown): unknown {
  if (key === undefined) return value;
  const inner = (whole as Record<string | number, unknown>)[key];
  const changed = rest.length === 0 ? value : replaceValue(inner, rest, value);
  if (Array.isArray(whole)) return whole.with(Number(key), changed);
  if (changed !== LEFT_OUT) return { ...(whole as object), [key]: changed };
  const { [key]: _gone, ...others } = whole as Record<string | number, unknown>;
  return others;
}
