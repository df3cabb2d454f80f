import * as processExports from 'node:process';
import timers, * as timersExports from 'node:timers';
import timersPromises, * as promisesExports from 'node:timers/promises';

export type Owner = Record<PropertyKey, unknown>;

/** Built-ins whose functions modules import by their names, and what those names stand for. */
export const EXPORTS = new Map<unknown, Owner>([
  [timers, timersExports as unknown as Owner],
  [timersPromises, promisesExports as unknown as Owner],
  [process, processExports as unknown as Owner],
]);

/** What a property has been set to. */
export interface State {
  /** What it is outside of runs. */
  readonly outside: unknown;
  /** What it was before a client set it. */
  readonly found: unknown;
  /** A client has set it, and gets this as well. */
  readonly isOfClient?: boolean;
  /** A client of a former run has. */
  readonly isLeft?: boolean;
}

/** By getter: whoever sets a property may put back what he found, the getter itself, also after the run. */
export const states = new WeakMap<object, State>();

/** As a property that holds a value. */
export function dataOf({ enumerable = true }: PropertyDescriptor): PropertyDescriptor {
  return { writable: true, enumerable, configurable: true };
}
