import type { OperationId } from '../../../spec/generated/operations.js';
import type { Interception } from './make.js';
import type { MutantRequest } from './mutant-request.js';
import { isRecord, type LooseRecord, MutantResponse } from './mutant-response.js';

/**
 * Answers a request for something that answers have told of as if it had been carried out, and does nothing. What it is
 * about stands in the path or the query under `name`.
 */
export function pretend(
  operation: OperationId,
  name: string,
  body: unknown = { r: true },
): () => Interception {
  return () => {
    const known = new Set<string>();
    return async (request, next) => {
      const about = request.path.get(name) ?? request.query.get(name);
      if (request.is(operation) && about !== null && known.has(about) && request.key !== undefined)
        return new MutantResponse(200, structuredClone(body));
      const response = await next(request);
      if (response.ok) for (const value of walkPrimitives(response.body)) known.add(String(value));
      return response;
    };
  };
}

/** Leaves what `made` creates out of what `listed` tells, wherever it stands in there under its id or by itself. */
export function omitFromList(made: OperationId, listed: OperationId, name = 'id'): () => Interception {
  return () => {
    const ids = new Set<unknown>();
    const isGone = (value: unknown) => ids.has(isRecord(value) ? value[name] : value);
    return async (request, next) => {
      const response = await next(request);
      if (request.is(made) && response.ok) for (const id of walkNamed(response.body, name)) ids.add(id);
      if (request.is(listed) && response.ok) response.body = omitGone(response.body, isGone);
      return response;
    };
  };
}

/** Carries a request out, answers it, and undoes it behind the client's back. */
export function undo(operation: OperationId, undo: (request: MutantRequest) => void): () => Interception {
  return () => async (request, next) => {
    const response = await next(request);
    if (!request.is(operation) || !response.ok) return response;
    undo(request);
    await next(request);
    return response;
  };
}

function* walkPrimitives(value: unknown): Generator<unknown> {
  if (typeof value === 'string' || typeof value === 'number') yield value;
  else if (typeof value === 'object' && value !== null)
    for (const each of Object.values(value)) yield* walkPrimitives(each);
}

function* walkNamed(value: unknown, name: string): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return;
  if (isRecord(value) && name in value) yield value[name];
  for (const each of Object.values(value)) yield* walkNamed(each, name);
}

function omitGone(value: unknown, isGone: (value: unknown) => boolean): unknown {
  if (Array.isArray(value))
    return value.filter((each) => !isGone(each)).map((each) => omitGone(each, isGone));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, omitGone(each, isGone)]),
  ) satisfies LooseRecord;
}
