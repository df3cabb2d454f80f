import type { NetworkRule, Scenario, Step } from '../types.js';
import { isCreateTarget } from './target.js';

/** `id`: the id of its step, the name in lists of rules. */
export type NamedRule = NetworkRule & { id: string };

/**
 * The rules about creates at the beginning of a timeline. A timeline begins when its task is created, too late for the
 * request side of the create: the caller sets these rules before it plays the scenario (`times` defaults to 1). The timelines
 * do not set them again.
 */
export function listLeadingCreateRules({ timeline }: Pick<Scenario, 'timeline'>): NamedRule[] {
  const rules: NamedRule[] = [];
  for (const [index, step] of timeline.entries()) {
    if (!('network' in step) || step.if !== undefined) break;
    if (step.after !== undefined) {
      if (step.meanwhile) continue;
      break;
    }
    if (!isCreateTarget(step.of)) continue;
    const { line: _line, meanwhile: _meanwhile, ...rule } = step;
    rules.push({ ...rule, id: formatRuleName(step, index), times: step.times ?? 1 });
  }
  return rules;
}

/** The name of a timeline's network step in lists of rules. */
export function formatRuleName(step: Step, index: number): string {
  return step.id ?? `step-${index + 1}`;
}
