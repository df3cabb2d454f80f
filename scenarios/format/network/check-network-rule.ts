import { checkRule, namesSteps } from '../check/check-rule.js';
import { checkStep } from '../check/schema-check.js';
import type { Complaint, Path } from '../load/source.js';

const IN_TIMELINES = ['id', 'after', 'if', 'meanwhile'];

/** What is wrong with a rule outside of a timeline. */
export function checkNetworkRule(rule: unknown, path: Path): Complaint[] {
  const complaints = checkStep(rule, path, ['network']);
  if (complaints.length > 0) return complaints;
  const given = rule as Readonly<Record<string, unknown>>;
  for (const key of IN_TIMELINES.filter((each) => each in given)) {
    const message = `unknown key "${key}"; it belongs to steps of a timeline, and a rule of the network holds from the start`;
    complaints.push({ path: [...path, key], at: 'key', message });
  }
  const until = given.until as { step?: unknown } | undefined;
  if (namesSteps(given)) {
    const message = 'steps are named in timelines only: write this rule into a scenario as a network step';
    complaints.push({ path: [...path, until?.step === undefined ? 'network' : 'until'], message });
  }
  return complaints.length > 0 ? complaints : checkRule(given, path);
}
