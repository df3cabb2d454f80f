import type { Handlers } from '../pipeline/handler.js';
import { chatHandlers } from './chats.js';
import { eventHandlers } from './events.js';
import { fileHandlers } from './files.js';
import { organisationHandlers } from './organisation.js';
import { profileHandlers } from './profiles.js';
import { taskHandlers } from './tasks.js';
import { workspaceHandlers } from './workspaces.js';

/** All 59 operations. A missing or mistyped one does not compile. */
export const handlers: Handlers = {
  ...taskHandlers,
  ...eventHandlers,
  ...organisationHandlers,
  ...profileHandlers,
  ...fileHandlers,
  ...workspaceHandlers,
  ...chatHandlers,
};
