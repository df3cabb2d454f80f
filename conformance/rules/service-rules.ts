import type { Rule } from './rule.js';
import { eventFormRules } from './service/event-form.js';
import { eventIdRules } from './service/event-ids.js';
import { eventReadingRules } from './service/event-reading.js';
import { lifeRules } from './service/lifecycle.js';
import { listRules } from './service/lists.js';
import { outputRules } from './service/outputs.js';
import { payloadRules } from './service/payloads.js';
import { recordingRules } from './service/recordings.js';
import { requestRules } from './service/requests.js';
import { answerRules } from './service/responses.js';
import { resultRules } from './service/results.js';
import { sessionRules } from './service/sessions.js';
import { stopRules } from './service/stops.js';
import { taskRules } from './service/tasks.js';
import { toolCallRules } from './service/tool-calls.js';

/** Every rule about services. None fails what the API leaves open; see open-points.yaml. */
export const serviceRules: readonly Rule[] = Object.freeze([
  ...answerRules,
  ...payloadRules,
  ...requestRules,
  ...taskRules,
  ...recordingRules,
  ...lifeRules,
  ...outputRules,
  ...stopRules,
  ...listRules,
  ...eventFormRules,
  ...eventReadingRules,
  ...eventIdRules,
  ...toolCallRules,
  ...resultRules,
  ...sessionRules,
]);
