import type { ClientFunction } from '../../../conformance/client/types.js';
import * as emitter from './emitter.js';
import * as manager from './manager.js';
import * as reducer from './reducer.js';

/** A client that was written from the description of the API alone, with bugs that can be switched on by name. */
export interface IndependentClient {
  name: string;
  /** Without a name, the client without bugs. A name of `styles` changes something permitted. */
  createRun: (name?: string) => ClientFunction;
  /** What a user complains about, and the sentence of the description that it contradicts. */
  bugs: Record<string, string>;
  /** Bugs that show only in some order of events, or with a fault. */
  races: Record<string, string>;
  /** Permitted differences. */
  styles: Record<string, string>;
}

export const firstClients: IndependentClient[] = [
  { name: 'emitter', ...emitter },
  { name: 'manager', ...manager },
  { name: 'reducer', ...reducer },
];
