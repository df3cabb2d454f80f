import type { Rule } from '../rule.js';

/** Every rule about services. */
export const serviceRules: readonly Rule[] = Object.freeze([]);
