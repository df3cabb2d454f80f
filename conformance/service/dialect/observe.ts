import { type DialectChoices, openPoints } from '../../../spec/generated/documents.js';
import { asFields, type Fields, field } from '../../conversation/json.js';
import type { ApiResponse } from '../http-client/response.js';
import type { TestContext } from '../test-case/test-context.js';

/** Reports a choice, where one was seen. */
export function observe<Point extends keyof DialectChoices>(
  t: TestContext,
  point: Point,
  choice: DialectChoices[Point] | undefined,
  ..._shown: ApiResponse[]
): void {
  if (choice !== undefined) t.observe(point, choice);
}

/** Reports the choice that a status is: `accepted` or "200" for any success. Nothing where it is none of them. */
export function observeStatus(t: TestContext, point: keyof DialectChoices, answer: ApiResponse): void {
  const { choices } = openPoints.find(({ id }) => id === point)!;
  const names = answer.ok ? ['accepted', '200'] : [String(answer.status)];
  const choice = names.find((name) => Object.hasOwn(choices, name));
  if (choice !== undefined) t.observe(point, choice);
}

/** The input was refused as such, not for a limit or a fault of the service. */
export function isRefused({ status }: ApiResponse): boolean {
  return status >= 400 && status < 500 && status !== 429;
}

/** The record in a body, in the envelope or bare. */
export function recordOf(answer: ApiResponse): Fields | undefined {
  return answer.ok ? (asFields(answer.r) ?? asFields(answer.body)) : undefined;
}

/** The text in a field of the record; undefined for none and for an empty one. */
export function textIn(answer: ApiResponse, name: string): string | undefined {
  const value = field(recordOf(answer), name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Members of the list in the envelope. */
export function listIn(answer: ApiResponse): readonly unknown[] {
  return answer.ok && Array.isArray(answer.r) ? answer.r : [];
}
