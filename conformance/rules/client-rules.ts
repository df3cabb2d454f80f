import { actionRules } from './client/actions.js';
import { cursorRules } from './client/cursor.js';
import { pollingRules } from './client/polling.js';
import { replyRules } from './client/replies.js';
import { requestRules } from './client/requests.js';
import { retryRules } from './client/retries.js';
import type { ClientRule } from './rule.js';

/** Every rule about clients. */
export const clientRules: readonly ClientRule[] = Object.freeze([
  ...requestRules,
  ...pollingRules,
  ...cursorRules,
  ...replyRules,
  ...actionRules,
  ...retryRules,
]);

/** Those that compare no times: for exchanges on a clock that stands still while the client waits. */
export const untimedRules: readonly ClientRule[] = Object.freeze(clientRules.filter(({ timed }) => !timed));
