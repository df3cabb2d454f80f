import type { Talk } from './talk.js';

/** What a rule lets pass, and what it does not. */
export interface Example {
  /** By what makes each of them permitted. */
  good: Record<string, Talk>;
  /** By the mistake; each is found by this rule alone, once. */
  bad: Record<string, { talk: Talk; says: RegExp; evidence: number[] }>;
}

/** By the id of the rule. */
export type Examples = Record<string, Example>;
