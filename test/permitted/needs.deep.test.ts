import { holdVariations } from './hold.js';
import { needs } from './table/needs.js';

holdVariations('needs', needs);
