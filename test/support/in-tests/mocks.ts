import { afterEach } from 'vitest';
import { createMock } from '../../../conformance/in-tests/create-mock.js';
import type { Mock } from '../../../mock/mock.js';
import type { MockOptions } from '../../../mock/options/mock-options.js';
import { InTestClient } from './client.js';

const mocks: Mock[] = [];
afterEach(() => Promise.all(mocks.splice(0).map((mock) => mock.close())));

/** A mock with a manual clock, closed after the test, and a client for it. */
export function openMock(options: MockOptions = {}): { mock: Mock; talk: InTestClient } {
  const mock = createMock({ clock: 'manual', ...options });
  mocks.push(mock);
  return { mock, talk: new InTestClient(mock) };
}

/** The message of an `expectation` that fails. */
export function readFailure(expectation: () => void): string {
  try {
    expectation();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('expected it to fail, and it passed');
}
