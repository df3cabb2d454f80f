import type { Packing, RuleSnapshot, Unpacking } from '../engine/snapshot/network.js';
import type { Random } from '../generate/random.js';
import { ActiveRule } from './rule.js';
import type { Place } from './rule-book.js';

/** Takes down a rule; undefined for one of a timeline whose task is gone: it does nothing any more. */
export function keepRule(place: Place, rule: ActiveRule, packing: Packing): RuleSnapshot | undefined {
  const { id, scope, since } = rule;
  if (scope && !packing.has(scope.task)) return undefined;
  return {
    place,
    id,
    rule: rule.rule,
    task: scope?.task.id ?? null,
    run: scope ? packing.run(scope.task, scope.run) : null,
    since,
    ...rule.keep(packing.tasks()),
  };
}

/** The rule as it was; undefined when its task or its timeline is not there. `fork` gives any stream: its state is set. */
export function recallRule(
  kept: RuleSnapshot,
  unpacking: Unpacking,
  fork: () => Random,
): ActiveRule | undefined {
  const task = kept.task === null ? undefined : unpacking.task(kept.task);
  const run = task && unpacking.run(task, kept.run);
  if (kept.task !== null && !run) return undefined;
  const rule = new ActiveRule(kept.id, kept.rule, task && run && { task, run }, kept.since, fork);
  rule.recall(kept, unpacking.task);
  return rule;
}
