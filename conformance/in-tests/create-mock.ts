import { Mock } from '../../mock/mock.js';
import { checkOptions } from '../../mock/options/check-options.js';
import type { MockOptions } from '../../mock/options/mock-options.js';
import { clientRules, untimedRules } from '../rules/client-rules.js';
import { judgeExchanges } from '../rules/judge.js';
import { formatTimeline } from './timeline/timeline.js';

const SEED_VARIABLE = 'TASKDOUBLE_SEED';

/**
 * A mock of the service, in process: `fetch` needs no port, `listen` opens one. Its `findings()` say what the client did
 * against the rules. Rules that compare times are left out where the mock's clock is not the client's: it is with the
 * clock `real`, and where every request was made in `mock.time.run`.
 */
export function createMock(options: MockOptions = {}): Mock {
  // Before they are looked into.
  checkOptions(options);
  const isSameTime = (options.clock ?? 'real') === 'real' && (options.speed ?? 1) >= 1;
  const mock: Mock = new Mock({
    judge: (exchanges) => {
      const rules = isSameTime || mock.time.isClients ? clientRules : untimedRules;
      return judgeExchanges(rules, exchanges).findings();
    },
    ...options,
  });
  return mock;
}

/**
 * Runs `body` with a mock of its own, for node:test, jest, mocha and plain scripts, and returns what it returns. The mock's
 * clock moves only when told and its seed is that of the environment variable TASKDOUBLE_SEED, else 1, unless the options say
 * otherwise; it is closed afterwards.
 *
 * Throws what `body` throws, the same object, with the seed and the conversation at the end of its message; where the message
 * cannot be changed, they are written to the console.
 */
export async function withMock<T>(
  body: (mock: Mock) => T | Promise<T>,
  options: MockOptions = {},
): Promise<T> {
  if (typeof body !== 'function') {
    const found = body === null ? 'null' : typeof body;
    throw new TypeError(`withMock: expected a function that is given the mock, got ${found}.`);
  }
  const mock = createTestMock(options, 'withMock');
  try {
    await mock.ready;
    return await body(mock);
  } catch (error) {
    if (!addConversation(error, mock)) console.error(describeConversation(mock, ''));
    throw error;
  } finally {
    await mock.close();
  }
}

/** The mock of one test: its clock moves only when told, its seed is that of the options, else of the environment, else 1. */
export function createTestMock(options: MockOptions = {}, caller?: string): Mock {
  checkOptions(options, caller);
  const { process } = globalThis as { process?: { env?: Record<string, string> } };
  const { seed = process?.env?.[SEED_VARIABLE] || 1, clock = 'manual', ...rest } = options;
  return createMock({ ...rest, seed, clock });
}

/**
 * Puts the seed and the conversation at the end of the error's message, and of the message in its stack. False where that is
 * impossible: it is no error, or frozen.
 */
export function addConversation(error: unknown, mock: Mock): boolean {
  try {
    if (typeof error !== 'object' || error === null) return false;
    const thrown = error as Error;
    const { message, stack } = thrown;
    if (typeof message !== 'string') return false;
    const longer = `${message}${describeMissingFetch(error)}\n\n${describeConversation(mock, message)}\n`;
    thrown.message = longer;
    if (thrown.message !== longer) return false;
    // Of an error with another stack, such as one of its own, the stack stays as it is.
    if (thrown.stack === stack) thrown.stack = stack?.replace(`${message}\n`, () => longer);
    return true;
  } catch {
    // It is frozen, or its fields have getters or setters that throw.
    return false;
  }
}

/** The documentation calls a mock in process `http://mock`: only its own `fetch` leads there. */
function describeMissingFetch(error: object): string {
  const { cause = error } = error as { cause?: unknown };
  const { code, hostname } = cause as { code?: unknown; hostname?: unknown };
  return (code === 'ENOTFOUND' || code === 'EAI_AGAIN') && hostname === 'mock'
    ? `\nThe client called the platform's fetch, and no host is called "mock". Give the client \`fetch: mock.fetch\`.`
    : '';
}

/** The seed and how to use it again, and the conversation where `message` does not have it. */
function describeConversation(mock: Mock, message: string): string {
  const seed = String(mock.seed);
  const again = /^[\w.:-]+$/.test(seed) ? ` (the same again: ${SEED_VARIABLE}=${seed})` : '';
  let timeline: string;
  try {
    timeline = formatTimeline(mock);
  } catch (error) {
    // It must not hide the failure of the test.
    timeline = `  (cannot be shown: ${error instanceof Error ? error.message : String(error)})`;
  }
  const isThere = timeline.split('\n').every((line) => message.includes(line));
  return `taskdouble: seed ${seed}${again}${isThere ? '' : `, the conversation:\n${timeline}`}`;
}
