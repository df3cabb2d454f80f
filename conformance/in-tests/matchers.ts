import type { Mock } from '../../mock/mock.js';
import type { TaskStatus } from '../../spec/vocabulary.js';
import { noFindings, reached, repliedOnce, type Verdict } from './expectations.js';

/** The matchers of `expect(mock)`. */
export interface MockMatchers<R = void> {
  /**
   * The client has replied to this tool call once: the service accepted the reply, and none was sent after one that was confirmed.
   * A reply that got no good response may be sent again, as long as it says the same.
   *
   * @param call Id of the call, or of the step of the scenario that made it, or the name of the tool where it was called once.
   */
  toHaveRepliedOnce(call: string): R;
  /** The rules report no finding about the client. Fails if the mock received no request; this also holds for `.not`. */
  toHaveNoFindings(): R;
  /**
   * The task has this status, or a response has shown it.
   *
   * @param task Its id; needed where there are several.
   */
  toHaveReached(status: TaskStatus, task?: string): R;
}

interface Result {
  pass: boolean;
  message: () => string;
}

/** For `expect.extend` of vitest or jest; importing `taskdouble/vitest` calls it. */
export const matchers = {
  toHaveRepliedOnce(received: unknown, call: unknown): Result {
    return match('toHaveRepliedOnce', received, {
      judge: (mock) => {
        if (typeof call === 'string') return repliedOnce(mock, call);
        throw new Error(`expected the id of a tool call, got ${describe(call)}`);
      },
      expected: 'exactly one reply',
      notExpected: 'anything but exactly one reply',
    });
  },

  toHaveNoFindings(received: unknown): Result {
    return match('toHaveNoFindings', received, {
      judge: noFindings,
      expected: 'no findings',
      notExpected: 'the rules to find something, and they found nothing',
    });
  },

  toHaveReached(received: unknown, status: TaskStatus, task?: string): Result {
    return match('toHaveReached', received, {
      judge: (mock) => reached(mock, status, task),
      expected: `the task to reach "${status}"`,
      notExpected: `the task never to reach "${status}"`,
    });
  },
};

/** Throws what is wrong with the call of the matcher: a failure would pass with `.not`. */
function match(
  matcher: keyof typeof matchers,
  received: unknown,
  { judge, expected, notExpected }: { judge: (mock: Mock) => Verdict; expected: string; notExpected: string },
): Result {
  try {
    const { journal, findings } = (received ?? {}) as Partial<Mock>;
    if (typeof journal !== 'function' || typeof findings !== 'function')
      throw new Error(`expected a mock, as in expect(mock).${matcher}(…), got ${describe(received)}`);
    const { holds, why } = judge(received as Mock);
    const text = `expected ${holds ? notExpected : expected}${why === '' ? '' : `; ${why}`}`;
    return { pass: holds, message: () => text };
  } catch (problem) {
    const error = new Error(`${matcher}: ${(problem as Error).message}`);
    // The stack begins in the test.
    Error.captureStackTrace?.(error, matchers[matcher]);
    throw error;
  }
}

function describe(value: unknown): string {
  if (typeof value === 'object' && value !== null) return `an object of the class ${value.constructor?.name}`;
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 80)) : String(value);
}
