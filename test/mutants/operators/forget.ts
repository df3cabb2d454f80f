import type { OperationId } from '../../../spec/generated/operations.js';
import type { Asked } from './asked.js';
import type { Between } from './make.js';
import { isRec, type Rec, Told } from './told.js';

/**
 * Answers a request for something that answers have told of as if it had been carried out, and does nothing. What it is
 * about stands in the path or the query under `name`.
 */
export function pretending(operation: OperationId, name: string, body: unknown = { r: true }): () => Between {
  return () => {
    const known = new Set<string>();
    return async (asked, next) => {
      const about = asked.path.get(name) ?? asked.query.get(name);
      if (asked.is(operation) && about !== null && known.has(about) && asked.key !== undefined)
        return new Told(200, structuredClone(body));
      const told = await next(asked);
      if (told.ok) for (const value of primitives(told.body)) known.add(String(value));
      return told;
    };
  };
}

/** Leaves what `made` creates out of what `listed` tells, wherever it stands in there under its id or by itself. */
export function unlisted(made: OperationId, listed: OperationId, name = 'id'): () => Between {
  return () => {
    const ids = new Set<unknown>();
    const gone = (value: unknown) => ids.has(isRec(value) ? value[name] : value);
    return async (asked, next) => {
      const told = await next(asked);
      if (asked.is(made) && told.ok) for (const id of named(told.body, name)) ids.add(id);
      if (asked.is(listed) && told.ok) told.body = without(told.body, gone);
      return told;
    };
  };
}

/** Carries a request out, answers it, and undoes it behind the client's back. */
export function undone(operation: OperationId, undo: (asked: Asked) => void): () => Between {
  return () => async (asked, next) => {
    const told = await next(asked);
    if (!asked.is(operation) || !told.ok) return told;
    undo(asked);
    await next(asked);
    return told;
  };
}

function* primitives(value: unknown): Generator<unknown> {
  if (typeof value === 'string' || typeof value === 'number') yield value;
  else if (typeof value === 'object' && value !== null)
    for (const each of Object.values(value)) yield* primitives(each);
}

function* named(value: unknown, name: string): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return;
  if (isRec(value) && name in value) yield value[name];
  for (const each of Object.values(value)) yield* named(each, name);
}

function without(value: unknown, gone: (value: unknown) => boolean): unknown {
  if (Array.isArray(value)) return value.filter((each) => !gone(each)).map((each) => without(each, gone));
  if (!isRec(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, without(each, gone)]),
  ) satisfies Rec;
}
