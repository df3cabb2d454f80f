import { holdVariations } from './hold.js';
import { records } from './table/records.js';

holdVariations('records', records);
