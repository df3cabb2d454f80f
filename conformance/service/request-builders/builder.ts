import type { OperationId } from '../../../spec/generated/operations.js';
import type { Allowance } from '../cases/test-case.js';
import type { Answer, Sending } from '../http-client/response.js';
import type { Kit } from './tracker.js';

/** How to make one valid request of an operation on a live service. */
export interface Sampler {
  /** Operations it calls beside its own, for what the request names and for taking away again. */
  uses?: readonly OperationId[];
  /** Tasks and sessions that are made with what the request names. */
  tasks?: number;
  /** The same with each request that succeeds. */
  tasksEach?: number;
  allow?: Allowance;
  /** Each request takes away what it names: the next needs another. */
  consumes?: true;
  /**
   * What the request holds is not wholly stated by the API, so that a refusal of its fields (`fields`), also as something
   * that is not there (`lookup`), says nothing against the service.
   */
  open?: 'fields' | 'lookup';
  /** Makes what the request names; what it gives makes a valid request each time it is called. */
  make(kit: Kit): Promise<() => Sending>;
  /** Takes away what a success has made. `sending` is the valid request. */
  undo?(kit: Kit, answer: Answer, sending: Sending): void;
  /** A request that names something which does not exist, where one can be made without anything that does. */
  stranger?(kit: Kit): Sending;
}

/** A request that names nothing. */
export function always(sending: Sending): Sampler['make'] {
  return async () => () => sending;
}

/** The same with something in it that is new each time. */
export function each(make: (kit: Kit) => Sending): Sampler['make'] {
  return async (kit) => () => make(kit);
}

/** A request that names what has to be made first. */
export function naming<Thing>(
  make: (kit: Kit) => Promise<Thing>,
  name: (thing: Thing) => Sending,
): Sampler['make'] {
  return async (kit) => {
    const thing = await make(kit);
    return () => name(thing);
  };
}

export const plain: Sampler = { make: always({}) };
