import { availableParallelism } from 'node:os';
import { real } from '../../../mock/clock/real.js';

/** After this time a process counts as started even without a request, real ms. */
const LONGEST_START_MS = 5000;

const waiting: (() => void)[] = [];
let places = availableParallelism();

/**
 * Waits until fewer commands are starting than there are cores. A start keeps a core busy. With too many at once, simultaneous requests
 * of a client arrive seconds apart, which causes races that are in neither the client nor the scenario. Returns a function to call once
 * the command has started.
 */
export async function awaitStartSlot(): Promise<() => void> {
  if (places > 0) places--;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  let isOver = false;
  const releaseSlot = () => {
    if (isOver) return;
    isOver = true;
    real.clearTimeout(timer);
    const next = waiting.shift();
    if (next) next();
    else places++;
  };
  const timer = real.setTimeout(releaseSlot, LONGEST_START_MS);
  return releaseSlot;
}
