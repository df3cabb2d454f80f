import type { CommandBuilder } from '../draw.js';
import { accountBuilders } from './account.js';
import { eventBuilders } from './events.js';
import { taskBuilders } from './tasks.js';
import { uploadBuilders } from './uploads.js';
import { workspaceBuilders } from './workspaces.js';

export const builders: readonly CommandBuilder[] = [
  ...taskBuilders,
  ...eventBuilders,
  ...uploadBuilders,
  ...workspaceBuilders,
  ...accountBuilders,
];
