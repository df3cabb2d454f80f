import { needs } from './table/needs.js';
import { testVariations } from './test-variations.js';

testVariations('needs', needs);
