import { unseenDimensionMutants } from './conditional/unseen-dimensions.js';
import { unseenResourceMutants } from './conditional/unseen-resources.js';
import { testMutants } from './test-mutants.js';

testMutants('values, seconds and orders', unseenDimensionMutants);
testMutants('other resources', unseenResourceMutants);
