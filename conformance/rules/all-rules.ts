import { clientRules } from './client-rules.js';
import type { Rule } from './rule.js';
import { serviceRules } from './service/service-rules.js';

export { clientRules, untimedRules } from './client-rules.js';
export { serviceRules } from './service/service-rules.js';

/** Every rule there is, about either side. */
export const allRules: readonly Rule[] = Object.freeze([...clientRules, ...serviceRules]);
