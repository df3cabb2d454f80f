import type { OperationId } from '../../../spec/generated/operations.js';
import type { Probing } from '../cases/test-case.js';
import type { Answer, Sending } from '../http-client/response.js';
import { said } from '../scenarios/player-read.js';

/**
 * Runs a part of a test case and removes what it created when it ends, however it ends: last first, `atOnce` at a time. What could
 * not be removed, or was not because the run was interrupted, is removed at the end of the run.
 */
export async function trackResources(
  t: Probing,
  run: (t: Probing) => Promise<void>,
  atOnce = 1,
): Promise<void> {
  const removals: (() => Promise<unknown>)[] = [];
  const cleanup: Probing['cleanup'] = (what, remove) => {
    let removed: Promise<void> | undefined;
    const once = () => {
      // Kept until the end of the run: without the response, which may be long.
      removed ??= remove().then(
        () => {},
        (error: unknown) => {
          removed = undefined;
          throw error;
        },
      );
      return removed;
    };
    removals.push(once);
    t.cleanup(what, once);
  };
  try {
    await run({ ...t, cleanup });
  } finally {
    const next = removals.reverse().values();
    const worker = async () => {
      for (const remove of next) await remove().catch(() => {});
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
  }
}

/** Sends a request without whose success the test case cannot go on. */
export async function need(t: Probing, operation: OperationId, sending: Sending = {}): Promise<Answer> {
  return succeeded(t, operation, await t.send(operation, sending));
}

export function succeeded(t: Probing, operation: OperationId, answer: Answer): Answer {
  if (answer.ok) return answer;
  const message = `this check needs ${operation} to succeed, got ${said(answer)}`;
  return answer.status === 403 ? t.skip(`not on the plan of this key: ${message}`) : t.inconclusive(message);
}
