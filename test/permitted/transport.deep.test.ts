import { transport } from './table/transport.js';
import { testVariations } from './test-variations.js';

testVariations('transport', transport);
