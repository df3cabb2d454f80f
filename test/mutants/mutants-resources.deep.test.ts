import { holdMutants } from './hold.js';
import { accountMutants } from './table/account.js';
import { uploadMutants } from './table/uploads.js';
import { workspaceMutants } from './table/workspaces.js';

holdMutants('the account', accountMutants);
holdMutants('uploads', uploadMutants);
holdMutants('workspaces', workspaceMutants);
