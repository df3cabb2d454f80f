import { holdVariations } from './hold.js';
import { errors } from './table/errors.js';

holdVariations('errors', errors);
