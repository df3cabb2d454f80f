/**
 * `taskdouble/virtual-time`: patches the platform's timers, clocks and random numbers for as long as the process lives. Imported before a client is loaded
 * (first in a test, or in `setupFiles`), it makes virtual in `mock.time.run` also what the client's modules keep of the platform:
 * `const sleep = promisify(setTimeout)`. Outside of runs the replacements do what the platform does.
 */
import { Patches } from './patches.js';
import { randomPatches } from './random-patches.js';
import { timePatches } from './time-patches.js';

Patches.apply([timePatches, randomPatches]);
