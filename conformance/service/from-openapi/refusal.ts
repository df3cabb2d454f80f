import type { RequirementId } from '../../../spec/generated/documents.js';
import type { Answer } from '../http-client/response.js';
import { type Kit, said } from '../request-builders/tracker.js';

/** What a check of input that does not validate shows, whichever input it is. */
export const REFUSAL_COVERS = ['ERROR-01', 'ENV-02'] as const satisfies RequirementId[];

/**
 * Judges the answer to input that does not validate: 422, or 400, which counts as invalid parameters (open point
 * `errors.invalid-parameters`). A valid twin must have succeeded before.
 */
export function judgeRefusal(
  kit: Kit,
  answer: Answer,
  what: string,
  more: readonly RequirementId[] = [],
): void {
  const { probing } = kit;
  const { status } = answer;
  // How long the target can go on is another matter.
  if (status === 429) return;
  const isRefused = status === 422 || status === 400;
  const message = `${what} was expected to be refused with 422 (or 400); it was answered with ${said(answer)}`;
  for (const requirement of ['ERROR-01', ...more] as const)
    probing.expect(requirement, isRefused, message, answer);
  if (isRefused) judgeDetail(kit, answer, what);
}

/** The body of an error: `detail` is a text, in a 422 also something more elaborate. */
export function judgeDetail({ probing }: Kit, answer: Answer, what: string): void {
  const { body, status } = answer;
  const detail =
    body !== null && typeof body === 'object' ? (body as { detail?: unknown }).detail : undefined;
  const isText = typeof detail === 'string' && detail !== '';
  const isThere = isText || (status === 422 && detail !== null && typeof detail === 'object');
  const expected = status === 422 ? 'a field "detail"' : 'a field "detail" with a text';
  const message = `${what}: expected an error body with ${expected}, got ${said(answer)}`;
  probing.expect('ENV-02', isThere, message, answer);
  if (status === 422) probing.expect('ERROR-02', isThere, message, answer);
}
