import { setClockOfContext } from '../platform.js';
import { realTimerStandIns, watchRealTimersHere } from '../real-timers.js';
import { watchRequests } from './client-requests.js';
import { clientNow, disableContexts } from './context.js';
import { putForClients, takeAwayFromClients } from './places.js';
import { watchSockets } from './sockets.js';
import { stopWatchingUncaught, watchUncaught } from './uncaught.js';

let runs = 0;
let unwatchRequests = () => {};
let unwatchSockets = () => {};

/** Puts in place, with the first of several runs, all that runs need of this process. */
export function putInPlace(): void {
  if (runs++ > 0) return;
  realTimerStandIns.put();
  watchRealTimersHere(() => clientNow()?.realTimers);
  unwatchRequests = watchRequests();
  unwatchSockets = watchSockets();
  watchUncaught();
  setClockOfContext(() => clientNow()?.clock);
  putForClients();
}

/** Takes it all away again with the last. */
export function takeAway(): void {
  if (--runs > 0) return;
  takeAwayFromClients();
  setClockOfContext(undefined);
  stopWatchingUncaught();
  unwatchSockets();
  unwatchRequests();
  watchRealTimersHere(undefined);
  realTimerStandIns.takeAway();
  disableContexts();
}
