import { ids } from './table/ids.js';
import { testVariations } from './test-variations.js';

testVariations('ids', ids);
