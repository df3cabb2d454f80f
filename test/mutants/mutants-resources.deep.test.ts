import { accountMutants } from './table/account.js';
import { uploadMutants } from './table/uploads.js';
import { workspaceMutants } from './table/workspaces.js';
import { testMutants } from './test-mutants.js';

testMutants('the account', accountMutants);
testMutants('uploads', uploadMutants);
testMutants('workspaces', workspaceMutants);
