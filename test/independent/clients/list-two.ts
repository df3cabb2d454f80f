/** The clients of this directory that `list-two` stands for, each with its bugs, races and permitted styles. */
import * as journaled from './journaled.js';
import * as layers from './layers.js';
import type { IndependentClient } from './list-one.js';
import * as streams from './streams.js';

const clients: IndependentClient[] = [
  { name: 'streams', ...streams },
  { name: 'journaled', ...journaled },
  { name: 'layers', ...layers },
];

export default clients;
