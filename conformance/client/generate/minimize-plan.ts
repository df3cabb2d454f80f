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

/** Real time that one failure is shrunk for at most, ms: a run of a long conversation takes long. */
export const MOST_MINIMIZING_MS = 20_000;

/** Runs in which one failure is shrunk at most. */
export function selectRunLimit(time: RunTimeLabel, isHang: boolean): number {
  return isHang && time === 'real' ? MOST_HANGS_IN_REAL_TIME : MOST_RUNS[time];
}

/**
 * The smallest plan that still shows the same (`shows` plays one), found in `most` runs at most: parts, fields and values are left
 * out or made plain, one place after the other, until nothing more can be, or `isOver`.
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
      // Once something has gone, more of the same may go.
      while (at < listSites(best).length && (await minimizeSite(at))) hasChanged = true;
    }
  }
  return best;
}

/** A copy with another value at the path. */
function replaceValue(whole: unknown, [key, ...rest]: readonly (string | number)[], value: unknown): unknown {
  if (key === undefined) return value;
  const inner = (whole as Record<string | number, unknown>)[key];
  const changed = rest.length === 0 ? value : replaceValue(inner, rest, value);
  if (Array.isArray(whole)) return whole.with(Number(key), changed);
  if (changed !== LEFT_OUT) return { ...(whole as object), [key]: changed };
  const { [key]: _gone, ...others } = whole as Record<string | number, unknown>;
  return others;
}
