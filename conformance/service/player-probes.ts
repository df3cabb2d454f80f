import type { Probe } from './probe.js';
import { pollingProbes } from './probes/polling.js';
import { eventProbes } from './probes/polling-events.js';
import { listProbes } from './probes/polling-list.js';
import { outputProbes } from './probes/polling-output.js';
import { unknownProbes } from './probes/polling-unknown.js';
import { sessionProbes } from './probes/sessions.js';
import { closingProbes } from './probes/sessions-closing.js';
import { failureProbes } from './probes/sessions-failures.js';
import { resultProbes } from './probes/sessions-results.js';
import { sessionToolProbes } from './probes/sessions-tools.js';
import { statusProbes } from './probes/status-codes.js';
import { toolProbes } from './probes/tool-calls.js';
import { definitionProbes } from './probes/tool-calls-definitions.js';
import { manyCallsProbes } from './probes/tool-calls-many.js';

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
