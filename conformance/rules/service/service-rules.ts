import type { Rule } from '../rule.js';
import { eventFormRules } from './event-form.js';
import { eventIdRules } from './event-ids.js';
import { eventReadingRules } from './event-reading.js';
import { lifeRules } from './lifecycle.js';
import { listRules } from './lists.js';
import { outputRules } from './outputs.js';
import { payloadRules } from './payloads.js';
import { recordingRules } from './recordings.js';
import { requestRules } from './requests.js';
import { answerRules } from './responses.js';
import { resultRules } from './results.js';
import { sessionRules } from './sessions.js';
import { stopRules } from './stops.js';
import { taskRules } from './tasks.js';
import { toolCallRules } from './tool-calls.js';

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
