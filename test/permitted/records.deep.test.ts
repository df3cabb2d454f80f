import { records } from './table/records.js';
import { testVariations } from './test-variations.js';

testVariations('records', records);
