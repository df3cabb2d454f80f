import { randomUUID } from 'node:crypto';
import { setTimeout as timersTimeout } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** What modules remember of the platform when they are loaded, as clients do. */
const { setTimeout: globalTimeout } = globalThis;
const { random } = Math;
const getRandomValues = crypto.getRandomValues.bind(crypto);
const RememberedDate = Date;
const signalAfter = AbortSignal.timeout.bind(AbortSignal);
const promisified = promisify(setTimeout);

/** Each waits for so many ms. */
export const remembered: Record<string, (ms: number) => Promise<unknown>> = {
  'the global setTimeout': (ms) => new Promise((resolve) => globalTimeout(resolve, ms)),
  'promisify(setTimeout)': (ms) => promisified(ms),
  'setTimeout of node:timers': (ms) => new Promise((resolve) => timersTimeout(resolve, ms)),
  'setTimeout of node:timers/promises': (ms) => sleep(ms),
};

/** Of the class that was `Date`. */
export const readRememberedNow = (): number => RememberedDate.now();

export function waitForSignal(ms: number): Promise<unknown> {
  const signal = signalAfter(ms);
  return new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

/** Each draws random numbers. */
export const rememberedRandom: Record<string, () => unknown> = {
  'Math.random': () => random(),
  'randomUUID of node:crypto': () => randomUUID(),
  'crypto.getRandomValues': () => [...getRandomValues(new Uint32Array(2))],
};
