import crypto, * as cryptoExports from 'node:crypto';
import { Socket } from 'node:net';
import perfHooks from 'node:perf_hooks';
import timers, * as timersExports from 'node:timers';
import timersPromises, * as promisesExports from 'node:timers/promises';

const RealDate = structuredClone(new Date(0)).constructor as DateConstructor;
const OWNERS: Record<string, object> = {
  globalThis,
  timers,
  timersPromises,
  scheduler: timersPromises.scheduler,
  Date: RealDate,
  'Date.prototype': RealDate.prototype,
  AbortSignal,
  process,
  performance: perfHooks.performance,
  'Performance.prototype': Object.getPrototypeOf(perfHooks.performance) as object,
  crypto,
  Math,
  'Socket.prototype': Socket.prototype,
  // Some contexts have no Web Crypto.
  ...(globalThis.crypto && {
    'Crypto.prototype': Object.getPrototypeOf(globalThis.crypto) as object,
    'SubtleCrypto.prototype': Object.getPrototypeOf(globalThis.crypto.subtle) as object,
  }),
  'Timeout.prototype': Object.getPrototypeOf(timersExports.setTimeout(() => {}, 0)) as object,
};

/** The current state of everything that a run may change: descriptors, exports of modules, listeners. */
export function readPlatformState(): Map<string, unknown> {
  const state = new Map<string, unknown>();
  for (const [name, owner] of Object.entries(OWNERS)) {
    for (const key of Reflect.ownKeys(owner)) {
      const descriptor = Object.getOwnPropertyDescriptor(owner, key)!;
      for (const [part, value] of Object.entries(descriptor))
        state.set(`${name}.${String(key)} ${part}`, value);
    }
  }
  for (const [name, exports] of Object.entries({ timersExports, promisesExports, cryptoExports }))
    for (const [key, value] of Object.entries(exports)) state.set(`${name}.${key}`, value);
  for (const event of ['unhandledRejection', 'uncaughtException'])
    state.set(event, process.listeners(event as never).length);
  return state;
}

/** Names of changed entries. */
export function listDifferences(before: Map<string, unknown>, after = readPlatformState()): string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter(
    (name) => before.has(name) !== after.has(name) || !Object.is(before.get(name), after.get(name)),
  );
}
