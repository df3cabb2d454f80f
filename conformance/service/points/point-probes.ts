import type { Probe } from '../probe.js';
import { actions } from './actions.js';
import { approval } from './approval.js';
import { keys } from './authentication.js';
import { close } from './close.js';
import { jobs } from './jobs.js';
import { concurrentSessions, rate } from './limits.js';
import { newSessions } from './new-sessions.js';
import { profiles } from './profiles.js';
import { replies } from './replies.js';
import { validation } from './validation.js';

/**
 * Conversations that show what a service chose where the description leaves it open. A point that could not be seen is
 * left out of the dialect.
 */
export const pointProbes: readonly Probe[] = Object.freeze([
  keys,
  validation,
  newSessions,
  actions,
  close,
  replies,
  profiles,
  jobs,
  approval,
  concurrentSessions,
  rate,
]);
