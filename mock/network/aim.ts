import type { Run } from '../engine/tasks/task.js';
import type { About } from './about.js';
import type { ActiveRule, Overtaking } from './rule.js';
import { anySuch, matches } from './targets.js';
import type { Trip } from './trip.js';
import { worksOnAnswers } from './verbs.js';

/** Has the rule work on a request that has just come, if it concerns it. `run`: the timeline of the request's task. */
export function aim(
  { about, shots, overtakes }: Trip,
  rule: ActiveRule,
  run: Run | undefined,
  now: number,
): void {
  const overtaken = overtakenBy(about, rule, run);
  if (overtaken) {
    overtaken.met = true;
    overtakes.push(overtaken);
    rule.passed++;
    return;
  }
  if (!rule.concerns(about, run) || !rule.take(about.task, now)) return;
  const overtaking = rule.overtakings && { task: about.task, met: false, done: false };
  if (overtaking) rule.overtakings!.add(overtaking);
  shots.push({ rule, overtaking, done: false });
}

/** A timeline that begins with a rule for creates means its own: that rule is set while the create is handled. */
export function aimAtAnswer({ about, shots }: Trip, rules: Iterable<ActiveRule>, now: number): void {
  for (const rule of rules) {
    if (shots.some((shot) => shot.rule === rule) || !worksOnAnswers(rule)) continue;
    if (!rule.concerns(about, rule.scope?.run)) continue;
    if (rule.take(about.task, now)) shots.push({ rule, overtaking: undefined, done: false });
  }
}

/** The one that this request overtakes: the next such request does, and is not kept back itself. */
function overtakenBy(about: About, rule: ActiveRule, run: Run | undefined): Overtaking | undefined {
  if (!rule.overtakings?.size || !matches(anySuch(rule.rule.of), about, rule.scope?.run ?? run))
    return undefined;
  for (const each of rule.overtakings) if (!each.met && each.task === about.task) return each;
  return undefined;
}
