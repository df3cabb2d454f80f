import type { TestCase } from '../test-case/test-case.js';
import { billing, invitations, profiles } from './account.js';
import { actions, close, replies } from './events.js';
import { newSessions } from './new-sessions.js';
import { concurrentSessions, keys, rate, references, validation } from './requests.js';
import { approval, extensions, jobs, workspaces } from './resources.js';

/** What shows the choices of a service where the API leaves them open. A point that could not be seen is left out of the dialect. */
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
