import { actionRules } from './client/actions.js';
import { authRules } from './client/auth.js';
import { bodyRules } from './client/bodies.js';
import { cursorRules } from './client/cursor.js';
import { idRules } from './client/ids.js';
import { pollingRules } from './client/polling.js';
import { replyRules } from './client/replies.js';
import { sessionRules } from './client/sessions.js';
import { tryRules } from './client/tries.js';
import type { Rule } from './rule.js';

/** Every rule about clients. */
export const clientRules: readonly Rule[] = Object.freeze([
  ...authRules,
  ...bodyRules,
  ...idRules,
  ...pollingRules,
  ...cursorRules,
  ...replyRules,
  ...actionRules,
  ...sessionRules,
  ...tryRules,
]);

/** Those that compare no times: for exchanges on a clock that stands still while the client waits. */
export const untimedRules: readonly Rule[] = Object.freeze(clientRules.filter(({ timed }) => !timed));
