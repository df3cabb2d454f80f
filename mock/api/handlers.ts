import type { Handlers } from '../pipeline/handler.js';
import { appHandlers, automationHandlers, sopHandlers } from './apps.js';
import {
  attachmentHandlers,
  chatHandlers,
  messageHandlers,
  toolDataHandlers,
  workspaceHandlers,
} from './chats.js';
import { eventHandlers } from './events.js';
import { extensionHandlers, fileHandlers } from './files.js';
import { billingHandlers, organisationHandlers } from './organisation.js';
import { browserHandlers, profileHandlers, proxyHandlers } from './profiles.js';
import { taskHandlers } from './tasks.js';
import { jobHandlers, telemetryHandlers } from './telemetry.js';

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
