import { errors } from './table/errors.js';
import { testVariations } from './test-variations.js';

testVariations('errors', errors);
