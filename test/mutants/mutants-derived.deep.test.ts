import { holdMutants } from './hold.js';
import { derivedMutants } from './table/from-openapi.js';

holdMutants('every operation', derivedMutants);
