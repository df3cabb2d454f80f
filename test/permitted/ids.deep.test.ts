import { holdVariations } from './hold.js';
import { ids } from './table/ids.js';

holdVariations('ids', ids);
