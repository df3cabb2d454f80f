import { account } from './table/account.js';
import { testVariations } from './test-variations.js';

testVariations('account', account);
