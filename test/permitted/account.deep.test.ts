import { holdVariations } from './hold.js';
import { account } from './table/account.js';

holdVariations('account', account);
