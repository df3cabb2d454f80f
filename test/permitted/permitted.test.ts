import { transport } from './table/transport.js';
import { testVariations } from './test-variations.js';

/** The others are in the deep suite. */
testVariations(
  'one variation',
  transport.filter(({ name }) => name.startsWith('refuses one request in 20 with 503')),
);
