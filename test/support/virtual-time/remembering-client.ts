import { randomUUID } from 'node:crypto';
import { setTimeout as timersTimeout } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Platform functions that a module stores when it is loaded, as clients do. */
const { setTimeout: globalTimeout } = globalThis;
const { random } = Math;
const getRandomValues = crypto.getRandomValues.bind(crypto);
const RememberedDate = Date;
const signalAfter = AbortSignal.timeout.bind(AbortSignal);
const promisified = promisify(setTimeout);

/** Functions that wait. */
export const remembered: Record<string, (ms: number) => Promise<unknown>> = {
  'the global setTimeout': (ms) => new Promise((resolve) => globalTimeout(resolve, ms)),
  'promisify(setTimeout)': (ms) => promisified(ms),
  'setTimeout of node:timers': (ms) => new Promise((resolve) => timersTimeout(resolve, ms)),
  'setTimeout of node:timers/promises': (ms) => sleep(ms),
};

export const readRememberedNow = (): number => RememberedDate.now();

export function waitForSignal(ms: number): Promise<unknown> {
  const signal = signalAfter(ms);
  return new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

/** Functions that return random values. */
export const rememberedRandom: Record<string, () => unknown> = {
  'Math.random': () => random(),
  'randomUUID of node:crypto': () => randomUUID(),
  'crypto.getRandomValues': () => [...getRandomValues(new Uint32Array(2))],
};
