import type { Exchange, Finding } from '../../spec/vocabulary.js';
import { clientRules } from './client-rules.js';
import { judgeExchanges } from './judge.js';
import type { Rule } from './rule.js';
import { serviceRules } from './service-rules.js';

/** Every rule, about either side. */
export const allRules: readonly Rule[] = Object.freeze([...clientRules, ...serviceRules]);

/** What the rules have to say about exchanges that are all there, in whatever order. Changes nothing in them. */
export function judge(exchanges: readonly Exchange[], rules: readonly Rule[] = allRules): Finding[] {
  return judgeExchanges(rules, exchanges).findings();
}
