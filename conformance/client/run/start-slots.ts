import { availableParallelism } from 'node:os';
import { real } from '../../../mock/clock/real.js';

/** A process that sends nothing has started after so long, ms of real time. */
const LONGEST_START_MS = 5000;

const waiting: (() => void)[] = [];
let places = availableParallelism();

/**
 * Waits until fewer commands are starting than there are cores. A start keeps a core busy: where many share it, what a client does
 * at one time arrives seconds apart, and the machine makes races that neither the client nor the scenario has. Returns what is
 * called once the command has started.
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
