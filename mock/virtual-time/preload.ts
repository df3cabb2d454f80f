/**
 * Makes the time of a Node.js process virtual before its program is loaded: `node --import` of this file, with `TASKDOUBLE_TIME` in the
 * environment. Without the variable, or if no time server listens there, nothing changes.
 */
import { isMainThread } from 'node:worker_threads';
import { connectToTime, TIME_VARIABLE } from './connect-to-time.js';
import type { RemoteConfig } from './remote-messages.js';
import { favorShortRuns } from './v8-flags.js';

const given = process.env[TIME_VARIABLE];
// Threads are not connected: a process that waits for a thread counts as busy.
if (given !== undefined && isMainThread) {
  favorShortRuns();
  await connectToTime(JSON.parse(given) as RemoteConfig);
}
