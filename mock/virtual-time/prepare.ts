import { workStandIns } from './background-work.js';
import { timeStandIns } from './platform.js';
import { realTimerStandIns } from './real-timers.js';

/** Puts virtual time in place before a client is loaded, so that what it remembers of the platform is virtual too. */
export function prepareVirtualTime(): () => void {
  timeStandIns.put();
  workStandIns.put();
  realTimerStandIns.put();
  let isPut = true;
  return () => {
    if (!isPut) return;
    isPut = false;
    timeStandIns.takeAway();
    workStandIns.takeAway();
    realTimerStandIns.takeAway();
  };
}
