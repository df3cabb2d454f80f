import { unseenAccountMutants } from './conditional/unseen-account.js';
import { unseenAgentMutants } from './conditional/unseen-agents.js';
import { unseenDimensionMutants } from './conditional/unseen-dimensions.js';
import { unseenResourceMutants } from './conditional/unseen-resources.js';
import { unseenSessionMutants } from './conditional/unseen-sessions.js';
import { testMutants } from './test-mutants.js';

testMutants('values, seconds and orders', [...unseenDimensionMutants, ...unseenSessionMutants]);
testMutants('other resources', [...unseenResourceMutants, ...unseenAccountMutants]);
testMutants('agents', unseenAgentMutants);
