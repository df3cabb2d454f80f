/**
 * `taskdouble/vitest`: a test with a mock of its own, and matchers that read like the protocol. Importing it adds them to
 * vitest's `expect`.
 */

import { expect } from 'vitest';
import { type MockMatchers, matchers } from './matchers.js';

expect.extend(matchers);

export { type MockMatchers, matchers } from './matchers.js';
export { type MockFixtures, mockTest } from './mock-test.js';

declare module 'vitest' {
  // By this name both vitest 3 and 4 know it.
  // biome-ignore lint/suspicious/noExplicitAny: a declaration that is added to has to have the same type parameters.
  interface Assertion<T = any> extends MockMatchers<void> {}
}
