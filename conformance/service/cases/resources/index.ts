import type { TestCase } from '../../test-case/test-case.js';
import { billingCases } from '../account/billing.js';
import { isolationCases } from '../account/isolation.js';
import { workspaceIsolationCases } from '../account/isolation-workspaces.js';
import { organisationCases } from '../account/organisation.js';
import { errorCases } from '../errors.js';
import { lifetimeCases } from '../sessions/browser-lifetime.js';
import { appCases } from './apps.js';
import { automationCases } from './automations.js';
import { browserCases } from './browser.js';
import { chatCases } from './chats.js';
import { creditCases } from './credits.js';
import { extensionCases } from './extensions.js';
import { fileCases } from './files.js';
import { messageCases } from './messages.js';
import { profileCases } from './profiles.js';
import { proxyCases } from './proxies.js';
import { sopCases } from './sops.js';
import { taskCases } from './tasks.js';
import { telemetryCases } from './telemetry.js';
import { toolDataCases } from './tool-data.js';
import { workspaceCases } from './workspaces.js';

/** Everything but the tasks themselves: what there is, what becomes of it, to whom it belongs, and what is refused. */
export const resourceCases: readonly TestCase[] = Object.freeze([
  ...taskCases,
  ...profileCases,
  ...proxyCases,
  ...fileCases,
  ...extensionCases,
  ...browserCases,
  ...lifetimeCases,
  ...telemetryCases,
  ...workspaceCases,
  ...chatCases,
  ...messageCases,
  ...toolDataCases,
  ...appCases,
  ...sopCases,
  ...automationCases,
  ...organisationCases,
  ...billingCases,
  ...creditCases,
  ...errorCases,
  ...isolationCases,
  ...workspaceIsolationCases,
]);
