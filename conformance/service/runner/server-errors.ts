import { type OperationId, operations } from '../../../spec/generated/operations.js';
import type { Exchange } from '../../../spec/vocabulary.js';
import { ruleOf } from '../from-openapi/derived-case.js';
import { summarize } from '../http-client/response.js';
import { requestBuilders } from '../request-builders/builders.js';
import type { Verdicts } from './verdicts.js';

/**
 * A valid request that is answered with a server error is a failure of its operation, whatever the case was about that sent it;
 * unless the case has judged the exchange itself. 503 with Retry-After asks for patience, and a service may not have (501) or not
 * be able to do (503) what the API does not describe in full.
 */
export function reportServerError(verdicts: Verdicts, exchange: Exchange): void {
  const { operation, request, response, seq } = exchange;
  if (operation === undefined || !response || response.status < 500 || exchange.may_be_refused) return;
  if (response.status === 503 && 'retry-after' in response.headers) return;
  const id = operation as OperationId;
  if ((response.status === 501 || response.status === 503) && requestBuilders[id].open !== undefined) return;
  if (verdicts.accounts(seq)) return;
  const came = summarize({ status: response.status, text: response.body });
  const message = `${request.method} ${operations[id].path}: expected a valid request to succeed or to be refused with a reason, got ${came}`;
  verdicts.breach(ruleOf(id).id, message, [seq]);
}
