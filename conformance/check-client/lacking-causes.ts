import { listNeeds } from '../../scenarios/format/needs.js';
import type { Scenario } from '../../scenarios/format/types.js';
import type { Cause, CheckResult } from '../causes/check-result.js';
import { readRuleDefect } from '../causes/rule-defects.js';

/**
 * Adds to causes what the client may lack: all their scenarios need it, no scenario that needs it passed, and others passed. This is a
 * guess, which the author of the client confirms or not.
 */
export function addLacks(
  causes: readonly Cause[],
  scenarios: readonly Scenario[],
  checks: readonly CheckResult[],
): Cause[] {
  const failed = new Set(checks.filter(({ outcome }) => outcome === 'failed').map((check) => check.case));
  const passed = new Set(checks.flatMap((check) => (check.outcome === 'passed' ? check.case : [])));
  const needs = new Map(scenarios.map((scenario) => [scenario.name, listNeeds(scenario)]));
  const isLacking = (need: string) =>
    scenarios.every(({ name }) => !needs.get(name)!.includes(need) || failed.has(name) || !passed.has(name));
  const caseById = new Map(checks.map((check) => [check.id, check.case]));
  const isWhole = scenarios.some(({ name }) => passed.has(name) && !failed.has(name));
  return causes.map((cause) => {
    if (!isWhole || !readRuleDefect(cause.rule).onLack) return cause;
    const [first = [], ...others] = cause.checks.map((id) => needs.get(caseById.get(id)!) ?? []);
    const lacks = first.find((need) => others.every((each) => each.includes(need)) && isLacking(need));
    return lacks === undefined ? cause : { ...cause, lacks };
  });
}
