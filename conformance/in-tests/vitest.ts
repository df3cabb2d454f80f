/**
 * `taskdouble/vitest`: a test with a mock of its own, and matchers that read like the protocol. Importing it adds them to
 * vitest's `expect`.
 */

import { expect, type TestAPI, type TestContext, test } from 'vitest';
import type { Mock } from '../../mock/mock.js';
import type { MockOptions } from '../../mock/options/mock-options.js';
import { addConversation, createTestMock } from './create-mock.js';
import { type MockMatchers, matchers } from './matchers.js';

expect.extend(matchers);

export { type MockMatchers, matchers } from './matchers.js';

/** What a test of `mockTest` can ask for. */
export interface MockFixtures {
  /** A mock of this test alone, closed after it. */
  mock: Mock;
  /** How `mock` is made: set by `mockTest.extend`, for a block by `.override` (vitest 4) or `.scoped` (3.1 and later). */
  mockOptions: MockOptions;
}

type FixtureContext = TestContext & Pick<MockFixtures, 'mockOptions'>;

// Vitest reads from the pattern which fixtures this needs.
async function mock({ mockOptions, task, onTestFailed }: FixtureContext, use: (mock: Mock) => Promise<void>) {
  const failedBefore = task.result?.errors?.length ?? 0;
  const made = createTestMock(mockOptions);
  let isOver = false;
  const closeMock = async () => {
    if (isOver) return;
    isOver = true;
    // The test and its hooks are over, and vitest has their errors: the last one of this try gets the conversation.
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

/** Before 4.1, vitest makes `mock` with the options of its declaration: there, all fixtures are declared again together. */
function declareFixtures(fixtures: object): TestAPI<MockFixtures> {
  const declared = test.extend(fixtures as never) as unknown as TestAPI<MockFixtures>;
  if ('override' in test) return declared;
  return Object.assign(declared, { extend: (more: object) => declareFixtures({ ...fixtures, ...more }) });
}

/**
 * Vitest's `test` with a fixture `mock`: made for each test that asks for it, with a clock that moves only when told (`mock.time.run`,
 * `mock.clock`) and the seed of the environment variable TASKDOUBLE_SEED, else 1, where `mockOptions` say nothing else.
 * The error of a test that fails ends with that seed and the conversation.
 */
export const mockTest: TestAPI<MockFixtures> = declareFixtures({ mockOptions: {}, mock });

declare module 'vitest' {
  // By this name both vitest 3 and 4 know it.
  // biome-ignore lint/suspicious/noExplicitAny: a declaration that is added to has to have the same type parameters.
  interface Assertion<T = any> extends MockMatchers<void> {}
}
