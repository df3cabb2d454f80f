import type { NetworkRule, Scenario, Step } from '../types.js';
import { meansCreate } from './target.js';

/** A rule with the name that it goes by in lists: the id of its step. */
export type NamedRule = NetworkRule & { id: string };

/**
 * What a timeline begins with about creates. A timeline begins when its task has been made, too late for the way of the
 * create to the service: whoever plays a scenario sets these rules beforehand (each fires once unless it says
 * otherwise). The timelines that follow do not set them again.
 */
export function leadingCreateRules({ timeline }: Pick<Scenario, 'timeline'>): NamedRule[] {
  const rules: NamedRule[] = [];
  for (const [index, step] of timeline.entries()) {
    if (!('network' in step) || step.if !== undefined) break;
    if (step.after !== undefined) {
      if (step.meanwhile) continue;
      break;
    }
    if (!meansCreate(step.of)) continue;
    const { line: _line, meanwhile: _meanwhile, ...rule } = step;
    rules.push({ ...rule, id: ruleName(step, index), times: step.times ?? 1 });
  }
  return rules;
}

/** What a network step of a timeline is called in lists of rules. */
export function ruleName(step: Step, index: number): string {
  return step.id ?? `step-${index + 1}`;
}
