import type { RequirementId } from '../../../spec/generated/documents.js';
import { type OperationId, operations } from '../../../spec/generated/operations.js';
import { groupBy } from '../../../spec/lists.js';
import type { Exchange } from '../../../spec/vocabulary.js';
import { summarize } from '../http-client/response.js';
import { definitions } from '../operations/definitions.js';
import { readRule } from '../operations/rules.js';
import type { Verdicts } from './verdicts.js';

/**
 * A server error for a valid request is a failure of the operation in any case, unless the case checked the exchange itself.
 * Exceptions: 503 with Retry-After is temporary, and requests that the API does not fully describe may be unsupported (501, 503).
 */
export function reportServerError(verdicts: Verdicts, exchange: Exchange): void {
  if (exchange.may_be_refused || verdicts.hasFinding(exchange.seq)) return;
  const failure = findServerError(exchange);
  if (failure) verdicts.addFinding(failure.requirement, failure.message, [exchange.seq]);
}

/** The same for reads that got another response when they were retried (`Stream.resent`): they are flaky. */
export function reportResent(verdicts: Verdicts, resent: readonly (readonly Exchange[])[]): void {
  const reads = resent.flatMap((errors) => {
    const failure = findServerError(errors[0]!);
    return failure ? [{ ...failure, errors }] : [];
  });
  for (const same of groupBy(reads, (read) => read.requirement).values()) {
    const [{ requirement, message }] = same as [(typeof reads)[number]];
    const errors = same.flatMap((read) => read.errors);
    const attempts = { failed: errors.length, tries: errors.length + same.length, retries: errors.length };
    const evidence = errors.map(({ seq }) => seq);
    verdicts.addFlaky(requirement, message, evidence, attempts);
  }
}

function findServerError({
  operation,
  request,
  response,
}: Exchange): { requirement: RequirementId; message: string } | undefined {
  if (operation === undefined || !response || response.status < 500) return undefined;
  if (response.status === 503 && 'retry-after' in response.headers) return undefined;
  const id = operation as OperationId;
  if ((response.status === 501 || response.status === 503) && definitions[id].open !== undefined)
    return undefined;
  const received = summarize({ status: response.status, text: response.body });
  const message = `${request.method} ${operations[id].path}: expected a valid request to succeed or to be refused with a reason, got ${received}`;
  return { requirement: readRule(id).id, message };
}
