import { allRules } from '../rules/all-rules.js';
import type { RuleDefect } from '../rules/rule.js';
import { RUN_RULES } from '../rules/run-rules.js';

/** Rules that a run breaks come last: of a rule that judges exchanges too, theirs holds. */
const DEFECTS: ReadonlyMap<string, Partial<RuleDefect>> = new Map([
  ...allRules.map((rule): [string, Partial<RuleDefect>] => [rule.id, rule]),
  ...Object.entries<RuleDefect>(RUN_RULES),
]);

/** What the rule says for the grouping of its failures; nothing for an id that is no rule. */
export function readRuleDefect(rule: string | undefined): Partial<RuleDefect> {
  return (rule === undefined ? undefined : DEFECTS.get(rule)) ?? {};
}

/** The defect that a breach of the rule is, in a sentence without its full stop; undefined where the rule has none. */
export function describeDefect(rule: string | undefined, requirement?: string): string | undefined {
  const { defect, defects = {} } = readRuleDefect(rule);
  return (defects as Readonly<Record<string, string>>)[requirement ?? ''] ?? defect;
}
