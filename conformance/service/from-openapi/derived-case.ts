import { type RequirementId, requirements } from '../../../spec/generated/documents.js';
import {
  type Operation,
  type OperationId,
  type OperationParameter,
  operations,
} from '../../../spec/generated/operations.js';
import type { ApiRequest, ApiResponse } from '../http-client/response.js';
import { requestBuilders } from '../request-builders/builders.js';
import {
  operationsUsed,
  prepareRequest,
  removeLater,
  sendInSomeForm,
  tasksStarted,
} from '../request-builders/requests.js';
import { trackResources } from '../request-builders/tracker.js';
import { summarize } from '../test-case/read-task.js';
import type { TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';

export const everyOperation: readonly Operation[] = Object.values(operations);

/** `GET /task/{task_id}`. */
export function nameOf(id: OperationId): string {
  const { method, path } = operations[id];
  return `${method} ${path}`;
}

const described = new Map(
  requirements.flatMap(({ describes, id, evidence }) =>
    describes === undefined ? [] : [[describes, { id: id as RequirementId, isShown: evidence !== 'effect' }]],
  ),
);

/** The rule that describes an operation. Unless `isShown`, a response alone can break it but not show that it is kept. */
export function ruleOf(id: OperationId): { id: RequirementId; isShown: boolean } {
  const rule = described.get(id);
  if (!rule) throw new Error(`spec/requirements.yaml: expected a requirement with "describes: ${id}"`);
  return rule;
}

/** A case about one operation. `successes`: requests to it that may succeed. `title` follows the name of the operation. */
export function derivedCase(
  { id: operation }: Operation,
  about: { id: TestCase['id']; title: string; covers: readonly RequirementId[]; successes: number },
  run: (t: TestContext) => Promise<void>,
): TestCase {
  const { allow } = requestBuilders[operation];
  const tasks = tasksStarted(operation, about.successes);
  return {
    id: about.id,
    title: `${nameOf(operation)} ${about.title}`,
    covers: about.covers,
    operations: operationsUsed(operation),
    ...(tasks > 0 ? { tasks } : {}),
    ...(allow === undefined ? {} : { allow }),
    run: (t) => trackResources(t, run),
  };
}

/** Sends a valid request, or one that differs from it by `change`. What a success creates is removed again. */
export async function attempt(
  t: TestContext,
  id: OperationId,
  valid: ApiRequest,
  change: Partial<ApiRequest> = {},
): Promise<ApiResponse> {
  const response = await t.send(id, { ...valid, ...change });
  // Also where the request should have been refused: the valid one names what it created.
  if (response.ok) removeLater(t, id, response, valid);
  return response;
}

/** Sends a valid request, in another form where its form is open and the first is refused. */
export async function attemptInSomeForm(t: TestContext, id: OperationId, next: () => ApiRequest) {
  const sent = await sendInSomeForm(t, id, next);
  if (sent.response.ok) removeLater(t, id, sent.response, sent.request);
  return sent;
}

/** A valid request that was seen to succeed, and the making of more of them. */
export interface BaselineRequest {
  first: ApiResponse;
  next(): ApiRequest;
}

/** Shows that a request succeeds before anything about it is changed. Ends the case where it does not, after `onRefused`. */
export async function baseline(
  t: TestContext,
  id: OperationId,
  onRefused: (response: ApiResponse) => void = () => {},
): Promise<BaselineRequest> {
  const next = await prepareRequest(t, id);
  const { response: first } = await attemptInSomeForm(t, id, next);
  if (!first.ok) {
    onRefused(first);
    notServed(t, id, first);
  }
  return { first, next: requestBuilders[id].consumes ? await prepareRequest(t, id) : next };
}

/** Ends the case: the operation's own case, `resources/...-answer`, judges what a valid request leads to. */
export function notServed(t: TestContext, id: OperationId, response: ApiResponse): never {
  const message = `${id}: expected a valid request to succeed, got ${summarize(response)}`;
  return response.status === 403 ? t.skip(message) : t.inconclusive(message);
}

/** A request without one of its parameters, or with another value for it. */
export function withParameter(
  request: ApiRequest,
  { name, in: where }: OperationParameter,
  value: string | undefined,
): Partial<ApiRequest> {
  const part = where === 'header' ? 'headers' : where;
  const { [name]: _, ...others } = (request[part] ?? {}) as Record<string, string>;
  return { [part]: value === undefined ? others : { ...others, [name]: value } };
}
