import type { Exchange, Finding } from '../../spec/vocabulary.js';
import { allRules } from './all-rules.js';
import { judgeBy } from './judging.js';
import type { Rule } from './rule.js';

export { Judge, type JudgeLimits } from './judging.js';

/** What the rules have to say about exchanges that are all there, in whatever order. Changes nothing in them. */
export function judge(exchanges: readonly Exchange[], rules: readonly Rule[] = allRules): Finding[] {
  return judgeBy(rules, exchanges).findings();
}
