import { Mock } from '../../mock/mock.js';
import { checkOptions } from '../../mock/options/check-options.js';
import type { MockOptions } from '../../mock/options/mock-options.js';
import { RealTimeReader } from '../conversation/latency.js';
import { clientRules, untimedRules } from '../rules/client-rules.js';
import { judgeExchanges } from '../rules/judge.js';
import { formatTimeline, viewTimelines } from './timeline/timeline.js';

const SEED_VARIABLE = 'TASKDOUBLE_SEED';

/**
 * A mock of the service, in process: `fetch` needs no port, `listen` opens one. `findings()` lists the rules that the client
 * violated. Rules that compare times apply only if mock and client share a clock: with the clock `real`, or if every request
 * was made in `mock.time.run`.
 */
export function createMock(options: MockOptions = {}): Mock {
  // Checked before they are read.
  checkOptions(options);
  const isSameTime = (options.clock ?? 'real') === 'real' && (options.speed ?? 1) >= 1;
  const mock: Mock = new Mock({
    judge: (exchanges, isOnRealTime) => {
      const rules = (isSameTime && isOnRealTime) || mock.time.isClients ? clientRules : untimedRules;
      const reader = new RealTimeReader({ speed: options.speed });
      return judgeExchanges(rules, isOnRealTime ? reader.readAll(exchanges) : exchanges).findings();
    },
    readTimelines: (query) => viewTimelines(mock, query),
    ...options,
  });
  return mock;
}

/**
 * Runs `body` with a new mock, for node:test, jest, mocha and plain scripts, and returns its result. By default the clock of the
 * mock moves only on command, and the seed is the environment variable TASKDOUBLE_SEED, else 1. The mock is closed afterwards.
 *
 * Throws an error of `body` on as the same object, with the seed and the conversation at the end of its message. If the message
 * cannot be changed, they are written to the console.
 */
export async function withMock<T>(
  body: (mock: Mock) => T | Promise<T>,
  options: MockOptions = {},
): Promise<T> {
  if (typeof body !== 'function') {
    const found = body === null ? 'null' : typeof body;
    throw new TypeError(`withMock: expected a function that receives the mock, got ${found}.`);
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

/** The mock of one test: its clock moves only on command; its seed is from the options, else from the environment, else 1. */
export function createTestMock(options: MockOptions = {}, caller?: string): Mock {
  checkOptions(options, caller);
  const { process } = globalThis as { process?: { env?: Record<string, string> } };
  const { seed = process?.env?.[SEED_VARIABLE] || 1, clock = 'manual', ...rest } = options;
  return createMock({ ...rest, seed, clock });
}

/**
 * Appends the seed and the conversation to the message of an error, and to the message in its stack. False if that is
 * impossible: it is no error, or it is frozen.
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
    // A stack that does not match the message stays unchanged.
    if (thrown.stack === stack) thrown.stack = stack?.replace(`${message}\n`, () => longer);
    return true;
  } catch {
    // It is frozen, or its getters or setters throw.
    return false;
  }
}

/** The documentation uses `http://mock` for a mock in process: only its own `fetch` resolves it. */
function describeMissingFetch(error: object): string {
  const { cause = error } = error as { cause?: unknown };
  const { code, hostname } = cause as { code?: unknown; hostname?: unknown };
  return (code === 'ENOTFOUND' || code === 'EAI_AGAIN') && hostname === 'mock'
    ? `\nThe client called the platform's fetch, and no host is called "mock". Give the client \`fetch: mock.fetch\`.`
    : '';
}

/** The seed, how to use it again, and the conversation unless `message` contains it. */
function describeConversation(mock: Mock, message: string): string {
  const seed = String(mock.seed);
  const again = /^[\w.:-]+$/.test(seed) ? ` (the same again: ${SEED_VARIABLE}=${seed})` : '';
  let timeline: string;
  try {
    timeline = formatTimeline(mock);
  } catch (error) {
    // This error must not hide the failure of the test.
    timeline = `  (cannot be shown: ${error instanceof Error ? error.message : String(error)})`;
  }
  const isThere = timeline.split('\n').every((line) => message.includes(line));
  return `taskdouble: seed ${seed}${again}${isThere ? '' : `, the conversation:\n${timeline}`}`;
}
