import type { TestCase } from '../test-case/test-case.js';
import { actions } from './actions.js';
import { approval } from './approval.js';
import { keys } from './authentication.js';
import { billing } from './billing.js';
import { close } from './close.js';
import { extensions } from './extensions.js';
import { invitations } from './invitations.js';
import { jobs } from './jobs.js';
import { concurrentSessions, rate } from './limits.js';
import { newSessions } from './new-sessions.js';
import { profiles } from './profiles.js';
import { references } from './references.js';
import { replies } from './replies.js';
import { validation } from './validation.js';
import { workspaces } from './workspaces.js';

/**
 * Conversations that show what a service chose where the description leaves it open. A point that could not be seen is
 * left out of the dialect.
 */
export const dialectCases: readonly TestCase[] = Object.freeze([
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
]);
