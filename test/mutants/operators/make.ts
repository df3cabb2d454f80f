import type { RequirementId } from '../../../spec/generated/documents.js';
import type { OperationId } from '../../../spec/generated/operations.js';
import type { Mutant, MutantContext } from '../mutant.js';
import { MutantRequest } from './mutant-request.js';
import { type LooseRecord, MutantResponse } from './mutant-response.js';

/** Hands a request on to the service that is not faulty. */
export type Forward = (request: MutantRequest) => Promise<MutantResponse>;
/** Stands in the way of each request. */
export type Interception = (
  request: MutantRequest,
  next: Forward,
) => Promise<MutantResponse> | MutantResponse;

type OneOrMany<T> = T | readonly T[];

/** A mutant from what stands in the way of its requests; made anew for each service, so that it may remember. */
export function mutant(
  id: string,
  requirement: RequirementId,
  breaks: string,
  make: (context: MutantContext) => Interception,
): Mutant {
  return { id, requirement, breaks, wrap: wrapWith(make) };
}

/** Puts what stands in the way of requests around a service. */
export function wrapWith(make: (context: MutantContext) => Interception): Mutant['wrap'] {
  return (fetch, context) => {
    const intercept = make(context);
    const next: Forward = async (request) =>
      MutantResponse.from(await fetch(String(request.url), request.toInit()));
    return async (address, init) => (await intercept(new MutantRequest(address, init), next)).toResponse();
  };
}

function toOperationSet(operations: OneOrMany<OperationId>): ReadonlySet<OperationId | undefined> {
  return new Set<OperationId | undefined>(typeof operations === 'string' ? [operations] : operations);
}

/** Changes successful answers of some operations, or gives others (`Told`) for them. */
export function changeResponses(
  operations: OneOrMany<OperationId>,
  change: (response: MutantResponse, request: MutantRequest) => unknown,
): () => Interception {
  const those = toOperationSet(operations);
  return () => async (request, next) => {
    const response = await next(request);
    const other = those.has(request.operation) && response.ok ? change(response, request) : undefined;
    return other instanceof MutantResponse ? other : response;
  };
}

/** Changes answers of some operations that are errors. */
export function changeErrors(
  operations: OneOrMany<OperationId> | 'all',
  change: (response: MutantResponse, request: MutantRequest) => unknown,
): () => Interception {
  const those = operations === 'all' ? undefined : toOperationSet(operations);
  return () => async (request, next) => {
    const response = await next(request);
    const concerned = response.status >= 400 && (those === undefined || those.has(request.operation));
    const other = concerned ? change(response, request) : undefined;
    return other instanceof MutantResponse ? other : response;
  };
}

/** Changes requests to some operations before they are carried out, or answers them itself. */
export function changeRequests(
  operations: OneOrMany<OperationId>,
  change: (request: MutantRequest) => unknown,
): () => Interception {
  const those = toOperationSet(operations);
  return () => (request, next) => {
    const response = those.has(request.operation) ? change(request) : undefined;
    return response instanceof MutantResponse ? response : next(request);
  };
}

/** Changes the record of a task wherever one is told of. */
export function changeTasks(
  change: (task: LooseRecord, request: MutantRequest, response: MutantResponse) => void,
): () => Interception {
  return changeResponses(['createTask', 'getTask', 'listTasks'], (response, request) => {
    for (const task of request.is('listTasks') ? response.list : [response.record])
      change(task, request, response);
  });
}

/** Changes the task in the answers to polls. */
export function changePolls(
  change: (task: LooseRecord, response: MutantResponse, request: MutantRequest) => void,
): () => Interception {
  return changeResponses('getTask', (response, request) => change(response.record, response, request));
}

/** Changes the members of a list. */
export function changeLists(
  operation: OperationId,
  change: (list: LooseRecord[], request: MutantRequest) => unknown,
): () => Interception {
  return changeResponses(operation, (response, request) => {
    response.r = change(response.list, request) ?? response.list;
  });
}
