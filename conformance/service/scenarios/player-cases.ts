import { eventProbes } from '../cases/polling/events.js';
import { listProbes } from '../cases/polling/list.js';
import { outputProbes } from '../cases/polling/output.js';
import { pollingProbes } from '../cases/polling/polling.js';
import { unknownProbes } from '../cases/polling/unknown.js';
import { closingProbes } from '../cases/sessions/closing.js';
import { failureProbes } from '../cases/sessions/failures.js';
import { resultProbes } from '../cases/sessions/results.js';
import { sessionProbes } from '../cases/sessions/sessions.js';
import { sessionToolProbes } from '../cases/sessions/tools.js';
import { statusProbes } from '../cases/status-codes.js';
import type { Probe } from '../cases/test-case.js';
import { definitionProbes } from '../cases/tool-calls/definitions.js';
import { manyCallsProbes } from '../cases/tool-calls/many.js';
import { toolProbes } from '../cases/tool-calls/tool-calls.js';

/** Probes that carry on conversations of our own: tasks, polls, calls, sessions. */
export const playerProbes: readonly Probe[] = Object.freeze([
  // These take longest.
  ...manyCallsProbes,
  ...pollingProbes,
  ...eventProbes,
  ...outputProbes,
  ...listProbes,
  ...unknownProbes,
  ...statusProbes,
  ...toolProbes,
  ...definitionProbes,
  ...sessionProbes,
  ...resultProbes,
  ...closingProbes,
  ...failureProbes,
  ...sessionToolProbes,
]);
