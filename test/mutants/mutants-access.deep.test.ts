import { authMutants } from './table/auth.js';
import { envelopeMutants } from './table/envelope.js';
import { errorMutants } from './table/errors.js';
import { isolationMutants } from './table/isolation.js';
import { limitMutants } from './table/limits.js';
import { testMutants } from './test-mutants.js';

testMutants('errors', errorMutants);
testMutants('limits', limitMutants);
testMutants('authentication', authMutants);
testMutants('isolation', isolationMutants);
testMutants('the envelope', envelopeMutants);
