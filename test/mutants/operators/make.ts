import type { RequirementId } from '../../../spec/generated/documents.js';
import type { OperationId } from '../../../spec/generated/operations.js';
import type { Mutant, MutantContext } from '../mutant.js';
import { Asked } from './asked.js';
import { type Rec, Told } from './told.js';

/** Hands a request on to the service that is not faulty. */
export type Next = (asked: Asked) => Promise<Told>;
/** Stands in the way of each request. */
export type Between = (asked: Asked, next: Next) => Promise<Told> | Told;

type Some<T> = T | readonly T[];

/** A mutant from what stands in the way of its requests; made anew for each service, so that it may remember. */
export function mutant(
  id: string,
  requirement: RequirementId,
  breaks: string,
  make: (context: MutantContext) => Between,
): Mutant {
  return {
    id,
    requirement,
    breaks,
    wrap(fetch, context) {
      const between = make(context);
      const next: Next = async (asked) => Told.from(await fetch(String(asked.url), asked.toInit()));
      return async (address, init) => (await between(new Asked(address, init), next)).toResponse();
    },
  };
}

function among(operations: Some<OperationId>): ReadonlySet<OperationId | undefined> {
  return new Set<OperationId | undefined>(typeof operations === 'string' ? [operations] : operations);
}

/** Changes successful answers of some operations, or gives others (`Told`) for them. */
export function answers(
  operations: Some<OperationId>,
  change: (told: Told, asked: Asked) => unknown,
): () => Between {
  const those = among(operations);
  return () => async (asked, next) => {
    const told = await next(asked);
    const other = those.has(asked.operation) && told.ok ? change(told, asked) : undefined;
    return other instanceof Told ? other : told;
  };
}

/** Changes answers of some operations that are errors. */
export function errors(
  operations: Some<OperationId> | 'all',
  change: (told: Told, asked: Asked) => unknown,
): () => Between {
  const those = operations === 'all' ? undefined : among(operations);
  return () => async (asked, next) => {
    const told = await next(asked);
    const concerned = told.status >= 400 && (those === undefined || those.has(asked.operation));
    const other = concerned ? change(told, asked) : undefined;
    return other instanceof Told ? other : told;
  };
}

/** Changes requests to some operations before they are carried out, or answers them itself. */
export function requests(operations: Some<OperationId>, change: (asked: Asked) => unknown): () => Between {
  const those = among(operations);
  return () => (asked, next) => {
    const told = those.has(asked.operation) ? change(asked) : undefined;
    return told instanceof Told ? told : next(asked);
  };
}

/** Changes the record of a task wherever one is told of. */
export function tasks(change: (task: Rec, asked: Asked, told: Told) => void): () => Between {
  return answers(['createTask', 'getTask', 'listTasks'], (told, asked) => {
    for (const task of asked.is('listTasks') ? told.list : [told.record]) change(task, asked, told);
  });
}

/** Changes the task in the answers to polls. */
export function polls(change: (task: Rec, told: Told, asked: Asked) => void): () => Between {
  return answers('getTask', (told, asked) => change(told.record, told, asked));
}

/** Changes the members of a list. */
export function lists(operation: OperationId, change: (list: Rec[], asked: Asked) => unknown): () => Between {
  return answers(operation, (told, asked) => {
    told.r = change(told.list, asked) ?? told.list;
  });
}
