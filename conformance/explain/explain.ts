import { findNearest } from '../../spec/nearest.js';
import type { Explanation } from './explanation.js';
import { explainCheck } from './kinds/checks.js';
import { explainExitCode } from './kinds/exit-codes.js';
import {
  explainOpenPoint,
  explainRequirement,
  OPEN_POINT_IDS,
  REQUIREMENT_IDS,
} from './kinds/requirements.js';
import { explainRule, RULE_IDS } from './kinds/rules.js';
import { explainScenario, listScenarioNames } from './kinds/scenarios.js';
import { explainTerm } from './kinds/terms.js';
import { explainVerb, VERB_NAMES } from './kinds/verbs.js';
import { searchWords } from './search-words.js';

/** No explanation fits the name. */
export interface UnexplainedName {
  /** The nearest known name. */
  nearest: string | undefined;
}

/**
 * What a name means: a rule, a requirement, a check, an open point, a scenario, an exit code, a verb of a scenario, a term; everything
 * else is taken as a defect in words. The best match comes first.
 */
export async function explain(name: string): Promise<readonly Explanation[] | UnexplainedName> {
  const wanted = name.trim();
  const exact = [
    explainRule(wanted),
    explainRequirement(wanted.toUpperCase()),
    explainOpenPoint(wanted),
    explainExitCode(wanted),
    ...explainVerb(wanted),
    explainTerm(wanted),
    await explainScenario(wanted),
    await explainCheck(wanted),
  ].filter((each) => each !== undefined);
  if (exact.length > 0) return exact;
  // A name that is spelled wrong is no sentence.
  const found = /\/|^[a-z]+-\d+$/i.test(wanted) ? [] : searchWords(wanted);
  if (found.length > 0) return found;
  const names = [
    ...[...RULE_IDS, ...REQUIREMENT_IDS, ...OPEN_POINT_IDS, ...VERB_NAMES],
    ...(await listScenarioNames()),
  ];
  return {
    nearest: findNearest(wanted, names) ?? names.find((each) => wanted !== '' && each.startsWith(wanted)),
  };
}

export function isUnknown(found: readonly Explanation[] | UnexplainedName): found is UnexplainedName {
  return 'nearest' in found;
}
