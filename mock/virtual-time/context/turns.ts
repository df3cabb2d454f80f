import { real } from '../platform.js';

/** Turns that runs wait for: nobody else's immediates. */
let turnsAwaited = 0;

export function countTurns(): number {
  return turnsAwaited;
}

/** One turn of the loop. */
export function nextTurn(): Promise<void> {
  turnsAwaited++;
  return new Promise((resolve) => {
    real.setImmediate(() => {
      turnsAwaited--;
      resolve();
    });
  });
}

/** A millisecond of real time; gives how long it took. */
export async function rest(): Promise<number> {
  const began = real.performanceNow();
  await new Promise((resolve) => real.setTimeout(resolve, 1));
  return real.performanceNow() - began;
}
