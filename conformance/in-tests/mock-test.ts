import { type TestAPI, type TestContext, test } from 'vitest';
import type { Mock } from '../../mock/mock.js';
import type { MockOptions } from '../../mock/options/mock-options.js';
import { freshMock } from './fresh-mock.js';
import { addAccount } from './with-mock.js';

/** What a test of `mockTest` can ask for. */
export interface MockFixtures {
  /** A mock of this test alone, closed after it. */
  mock: Mock;
  /** How `mock` is made: set by `mockTest.extend`, for a block by `.override` (vitest 4) or `.scoped` (3.1 and later). */
  mockOptions: MockOptions;
}

type Given = TestContext & Pick<MockFixtures, 'mockOptions'>;

// From the pattern vitest reads what this needs.
async function mock({ mockOptions, task, onTestFailed }: Given, use: (mock: Mock) => Promise<void>) {
  const failedBefore = task.result?.errors?.length ?? 0;
  const made = freshMock(mockOptions);
  let isOver = false;
  const end = async () => {
    if (isOver) return;
    isOver = true;
    // The test and its hooks are over, and what they threw has been taken down for the reporters: it is told with the last
    // error of this try, once.
    const errors = task.result?.errors?.slice(failedBefore) ?? [];
    if (errors.length > 0) addAccount(errors.at(-1), made);
    await made.close();
  };
  // Vitest 3 forgets fixtures where a hook after the test has thrown.
  onTestFailed(end);
  try {
    await made.ready;
    await use(made);
  } finally {
    await end();
  }
}

/**
 * Before 4.1 vitest makes `mock` with the options that there were when it was declared, whatever has come in their place:
 * there all fixtures are declared anew, in one go.
 */
function declare(fixtures: object): TestAPI<MockFixtures> {
  const declared = test.extend(fixtures as never) as unknown as TestAPI<MockFixtures>;
  if ('override' in test) return declared;
  return Object.assign(declared, { extend: (more: object) => declare({ ...fixtures, ...more }) });
}

/**
 * Vitest's `test` with a fixture `mock`: made for each test that asks for it, with a clock that moves only when told (`mock.time.run`,
 * `mock.clock`) and the seed of the environment variable TASKDOUBLE_SEED, else 1, where `mockOptions` say nothing else.
 * The error of a test that fails ends with that seed and the conversation.
 */
export const mockTest: TestAPI<MockFixtures> = declare({ mockOptions: {}, mock });
