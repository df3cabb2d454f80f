import { type TestAPI, test } from 'vitest';
import type { CreateMockOptions, Mock } from '../../mock/interface.js';
import { freshMock } from './fresh-mock.js';
import { addAccount } from './with-mock.js';

/** What a test of `mockTest` can ask for. */
export interface MockFixtures {
  /** A mock of this test alone, closed after it. */
  mock: Mock;
  /** How `mock` is made: set by `mockTest.override` (vitest 4), `.scoped` (3.1 and later) or `.extend`. */
  mockOptions: CreateMockOptions;
}

/**
 * Vitest's `test` with a fixture `mock`: made for each test that asks for it, with a clock that moves only when told (`mock.time.run`,
 * `mock.clock`) and the seed of the environment variable TASKDOUBLE_SEED, else 1, where `mockOptions` say nothing else.
 * The error of a test that fails ends with that seed and the conversation.
 */
export const mockTest: TestAPI<MockFixtures> = test.extend<MockFixtures>({
  // A function, so that an object of options is one value and never merged or taken for a list.
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures are needed.
  mockOptions: async ({}, use) => use({}),
  mock: async ({ mockOptions, task }, use) => {
    const failedBefore = task.result?.errors?.length ?? 0;
    const mock = freshMock(mockOptions);
    try {
      await mock.ready;
      await use(mock);
      // Here the test and its hooks are over, and what they threw has been taken down for the reporters. The last error of
      // this try, so that it is told once.
      const errors = task.result?.errors?.slice(failedBefore) ?? [];
      if (errors.length > 0) addAccount(errors.at(-1), mock);
    } finally {
      await mock.close();
    }
  },
});
