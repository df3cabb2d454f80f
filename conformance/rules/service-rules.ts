import type { Rule } from './rule.js';
import { eventReadingRules } from './service/event-reading.js';
import { eventRules } from './service/events.js';
import { lifecycleRules } from './service/lifecycle.js';
import { outputRules } from './service/outputs.js';
import { requestRules } from './service/requests.js';
import { responseRules } from './service/responses.js';
import { resultRules } from './service/results.js';
import { sessionRules } from './service/sessions.js';
import { taskRules } from './service/tasks.js';
import { toolCallRules } from './service/tool-calls.js';

/** No rule fails what the API leaves open; see open-points.yaml. */
export const serviceRules: readonly Rule[] = Object.freeze([
  ...responseRules,
  ...requestRules,
  ...taskRules,
  ...lifecycleRules,
  ...outputRules,
  ...eventRules,
  ...eventReadingRules,
  ...toolCallRules,
  ...resultRules,
  ...sessionRules,
]);
