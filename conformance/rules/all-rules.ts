import type { Exchange, Finding } from '../../spec/vocabulary.js';
import { clientRules } from './client-rules.js';
import { judgeExchanges } from './judge.js';
import type { Rule } from './rule.js';
import { serviceRules } from './service-rules.js';

export const allRules: readonly Rule[] = Object.freeze([...clientRules, ...serviceRules]);

/** Judges a complete list of exchanges, in any order, without changing them. */
export function judge(exchanges: readonly Exchange[], rules: readonly Rule[] = allRules): Finding[] {
  return judgeExchanges(rules, exchanges).findings();
}
