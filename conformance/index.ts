/** Judges both sides of the protocol by the exchanges that passed between them. */

export { allRules, untimedRules } from './rules/all-rules.js';
export { Judge, type JudgeLimits, judge } from './rules/judge.js';
export { type ReadEvent, SeenExchange, type SentEvent } from './rules/read.js';
export type { Complaint, Rule, Watcher } from './rules/rule.js';
