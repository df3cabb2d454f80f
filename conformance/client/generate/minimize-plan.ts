import type { RunTimeLabel } from '../../service/runner/result.js';
import type { ConversationPlan } from './plan.js';
import { LEFT_OUT, listSites } from './plan-sites.js';

const MOST_RUNS: Record<RunTimeLabel, number> = {
  'virtual (in process)': 500,
  'virtual (Node.js)': 80,
  real: 40,
};
/** In real time a client that hangs takes its whole deadline. */
const MOST_HANGS_IN_REAL_TIME = 8;

/** Longest time for minimizing one failure, real ms. */
export const MOST_MINIMIZING_MS = 20_000;

export function selectRunLimit(time: RunTimeLabel, isHang: boolean): number {
  return isHang && time === 'real' ? MOST_HANGS_IN_REAL_TIME : MOST_RUNS[time];
}

/**
 * Returns the smallest plan that still reproduces the failure, after `most` runs at most or until `isOver`. Parts, fields and values
 * are removed or simplified one after the other until nothing more can be removed.
 */
export async function minimizePlan(
  plan: ConversationPlan,
  isReproduced: (plan: ConversationPlan) => Promise<boolean>,
  most: number,
  isOver: () => boolean = () => false,
): Promise<ConversationPlan> {
  let best = plan;
  let runs = 0;
  const isSpent = () => runs >= most || isOver();
  let hasChanged = true;
  const minimizeSite = async (at: number): Promise<boolean> => {
    const site = listSites(best)[at]!;
    for (const value of site.simpler) {
      if (isSpent()) return false;
      runs++;
      const candidate = replaceValue(best, site.path, value) as ConversationPlan;
      if (!(await isReproduced(candidate))) continue;
      best = candidate;
      return true;
    }
    return false;
  };
  while (hasChanged && !isSpent()) {
    hasChanged = false;
    for (let at = 0; at < listSites(best).length && !isSpent(); at++) {
      // After one removal, more may be removed at the same site.
      while (at < listSites(best).length && (await minimizeSite(at))) hasChanged = true;
    }
  }
  return best;
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
