import { unseenDimensionMutants } from './conditional/unseen-dimensions.js';
import { testMutants } from './test-mutants.js';

testMutants('values, seconds and orders', unseenDimensionMutants);
