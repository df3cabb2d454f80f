import type { Mock } from '../../mock/mock.js';
import type { TaskStatus } from '../../spec/vocabulary.js';
import { noFindings, reached, repliedOnce, type Verdict } from './expectations.js';

/** What `expect(mock)` understands besides vitest's own. */
export interface MockMatchers<R = void> {
  /**
   * The client has replied to this tool call once: the service took the reply, and none was sent after one that was confirmed.
   * A reply that got no good response may be sent again, as long as it says the same.
   *
   * @param call Id of the call, or of the step of the scenario that made it, or the name of the tool where it was called once.
   */
  toHaveRepliedOnce(call: string): R;
  /** The rules have nothing to say about the client. Fails too, also with `.not`, where the mock received no request: nothing was judged. */
  toHaveNoFindings(): R;
  /**
   * The task has this status, or an answer has shown it with it.
   *
   * @param task Its id; needed where there are several.
   */
  toHaveReached(status: TaskStatus, task?: string): R;
}

interface Result {
  pass: boolean;
  message: () => string;
}

/** For `expect.extend` of vitest or jest; importing `taskdouble/vitest` has done it. */
export const matchers = {
  toHaveRepliedOnce(received: unknown, call: unknown): Result {
    const mock = mockIn(received, 'toHaveRepliedOnce');
    if (typeof call !== 'string') {
      throw mistake('toHaveRepliedOnce', `expected the id of a tool call, got ${describe(call)}`);
    }
    const verdict = verdictOf('toHaveRepliedOnce', () => repliedOnce(mock, call));
    return result(verdict, 'expected exactly one reply', 'expected anything but exactly one reply');
  },

  toHaveNoFindings(received: unknown): Result {
    const mock = mockIn(received, 'toHaveNoFindings');
    const verdict = verdictOf('toHaveNoFindings', () => noFindings(mock));
    return result(
      verdict,
      'expected no findings',
      'expected the rules to find something, and they found nothing',
    );
  },

  toHaveReached(received: unknown, status: TaskStatus, task?: string): Result {
    const mock = mockIn(received, 'toHaveReached');
    const verdict = verdictOf('toHaveReached', () => reached(mock, status, task));
    return result(
      verdict,
      `expected the task to reach "${status}"`,
      `expected the task never to reach "${status}"`,
    );
  },
};

function result({ holds, why }: Verdict, wanted: string, unwanted: string): Result {
  return { pass: holds, message: () => `${holds ? unwanted : wanted}${why === '' ? '' : `; ${why}`}` };
}

/** Thrown, not failed: with `.not` a failure would pass. */
function verdictOf(matcher: keyof typeof matchers, judge: () => Verdict): Verdict {
  try {
    return judge();
  } catch (error) {
    throw mistake(matcher, (error as Error).message);
  }
}

/** Points at the test, not at what is in here. */
function mistake(matcher: keyof typeof matchers, message: string): Error {
  const error = new Error(`${matcher}: ${message}`);
  Error.captureStackTrace?.(error, matchers[matcher]);
  return error;
}

function mockIn(received: unknown, matcher: keyof typeof matchers): Mock {
  const mock = received as Partial<Mock> | null | undefined;
  if (typeof mock === 'object' && mock !== null && isFunction(mock.journal) && isFunction(mock.findings)) {
    return mock as Mock;
  }
  throw mistake(matcher, `expected a mock, as in expect(mock).${matcher}(…), got ${describe(received)}`);
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}

function describe(value: unknown): string {
  if (typeof value === 'object' && value !== null) return `an object of the class ${value.constructor?.name}`;
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 80)) : String(value);
}
