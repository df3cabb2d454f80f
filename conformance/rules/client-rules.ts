import type { RequirementId } from '../../spec/generated/documents.js';
import type { ReadExchange } from '../conversation/read-exchange.js';
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

/** Client requirements that the exchange could have violated. */
export function collectOccasions(exchange: ReadExchange): RequirementId[] {
  const { httpStatus, sent, reply, events } = exchange;
  const shown: RequirementId[] = [];
  if (exchange.is('createTask')) shown.push('CLIENT-03');
  if (exchange.is('getTask')) shown.push('POLL-01', 'CLIENT-01');
  if (events.length > 0) shown.push('POLL-05', 'POLL-06');
  if (httpStatus === 0 || httpStatus >= 400) shown.push('CLIENT-08', 'CLIENT-11');
  if (httpStatus === 429) shown.push('POLL-11');
  if (sent) shown.push('EVENT-04', 'EVENT-07');
  if (sent?.name === 'tool_call')
    shown.push('TOOL-04', 'TOOL-10', reply?.payload?.code === 200 ? 'TOOL-06' : 'TOOL-03');
  else if (sent)
    shown.push(
      'CLIENT-12',
      'EVENT-06',
      'SESSION-02',
      'SESSION-05',
      exchange.isClose ? 'SESSION-04' : 'SESSION-03',
    );
  return shown;
}
