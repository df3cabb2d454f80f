import type { Mock } from '../../mock/mock.js';
import type { MockOptions } from '../../mock/options/mock-options.js';
import { accountOf, freshMock } from './fresh-mock.js';

/**
 * Runs `body` with a mock of its own, for node:test, jest, mocha and plain scripts, and gives what it gives. The mock's
 * clock moves only when told and its seed is that of the environment variable TASKDOUBLE_SEED, else 1, where the options say nothing else; it
 * is closed afterwards.
 *
 * Throws what `body` throws, the same object, with the seed and the conversation at the end of its message; an error whose message
 * cannot be changed goes on as it is, and they are written to the console.
 */
export async function withMock<T>(
  body: (mock: Mock) => T | Promise<T>,
  options: MockOptions = {},
): Promise<T> {
  if (typeof body !== 'function') {
    const came = body === null ? 'null' : typeof body;
    throw new TypeError(`withMock: expected a function that is given the mock, got ${came}.`);
  }
  const mock = freshMock(options, 'withMock');
  try {
    await mock.ready;
    return await body(mock);
  } catch (error) {
    if (!addAccount(error, mock)) console.error(accountOf(mock, ''));
    throw error;
  } finally {
    await mock.close();
  }
}

/**
 * Puts the seed and the conversation at the end of the error's message, and of the message in its stack. False where that
 * cannot be: it is no error, or frozen.
 */
export function addAccount(error: unknown, mock: Mock): boolean {
  try {
    return isError(error) && isLengthened(error, accountOf(mock, error.message));
  } catch {
    // Its fields are more than fields: leave them alone.
    return false;
  }
}

function isError(error: unknown): error is Error {
  return typeof error === 'object' && error !== null && typeof (error as Error).message === 'string';
}

function isLengthened(error: Error, account: string): boolean {
  const { message, stack } = error;
  const longer = `${message}\n\n${account}\n`;
  if (!Reflect.set(error, 'message', longer) || error.message !== longer) return false;
  if (typeof stack === 'string' && error.stack === stack) {
    const at = Math.max(0, stack.indexOf(message));
    const frames = stack.slice(stack.startsWith(message, at) ? at + message.length : 0).replace(/^\n/, '');
    Reflect.set(error, 'stack', `${stack.slice(0, at)}${longer}${frames}`);
  }
  return true;
}
