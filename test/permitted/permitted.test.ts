import { holdVariations } from './hold.js';
import { ids } from './table/ids.js';
import { transport } from './table/transport.js';

/** One of each kind; the others are in the deep suite. */
const NAMES = ['refuses one request in 20 with 503', 'has ids that are digits'];

holdVariations(
  'of all variations',
  [...transport, ...ids].filter(({ name }) => NAMES.some((each) => name.startsWith(each))),
);
