/** The clients of this directory that `list-two` stands for, each with its bugs, races and permitted styles. */
import type { ClientFunction } from '../../../conformance/client/types.js';
import * as journaled from './journaled.js';
import * as layers from './layers.js';
import * as streams from './streams.js';

export interface IndependentClient {
  name: string;
  createRun: (bug?: string) => ClientFunction;
  bugs: Record<string, string>;
  races: Record<string, string>;
  styles: Record<string, string>;
}

const clients: IndependentClient[] = [
  { name: 'streams', ...streams },
  { name: 'journaled', ...journaled },
  { name: 'layers', ...layers },
];

export default clients;
