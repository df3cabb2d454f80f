import type { Probe } from '../probe.js';
import { billingProbes } from './billing.js';
import { lifetimeProbes } from './browser-lifetime.js';
import { errorProbes } from './errors.js';
import { isolationProbes } from './isolation.js';
import { workspaceIsolationProbes } from './isolation-workspaces.js';
import { organisationProbes } from './organisation.js';
import { appProbes } from './resources-apps.js';
import { automationProbes } from './resources-automations.js';
import { browserProbes } from './resources-browser.js';
import { chatProbes } from './resources-chats.js';
import { creditProbes } from './resources-credits.js';
import { extensionProbes } from './resources-extensions.js';
import { fileProbes } from './resources-files.js';
import { messageProbes } from './resources-messages.js';
import { profileProbes } from './resources-profiles.js';
import { proxyProbes } from './resources-proxies.js';
import { sopProbes } from './resources-sops.js';
import { taskProbes } from './resources-tasks.js';
import { telemetryProbes } from './resources-telemetry.js';
import { toolDataProbes } from './resources-tool-data.js';
import { workspaceProbes } from './resources-workspaces.js';

/** Everything but the tasks themselves: what there is, what becomes of it, to whom it belongs, and what is refused. */
export const resourceProbes: readonly Probe[] = Object.freeze([
  ...taskProbes,
  ...profileProbes,
  ...proxyProbes,
  ...fileProbes,
  ...extensionProbes,
  ...browserProbes,
  ...lifetimeProbes,
  ...telemetryProbes,
  ...workspaceProbes,
  ...chatProbes,
  ...messageProbes,
  ...toolDataProbes,
  ...appProbes,
  ...sopProbes,
  ...automationProbes,
  ...organisationProbes,
  ...billingProbes,
  ...creditProbes,
  ...errorProbes,
  ...isolationProbes,
  ...workspaceIsolationProbes,
]);
