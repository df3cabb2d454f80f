import { expect } from 'vitest';
import { openapi } from '../../../spec/generated/documents.js';
import type { Operation } from '../../../spec/generated/operations.js';
import { listResponseErrors } from '../response-errors.js';

interface FetchedResponse {
  status: number;
  type: string | null;
  text: string;
}

/** Statuses for invalid HTTP requests, allowed for every operation. */
const GENERIC = [404, 405, 413, 422];

/** Checks a response against the API description: its form, its status, the schema of a success. */
export function checkResponse(
  { status, type, text }: FetchedResponse,
  operation: Operation | undefined,
): unknown {
  expect(status, `a fault of the mock itself: ${text.slice(0, 300)}`).toBeLessThan(500);
  expect(type).toBe('application/json');
  expect(text.length, 'an empty body').toBeGreaterThan(0);
  const body: unknown = JSON.parse(text);
  if (status >= 400) checkError(status, body);
  if (!operation) {
    expect([404, 405], 'status where there is no operation').toContain(status);
    return body;
  }
  if (status >= 400) {
    expect([...listStatuses(operation), ...GENERIC], `a status of ${operation.id}`).toContain(status);
    return body;
  }
  expect(operation.successStatuses, `a success of ${operation.id}`).toContain(status);
  const errors = listResponseErrors(operation.id, status, body);
  expect(errors, `${operation.id} ${status}: ${text.slice(0, 500)}`).toEqual([]);
  return body;
}

function listStatuses({ path, method }: Operation): number[] {
  const described = openapi.paths[path]![method.toLowerCase()] as { responses: Record<string, unknown> };
  return Object.keys(described.responses).map(Number);
}

/** Errors are `{detail}`: a text, or for 422 a list with positions. */
function checkError(status: number, body: unknown): void {
  expect(Object.keys(body as object)).toEqual(['detail']);
  const { detail } = body as { detail: unknown };
  if (status === 422 && Array.isArray(detail)) {
    expect(detail.length).toBeGreaterThan(0);
    for (const problem of detail) {
      expect(problem).toEqual({ loc: expect.any(Array), msg: expect.any(String), type: expect.any(String) });
      for (const step of problem.loc) expect(['string', 'number']).toContain(typeof step);
      expect(problem.msg).not.toBe('');
    }
  } else {
    expect(detail).toEqual(expect.any(String));
    expect(detail).not.toBe('');
  }
}
