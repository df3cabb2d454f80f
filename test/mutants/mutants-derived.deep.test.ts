import { derivedMutants } from './table/from-openapi.js';
import { testMutants } from './test-mutants.js';

testMutants('every operation', derivedMutants);
