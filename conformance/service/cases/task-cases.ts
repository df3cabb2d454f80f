import type { TestCase } from '../test-case/test-case.js';
import { eventCases } from './polling/events.js';
import { listCases } from './polling/list.js';
import { outputCases } from './polling/output.js';
import { pollingCases } from './polling/polling.js';
import { unknownCases } from './polling/unknown.js';
import { closingCases } from './sessions/closing.js';
import { failureCases } from './sessions/failures.js';
import { resultCases } from './sessions/results.js';
import { sessionCases } from './sessions/sessions.js';
import { sessionToolCases } from './sessions/tools.js';
import { statusCases } from './status-codes.js';
import { definitionCases } from './tool-calls/definitions.js';
import { manyCallsCases } from './tool-calls/many.js';
import { toolCases } from './tool-calls/tool-calls.js';

/** Cases that carry on conversations of our own: tasks, polls, calls, sessions. */
export const taskCases: readonly TestCase[] = Object.freeze([
  // These take longest.
  ...manyCallsCases,
  ...pollingCases,
  ...eventCases,
  ...outputCases,
  ...listCases,
  ...unknownCases,
  ...statusCases,
  ...toolCases,
  ...definitionCases,
  ...sessionCases,
  ...resultCases,
  ...closingCases,
  ...failureCases,
  ...sessionToolCases,
]);
