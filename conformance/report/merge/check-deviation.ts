import { checkStep } from '../../../scenarios/format/check/schema-check.js';
import { checkRule } from '../../../scenarios/format/network/check-rule.js';
import { writeRule } from '../../../scenarios/format/network/rule.js';
import { show } from '../../../spec/show.js';
import { DEVIATION_KINDS } from '../../explore/schedule/candidates.js';
import type { Deviation } from '../../explore/types.js';

/** Why a deviation in a report is invalid, beyond its schema; else undefined. */
export function findDeviationProblem({ kind, rule, behind }: Deviation): string | undefined {
  if (!DEVIATION_KINDS.includes(kind)) return `there is no deviation of the kind ${show(kind)}`;
  if (behind !== undefined && !(Number.isSafeInteger(behind.place) && typeof behind.words === 'string'))
    return `behind: expected a place and words, found ${show(behind)}`;
  try {
    const raw = writeRule({ ...rule });
    const [violation] = checkStep(raw, [], ['network']);
    return (violation ?? checkRule(raw, [])[0])?.message;
  } catch {
    return `expected a network rule, found ${show(rule)}`;
  }
}
