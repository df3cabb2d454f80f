import type { OperationId } from '../../../spec/generated/operations.js';
import type { ApiRequest, ApiResponse } from '../http-client/response.js';
import { summarize } from '../test-case/read-task.js';
import type { TestContext } from '../test-case/test-context.js';

/**
 * Runs a part of a test case and removes what it created when it ends, however it ends: last first, `atOnce` at a time. What could
 * not be removed, or was not because the run was interrupted, is removed at the end of the run.
 */
export async function trackResources(
  t: TestContext,
  run: (t: TestContext) => Promise<void>,
  atOnce = 1,
): Promise<void> {
  const removals: (() => Promise<unknown>)[] = [];
  const cleanup: TestContext['cleanup'] = (what, remove) => {
    let pending = remove;
    let removing: Promise<void> | undefined;
    const once = () => {
      removing ??= pending().then(
        () => {
          // Registered until the end of the run: it must not keep the responses of the case, which may be long.
          pending = async () => {};
        },
        (error: unknown) => {
          removing = undefined;
          throw error;
        },
      );
      return removing;
    };
    removals.push(once);
    t.cleanup(what, once);
  };
  try {
    await run(t.withCleanup(cleanup));
  } finally {
    const next = t.isInterrupted ? [].values() : removals.reverse().values();
    const worker = async () => {
      for (const remove of next) await remove().catch(() => {});
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
  }
}

/** Sends a request without whose success the test case cannot go on. */
export async function need(
  t: TestContext,
  operation: OperationId,
  request: ApiRequest = {},
): Promise<ApiResponse> {
  return succeeded(t, operation, await t.send(operation, request));
}

export function succeeded(t: TestContext, operation: OperationId, response: ApiResponse): ApiResponse {
  if (response.ok) return response;
  const message = `this check needs ${operation} to succeed, got ${summarize(response)}`;
  return response.status === 403
    ? t.skip(`not on the plan of this key: ${message}`)
    : t.inconclusive(message);
}
