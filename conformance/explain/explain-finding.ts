import type { Explanation } from './explanation.js';
import { explainRequirement } from './kinds/requirements.js';
import { explainRule } from './kinds/rules.js';

/** What a failure names: a rule, or the requirement where the check itself is the rule. */
export function explainFinding(name: string): Explanation | undefined {
  return explainRule(name) ?? explainRequirement(name);
}
