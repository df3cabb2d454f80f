import { holdVariations } from './hold.js';
import { ids } from './table/ids.js';
import { needs } from './table/needs.js';
import { transport } from './table/transport.js';

/** One of each kind; the others are in the deep suite. */
const NAMES = [
  'needs three fields, and says so at once',
  'refuses one request in 20 with 503',
  'has ids that are digits, counted up',
];

holdVariations(
  'of all variations',
  [...transport, ...ids, ...needs].filter(({ name }) => NAMES.some((each) => name.startsWith(each))),
);
