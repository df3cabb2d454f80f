import type { Probe } from './probe.js';

/** Every probe of the suite, in the order in which they run. */
export const allProbes: readonly Probe[] = Object.freeze([]);
