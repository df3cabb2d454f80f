import type { RequirementId } from '../../../spec/generated/documents.js';
import { type Operation, type OperationId, operations } from '../../../spec/generated/operations.js';
import { readField } from '../../conversation/json.js';
import { type ApiResponse, summarize } from '../http-client/response.js';
import { definitions } from '../operations/definitions.js';
import {
  countStartedTasks,
  createRequestFactory,
  listUsedOperations,
  type RequestFactory,
  sendInSomeForm,
} from '../operations/requests.js';
import { describeRequest, requireResponse } from '../test-case/requests.js';
import type { TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';

export const everyOperation: readonly Operation[] = Object.values(operations);

/** A case about one operation. `successes`: requests to it that may succeed. `title` follows the name of the operation. */
export function createDerivedCase(
  { id: operation }: Operation,
  { successes, ...about }: Pick<TestCase, 'id' | 'title' | 'covers'> & { successes: number },
  run: (t: TestContext) => Promise<void>,
): TestCase {
  const { allow, parts } = definitions[operation];
  return {
    ...about,
    title: `${describeRequest(operation)} ${about.title}`,
    operations: listUsedOperations(operation),
    ...(parts && { parts }),
    tasks: countStartedTasks(operation, successes),
    ...(allow === undefined ? {} : { allow }),
    run,
  };
}

/**
 * Sends an unchanged request that has to succeed: `first`; `next` creates further ones. Otherwise calls `onRefused` and ends the
 * case.
 */
export async function establishBaseline(
  t: TestContext,
  id: OperationId,
  onRefused: (response: ApiResponse) => void = () => {},
): Promise<{ first: ApiResponse; next: RequestFactory }> {
  const next = await createRequestFactory(t, id);
  const { response: first } = await sendInSomeForm(t, id, next);
  if (!first.ok) onRefused(first);
  // The case `resources/...-answer` of the operation judges the response to a valid request.
  requireResponse(t, id, first);
  return { first, next: definitions[id].consumes ? await createRequestFactory(t, id) : next };
}

/** Requirements that every refusal of invalid input is evidence for. */
export const REFUSAL_COVERS = ['ERROR-01', 'ENV-02'] as const satisfies RequirementId[];

/** Requirements that state the status of the refusal. */
const STATED_AS_422: readonly RequirementId[] = ['TOOL-08', 'EVENT-05'];

/**
 * Checks the response to invalid input: 422, or 400, which counts as invalid parameters (open point `errors.invalid-parameters`).
 * A valid request must have succeeded before. `alsoAllowed`: another acceptable status.
 */
export function judgeRefusal(
  t: TestContext,
  response: ApiResponse,
  what: string,
  more: readonly RequirementId[] = [],
  alsoAllowed?: number,
): void {
  const { status } = response;
  // A rate limit is unrelated to the input.
  if (status === 429) return;
  const isRefused = status === 422 || status === 400 || status === alsoAllowed;
  const message = `${what}: expected 422 (or 400), got ${summarize(response)}`;
  t.expect('ERROR-01', isRefused, message, response);
  for (const requirement of more) {
    const isStrict = STATED_AS_422.includes(requirement);
    const shown = isStrict ? `${what}: expected 422, got ${summarize(response)}` : message;
    t.expect(requirement, isStrict ? status === 422 : isRefused, shown, response);
  }
  if (isRefused) judgeDetail(t, response, what);
}

/** The body of an error: `detail` is a text, in a 422 it may also have a structure. */
export function judgeDetail(t: TestContext, response: ApiResponse, what: string): void {
  const { body, status } = response;
  const detail = readField(body, 'detail');
  const isText = typeof detail === 'string' && detail !== '';
  const isThere = isText || (status === 422 && detail !== null && typeof detail === 'object');
  const expected = status === 422 ? 'a field "detail"' : 'a field "detail" with a text';
  const message = `${what}: expected an error body with ${expected}, got ${summarize(response)}`;
  t.expect('ENV-02', isThere, message, response);
  if (status === 422) t.expect('ERROR-02', isThere, message, response);
}

/** Whether the request is valid is not stated: any response but a server error is right. */
export function judgeUnusual(t: TestContext, response: ApiResponse, what: string): void {
  const message = `${what}: expected a success or a refusal, got ${summarize(response)}`;
  if (response.status === 500) t.fail('ERROR-01', message, response);
}
