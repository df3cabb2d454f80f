import { holdMutants } from './hold.js';
import { authMutants } from './table/auth.js';
import { envelopeMutants } from './table/envelope.js';
import { errorMutants } from './table/errors.js';
import { isolationMutants } from './table/isolation.js';
import { limitMutants } from './table/limits.js';

holdMutants('errors', errorMutants);
holdMutants('limits', limitMutants);
holdMutants('authentication', authMutants);
holdMutants('isolation', isolationMutants);
holdMutants('the envelope', envelopeMutants);
