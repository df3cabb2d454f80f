import { holdVariations } from './hold.js';
import { transport } from './table/transport.js';

holdVariations('transport', transport);
