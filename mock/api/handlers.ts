import type { Handlers } from '../pipeline/handler.js';
import { appHandlers } from './apps.js';
import { attachmentHandlers } from './attachments.js';
import { automationHandlers } from './automations.js';
import { billingHandlers } from './billing.js';
import { browserHandlers } from './browser.js';
import { chatHandlers } from './chats.js';
import { eventHandlers } from './events.js';
import { extensionHandlers } from './extensions.js';
import { fileHandlers } from './files.js';
import { jobHandlers } from './jobs.js';
import { messageHandlers } from './messages.js';
import { organisationHandlers } from './organisation.js';
import { profileHandlers } from './profiles.js';
import { proxyHandlers } from './proxies.js';
import { sopHandlers } from './sops.js';
import { taskHandlers } from './tasks.js';
import { telemetryHandlers } from './telemetry.js';
import { toolDataHandlers } from './tool-data.js';
import { workspaceHandlers } from './workspaces.js';

/** All 59 operations. A missing or mistyped one does not compile. */
export const handlers: Handlers = {
  ...taskHandlers,
  ...eventHandlers,
  ...organisationHandlers,
  ...billingHandlers,
  ...profileHandlers,
  ...proxyHandlers,
  ...extensionHandlers,
  ...fileHandlers,
  ...browserHandlers,
  ...telemetryHandlers,
  ...jobHandlers,
  ...workspaceHandlers,
  ...chatHandlers,
  ...messageHandlers,
  ...attachmentHandlers,
  ...toolDataHandlers,
  ...appHandlers,
  ...sopHandlers,
  ...automationHandlers,
};
