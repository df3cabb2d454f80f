/**
 * `taskdouble/virtual-time`: puts the stand-ins for the platform's timers and clocks in place for good. Imported before a
 * client is loaded (first in a test, or in `setupFiles`), it makes virtual in `mock.time.run` also what the client's
 * modules remember of the platform: `const sleep = promisify(setTimeout)`. Outside of runs they do what the platform does.
 */
import { timeStandIns } from './platform.js';

timeStandIns.put();
