import { billingProbes } from '../account/billing.js';
import { isolationProbes } from '../account/isolation.js';
import { workspaceIsolationProbes } from '../account/isolation-workspaces.js';
import { organisationProbes } from '../account/organisation.js';
import { errorProbes } from '../errors.js';
import { lifetimeProbes } from '../sessions/browser-lifetime.js';
import type { Probe } from '../test-case.js';
import { appProbes } from './apps.js';
import { automationProbes } from './automations.js';
import { browserProbes } from './browser.js';
import { chatProbes } from './chats.js';
import { creditProbes } from './credits.js';
import { extensionProbes } from './extensions.js';
import { fileProbes } from './files.js';
import { messageProbes } from './messages.js';
import { profileProbes } from './profiles.js';
import { proxyProbes } from './proxies.js';
import { sopProbes } from './sops.js';
import { taskProbes } from './tasks.js';
import { telemetryProbes } from './telemetry.js';
import { toolDataProbes } from './tool-data.js';
import { workspaceProbes } from './workspaces.js';

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
