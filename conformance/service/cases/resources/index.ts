import type { TestCase } from '../../test-case/test-case.js';
import { billingCases } from '../account/billing.js';
import { isolationCases } from '../account/isolation.js';
import { workspaceIsolationCases } from '../account/isolation-workspaces.js';
import { organisationCases } from '../account/organisation.js';
import { errorCases } from '../errors.js';
import { lifetimeCases } from '../sessions/browser-lifetime.js';
import { appCases } from './apps.js';
import { browserCases } from './browser.js';
import { chatCases } from './chats.js';
import { creditCases } from './credits.js';
import { lifecycleCases } from './lifecycles.js';
import { messageCases } from './messages.js';
import { referenceCases } from './named-in-task.js';
import { proxyCases } from './proxies.js';
import { taskCases } from './tasks.js';
import { telemetryCases } from './telemetry.js';
import { toolDataCases } from './tool-data.js';
import { webhookCases } from './webhook.js';
import { workspaceCases } from './workspaces.js';

/** Everything but the tasks themselves: what there is, what becomes of it, to whom it belongs, and what is refused. */
export const resourceCases: readonly TestCase[] = Object.freeze([
  ...taskCases,
  ...lifecycleCases,
  ...proxyCases,
  ...referenceCases,
  ...browserCases,
  ...lifetimeCases,
  ...telemetryCases,
  ...workspaceCases,
  ...chatCases,
  ...messageCases,
  ...toolDataCases,
  ...appCases,
  ...webhookCases,
  ...organisationCases,
  ...billingCases,
  ...creditCases,
  ...errorCases,
  ...isolationCases,
  ...workspaceIsolationCases,
]);
