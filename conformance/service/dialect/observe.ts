import { type DialectChoices, openPoints } from '../../../spec/generated/documents.js';
import { asFields, type Fields, field } from '../../conversation/json.js';
import type { Probing } from '../cases/test-case.js';
import type { Answer } from '../http-client/response.js';

/** Reports a choice, where one was seen. */
export function observe<Point extends keyof DialectChoices>(
  t: Probing,
  point: Point,
  choice: DialectChoices[Point] | undefined,
  ...shown: Answer[]
): void {
  if (choice !== undefined) t.observed(point, choice, ...shown);
}

/** Reports the choice that a status is: `accepted` or "200" for any success. Nothing where it is none of them. */
export function observeStatus(t: Probing, point: keyof DialectChoices, answer: Answer): void {
  const { choices } = openPoints.find(({ id }) => id === point)!;
  const names = answer.ok ? ['accepted', '200'] : [String(answer.status)];
  const choice = names.find((name) => Object.hasOwn(choices, name));
  if (choice !== undefined) t.observed(point, choice, answer);
}

/** The input was refused as such, not for a limit or a fault of the service. */
export function isRefused({ status }: Answer): boolean {
  return status >= 400 && status < 500 && status !== 429;
}

/** The record in a body, in the envelope or bare. */
export function recordOf(answer: Answer): Fields | undefined {
  return answer.ok ? (asFields(answer.r) ?? asFields(answer.body)) : undefined;
}

/** The text in a field of the record; undefined for none and for an empty one. */
export function textIn(answer: Answer, name: string): string | undefined {
  const value = field(recordOf(answer), name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Members of the list in the envelope. */
export function listIn(answer: Answer): readonly unknown[] {
  return answer.ok && Array.isArray(answer.r) ? answer.r : [];
}
