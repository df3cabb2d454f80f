import type { TestCase } from '../test-case/test-case.js';
import { billingCases } from './account/billing.js';
import { isolationCases } from './account/isolation.js';
import { organisationCases } from './account/organisation.js';
import { errorCases } from './errors.js';
import { eventCases } from './polling/events.js';
import { pollingCases } from './polling/polling.js';
import { browserCases } from './resources/browser.js';
import { lifecycleCases } from './resources/lifecycles.js';
import { messageCases } from './resources/messages.js';
import { proxyCases } from './resources/proxies.js';
import { taskResourceCases } from './resources/tasks.js';
import { toolDataCases } from './resources/tool-data.js';
import { webhookCases } from './resources/webhook.js';
import { workspaceCases } from './resources/workspaces.js';
import { closingCases } from './sessions/closing.js';
import { resultCases } from './sessions/results.js';
import { sessionCases } from './sessions/sessions.js';
import { requestCases } from './task-requests.js';
import { toolCases } from './tool-calls.js';

/** Conversations of our own that no scenario can say: tasks, polls, calls, sessions. */
export const taskCases: readonly TestCase[] = Object.freeze([
  ...pollingCases,
  ...eventCases,
  ...toolCases,
  ...sessionCases,
  ...resultCases,
  ...closingCases,
  ...requestCases,
]);

/** Everything but the tasks themselves: what there is, what becomes of it, to whom it belongs, and what is refused. */
export const resourceCases: readonly TestCase[] = Object.freeze([
  ...taskResourceCases,
  ...lifecycleCases,
  ...proxyCases,
  ...browserCases,
  ...workspaceCases,
  ...messageCases,
  ...toolDataCases,
  ...webhookCases,
  ...organisationCases,
  ...billingCases,
  ...errorCases,
  ...isolationCases,
]);
