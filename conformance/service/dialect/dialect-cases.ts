import type { TestCase } from '../test-case/test-case.js';
import { billing, invitations, profiles } from './account.js';
import { actions, close, replies } from './events.js';
import { newSessions } from './new-sessions.js';
import { concurrentSessions, keys, rate, references, validation } from './requests.js';
import { approval, extensions, jobs, workspaces } from './resources.js';

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
