import { allRules } from '../rules/all-rules.js';
import type { RuleDefect } from '../rules/rule.js';
import { RUN_RULES } from '../rules/run-rules.js';

/** Run rules come last: they override a rule about exchanges with the same id. */
const DEFECTS: ReadonlyMap<string, Partial<RuleDefect>> = new Map([
  ...allRules.map((rule): [string, Partial<RuleDefect>] => [rule.id, rule]),
  ...Object.entries<RuleDefect>(RUN_RULES),
]);

/** Empty for an id that is no rule. */
export function readRuleDefect(rule: string | undefined): Partial<RuleDefect> {
  return (rule === undefined ? undefined : DEFECTS.get(rule)) ?? {};
}

/** What a violation of the rule is, in a sentence without its full stop. */
export function describeDefect(rule: string | undefined, requirement?: string): string | undefined {
  const { defect, defects = {} } = readRuleDefect(rule);
  return (defects as Readonly<Record<string, string>>)[requirement ?? ''] ?? defect;
}
