import { actionRules } from './client/actions.js';
import { cursorRules } from './client/cursor.js';
import { pollingRules } from './client/polling.js';
import { replyRules } from './client/replies.js';
import { requestRules } from './client/requests.js';
import { retryRules } from './client/retries.js';
import type { ClientRule } from './rule.js';

export const clientRules: readonly ClientRule[] = Object.freeze([
  ...requestRules,
  ...pollingRules,
  ...cursorRules,
  ...replyRules,
  ...actionRules,
  ...retryRules,
]);

/** Rules that compare no times: for exchanges on a clock that stops while the client waits. */
export const untimedRules: readonly ClientRule[] = Object.freeze(clientRules.filter(({ timed }) => !timed));
