import { loadLibrary } from '../../scenarios/format/library/library.js';
import { billingCases } from './cases/account/billing.js';
import { creditCases } from './cases/account/credits.js';
import { isolationCases } from './cases/account/isolation.js';
import { organisationCases } from './cases/account/organisation.js';
import { purchaseCases } from './cases/account/purchases.js';
import { errorCases } from './cases/errors.js';
import { pollingCases } from './cases/polling.js';
import { browserCases } from './cases/resources/browser.js';
import { chatRequestCases } from './cases/resources/chat-requests.js';
import { lifecycleCases } from './cases/resources/lifecycles.js';
import { messageCases } from './cases/resources/messages.js';
import { profileIdCase } from './cases/resources/profile-ids.js';
import { requestCases } from './cases/resources/task-requests.js';
import { taskResourceCases } from './cases/resources/tasks.js';
import { toolDataCase } from './cases/resources/tool-data.js';
import { webhookCase } from './cases/resources/webhook.js';
import { workspaceCase } from './cases/resources/workspaces.js';
import { closingCases } from './cases/sessions/closing.js';
import { pageCases } from './cases/sessions/pages.js';
import { resultCases } from './cases/sessions/results.js';
import { sessionCases } from './cases/sessions/sessions.js';
import { valueCases } from './cases/sessions/values.js';
import { toolCases } from './cases/tool-calls.js';
import { replyCases } from './cases/tool-replies.js';
import { actions, close, replies } from './dialect/events.js';
import { newSessions } from './dialect/new-sessions.js';
import { concurrentSessions, keys, rate, references, validation } from './dialect/requests.js';
import {
  approval,
  billing,
  extensions,
  invitations,
  jobs,
  profiles,
  workspaces,
} from './dialect/resources.js';
import { authCases } from './from-openapi/auth.js';
import { bodyCases, formCases } from './from-openapi/bodies.js';
import { limitCases } from './from-openapi/limits.js';
import { parameterCases, unknownCases } from './from-openapi/parameters.js';
import { responseCases } from './from-openapi/responses.js';
import { createScenarioCases } from './scenarios/scenario-cases.js';
import type { TestCase } from './test-case/test-case.js';

/** Cases that no scenario can express: tasks, polls, tool calls, sessions. */
export const taskCases: readonly TestCase[] = [
  ...pollingCases,
  ...replyCases,
  ...toolCases,
  ...sessionCases,
  ...resultCases,
  ...pageCases,
  ...valueCases,
  ...closingCases,
  ...requestCases,
];

/** Cases about resources other than tasks: lifecycle, ownership, errors. */
export const resourceCases: readonly TestCase[] = [
  ...taskResourceCases,
  ...lifecycleCases,
  ...browserCases,
  profileIdCase,
  workspaceCase,
  ...chatRequestCases,
  ...messageCases,
  toolDataCase,
  webhookCase,
  ...organisationCases,
  ...creditCases,
  ...billingCases,
  ...errorCases,
  ...purchaseCases,
  ...isolationCases,
];

/** Cases derived from the operations of the API description. */
export const generatedCases: readonly TestCase[] = [
  ...responseCases,
  ...authCases,
  ...parameterCases,
  ...bodyCases,
  ...formCases,
  ...unknownCases,
  ...limitCases,
];

/** Cases that detect the choices of a service at open points. Undetected points are not part of the dialect. */
export const dialectCases: readonly TestCase[] = [
  keys,
  validation,
  newSessions,
  actions,
  close,
  replies,
  profiles,
  references,
  extensions,
  workspaces,
  billing,
  invitations,
  jobs,
  approval,
  concurrentSessions,
  rate,
].map((observation) => ({ ...observation, covers: [] }));

/** Every case of the suite, in the order of execution. */
export const allCases: readonly TestCase[] = Object.freeze([
  ...taskCases,
  ...createScenarioCases(await loadLibrary()),
  ...resourceCases,
  ...generatedCases,
  ...dialectCases,
]);
