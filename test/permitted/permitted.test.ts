import { holdVariations } from './hold.js';
import { transport } from './table/transport.js';

/** The others are in the deep suite. */
holdVariations(
  'one variation',
  transport.filter(({ name }) => name.startsWith('refuses one request in 20 with 503')),
);
