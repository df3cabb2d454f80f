/** `taskdouble/vitest`: a test with its own mock, and matchers for the protocol. Importing it adds them to vitest's `expect`. */

import { expect, type TestAPI, type TestContext, test } from 'vitest';
import type { Mock } from '../../mock/mock.js';
import type { MockOptions } from '../../mock/options/mock-options.js';
import { addConversation, createTestMock } from './create-mock.js';
import { type MockMatchers, matchers } from './matchers.js';

expect.extend(matchers);

export { type MockMatchers, matchers } from './matchers.js';

/** Fixtures of `mockTest`. */
export interface MockFixtures {
  /** A mock for this test, closed after it. */
  mock: Mock;
  /** Options of `mock`: set by `mockTest.extend`, for a block by `.override` (vitest 4) or `.scoped` (3.1 and later). */
  mockOptions: MockOptions;
}

type FixtureContext = TestContext & Pick<MockFixtures, 'mockOptions'>;

// Vitest reads the required fixtures from the pattern.
async function mock({ mockOptions, task, onTestFailed }: FixtureContext, use: (mock: Mock) => Promise<void>) {
  const failedBefore = task.result?.errors?.length ?? 0;
  const made = createTestMock(mockOptions);
  let isOver = false;
  const closeMock = async () => {
    if (isOver) return;
    isOver = true;
    // The test and its hooks are over, and vitest has their errors: the last error of this try gets the conversation.
    const errors = task.result?.errors?.slice(failedBefore) ?? [];
    if (errors.length > 0) addConversation(errors.at(-1), made);
    await made.close();
  };
  // Vitest 3 does not end fixtures after a hook has thrown.
  onTestFailed(closeMock);
  try {
    await made.ready;
    await use(made);
  } finally {
    await closeMock();
  }
}

/** Before 4.1, vitest creates `mock` with the options of its declaration: all fixtures are declared again together. */
function declareFixtures(fixtures: object): TestAPI<MockFixtures> {
  const declared = test.extend(fixtures as never) as unknown as TestAPI<MockFixtures>;
  if ('override' in test) return declared;
  return Object.assign(declared, { extend: (more: object) => declareFixtures({ ...fixtures, ...more }) });
}

/**
 * Vitest's `test` with a fixture `mock`, created for each test that uses it. By default its clock moves only on command
 * (`mock.time.run`, `mock.clock`), and its seed is the environment variable TASKDOUBLE_SEED, else 1; `mockOptions` change
 * both. The error of a failed test ends with the seed and the conversation.
 */
export const mockTest: TestAPI<MockFixtures> = declareFixtures({ mockOptions: {}, mock });

declare module 'vitest' {
  // vitest 3 and 4 both declare this name.
  // biome-ignore lint/suspicious/noExplicitAny: an interface can be extended only with the same type parameters.
  interface Assertion<T = any> extends MockMatchers<void> {}
}
