import type { RequirementId } from '../../../spec/generated/documents.js';
import { field } from '../../conversation/json.js';
import type { ApiResponse } from '../http-client/response.js';
import { summarize } from '../test-case/read-task.js';
import type { TestContext } from '../test-case/test-context.js';

/** Requirements that every refusal of invalid input shows. */
export const REFUSAL_COVERS = ['ERROR-01', 'ENV-02'] as const satisfies RequirementId[];

/** Requirements that state the status of the refusal. */
const STATED_AS_422: readonly RequirementId[] = ['TOOL-08', 'EVENT-05'];

/**
 * Judges the response to invalid input: 422, or 400, which counts as invalid parameters (open point `errors.invalid-parameters`).
 * A valid request must have succeeded before.
 */
export function judgeRefusal(
  t: TestContext,
  response: ApiResponse,
  what: string,
  more: readonly RequirementId[] = [],
): void {
  const { status } = response;
  // A rate limit says nothing about the input.
  if (status === 429) return;
  const isRefused = status === 422 || status === 400;
  const message = `${what}: expected 422 (or 400), got ${summarize(response)}`;
  t.expect('ERROR-01', isRefused, message, response);
  for (const requirement of more) {
    const isShown = STATED_AS_422.includes(requirement) ? status === 422 : isRefused;
    t.expect(requirement, isShown, `${what}: expected 422, got ${summarize(response)}`, response);
  }
  if (isRefused) judgeDetail(t, response, what);
}

/** The body of an error: `detail` is a text, in a 422 also something more elaborate. */
export function judgeDetail(t: TestContext, response: ApiResponse, what: string): void {
  const { body, status } = response;
  const detail = field(body, 'detail');
  const isText = typeof detail === 'string' && detail !== '';
  const isThere = isText || (status === 422 && detail !== null && typeof detail === 'object');
  const expected = status === 422 ? 'a field "detail"' : 'a field "detail" with a text';
  const message = `${what}: expected an error body with ${expected}, got ${summarize(response)}`;
  t.expect('ENV-02', isThere, message, response);
  if (status === 422) t.expect('ERROR-02', isThere, message, response);
}
