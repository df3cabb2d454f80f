import type { CreateMockOptions, Mock } from '../../mock/interface.js';
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
  options: CreateMockOptions = {},
): Promise<T> {
  const mock = freshMock(options);
  try {
    await mock.ready;
    return await body(mock);
  } catch (error) {
    const account = accountOf(mock);
    if (!addTo(error, account)) console.error(account);
    throw error;
  } finally {
    await mock.close();
  }
}

/**
 * Puts `account` at the end of the error's message, and of the message in its stack. False where that cannot be: it is no error, or frozen.
 */
export function addTo(error: unknown, account: string): boolean {
  if (!hasMessage(error)) return false;
  const { message, stack } = error;
  const longer = `${message}\n\n${account}\n`;
  if (!isSet(error, 'message', longer)) return false;
  if (typeof stack === 'string' && error.stack === stack) {
    const at = stack.indexOf(message);
    const rest = at === -1 ? `\n${stack}` : stack.slice(at + message.length);
    isSet(error, 'stack', `${stack.slice(0, Math.max(0, at))}${longer}${rest.replace(/^\n/, '')}`);
  }
  return true;
}

function hasMessage(error: unknown): error is { message: string; stack?: unknown } {
  return typeof error === 'object' && error !== null && typeof (error as Error).message === 'string';
}

function isSet(error: object, field: 'message' | 'stack', text: string): boolean {
  try {
    return Reflect.set(error, field, text) && Reflect.get(error, field) === text;
  } catch {
    return false;
  }
}
