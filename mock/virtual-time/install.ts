/**
 * `taskdouble/virtual-time`: patches the platform's timers, clocks and random numbers for the lifetime of the process. Import it before a
 * client is loaded (first in a test, or in `setupFiles`). Then `mock.time.run` also controls platform functions that the client's modules
 * store: `const sleep = promisify(setTimeout)`. Outside of runs, the patched functions behave like the platform's.
 */
import { Patches } from './patches.js';
import { randomPatches } from './random-patches.js';
import { timePatches } from './time-patches.js';

Patches.apply([timePatches, randomPatches]);
