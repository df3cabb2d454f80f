import { decode } from '../../../mock/replay/normalize-address.js';
import type { RequirementId } from '../../../spec/generated/documents.js';
import { type Operation, type OperationId, operations } from '../../../spec/generated/operations.js';
import { groupBy } from '../../../spec/lists.js';
import { type Exchange, isTerminal } from '../../../spec/vocabulary.js';
import { toFields } from '../../conversation/json.js';
import { ReadExchange } from '../../conversation/read-exchange.js';
import { summarize } from '../http-client/response.js';
import { definitions } from '../operations/definitions.js';
import { readRule } from '../operations/rules.js';
import type { Verdicts } from './verdicts.js';

/** Failures of valid requests in any test case: refusals of what was accepted before, and server errors. */

/** Statuses that reject the request itself. Conflicts, permissions and limits depend on time. */
const INVALID = [400, 422];
/** The same for a read without ids. */
const INVALID_READ = [...INVALID, 404, 405, 410];
/** Unique names that a run creates. */
const UNIQUE = /\btd-\w+-\d+\b/g;
/** Fields with ids of resources, which may be gone. */
const REFERENCE = /_ids?$|^(?:files|extensions|certificates)$/;

/**
 * Detects valid requests that are refused although an equal one was accepted before, without a change in between that explains
 * it: they reference nothing, and no resource of their kind created by the run is left, so that no quota is reached.
 */
export class Refusals {
  /** `seq` of the first accepted exchange, by the normalized request. */
  readonly #accepted = new Map<string, number>();
  /** Ids of created resources that are not removed, by operation and owner. */
  readonly #left = new Map<string, Set<string>>();
  readonly #names = new Set<string>();
  readonly #unexplained: { exchange: Exchange; accepted: number }[] = [];

  /** Called for each completed exchange. */
  observe(exchange: Exchange): void {
    const { request, response, seq, organisation } = exchange;
    const read = new ReadExchange(exchange);
    const { operation, ok } = read;
    if (!operation || !response) return;
    const isRead = operation.method === 'GET';
    const kind = `${organisation} ${operation.id}`;
    const sent = `${request.url} ${request.body ?? ''}`;
    const names = sent.match(UNIQUE) ?? [];
    if (!exchange.may_be_refused && isSelfContained(operation, read)) {
      const key = `${kind} ${sent.replaceAll(UNIQUE, '')}`;
      const accepted = this.#accepted.get(key);
      const isInvalid = (isRead ? INVALID_READ : INVALID).includes(response.status);
      const isFree = isRead || !(this.#left.get(kind)?.size || names.some((name) => this.#names.has(name)));
      if (ok && accepted === undefined) this.#accepted.set(key, seq);
      else if (isInvalid && isFree && accepted !== undefined) this.#unexplained.push({ exchange, accepted });
      if (ok && !isRead)
        this.#left.set(kind, (this.#left.get(kind) ?? new Set()).add(findId(read) ?? names[0] ?? `${seq}`));
    }
    if (ok) for (const name of names) this.#names.add(name);
    this.#remove(read);
  }

  /** Reports refusals that no failed check shows. */
  report(verdicts: Verdicts, isShown: (seq: number) => boolean): void {
    for (const { exchange, accepted } of this.#unexplained) {
      const { seq, request, response } = exchange;
      if (isShown(seq)) continue;
      const id = exchange.operation as OperationId;
      const received = summarize({ status: response!.status, text: response!.body });
      const message = `${request.method} ${operations[id].path}: expected a request to be accepted that was accepted in exchange ${accepted}, got ${received}`;
      verdicts.addFinding(readRule(id).id, message, [accepted, seq]);
    }
  }

  /** Forgets resources that are removed, missing or terminal. */
  #remove({ operation, ok, httpStatus, status, task, exchange }: ReadExchange): void {
    const isRemoval = operation?.method === 'DELETE' && (ok || INVALID_READ.includes(httpStatus));
    if (!isRemoval && !(status && isTerminal(status))) return;
    const url = decode(exchange.request.url);
    for (const ids of this.#left.values())
      for (const id of ids) if (id === task || (isRemoval && url.includes(id))) ids.delete(id);
  }
}

/** The API fully describes the request, and it references nothing. */
function isSelfContained({ id, params }: Operation, { exchange, requestJson }: ReadExchange): boolean {
  const { open, needs, allow } = definitions[id];
  const { body, left_out } = exchange.request;
  if (open || needs || allow || left_out !== undefined || (body && toFields(requestJson) === undefined))
    return false;
  const fields = Object.entries(toFields(requestJson) ?? {});
  const refers = fields.some(([name, value]) => REFERENCE.test(name) && value !== null);
  return !refers && params.every((each) => each.in === 'query' || each.name === 'name');
}

function findId({ record }: ReadExchange): string | undefined {
  return typeof record?.id === 'string' ? record.id : undefined;
}

/**
 * A server error for a valid request is a failure of the operation in any case, unless the case checked the exchange itself.
 * Exceptions: 503 with Retry-After is temporary, and requests that the API does not fully describe may be unsupported (501, 503).
 */
export function reportServerError(verdicts: Verdicts, exchange: Exchange): void {
  if (exchange.may_be_refused || verdicts.hasFinding(exchange.seq)) return;
  const failure = findServerError(exchange);
  if (failure) verdicts.addFinding(failure.requirement, failure.message, [exchange.seq]);
}

/** The same for reads that got another response when they were retried (`ExchangeStream.resent`): they are flaky. */
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
