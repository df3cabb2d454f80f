import type { Mock } from '../../mock/mock.js';
import { checkOptions } from '../../mock/options/check-options.js';
import type { MockOptions } from '../../mock/options/mock-options.js';
import { createMock } from './create-mock.js';
import { timelineOf } from './timeline/timeline.js';

/** Names the seed of mocks that tests are given, where no option does. */
export const SEED_VARIABLE = 'TASKDOUBLE_SEED';

/** The mock that one test is given: a clock that moves when told, the seed of the options, of the environment, or 1. Mistakes in the options are `caller`'s. */
export function freshMock(options: MockOptions = {}, caller?: string): Mock {
  // Before they are looked into.
  checkOptions(options, caller);
  const { seed = environment()[SEED_VARIABLE] || 1, clock = 'manual', ...rest } = options;
  return createMock({ ...rest, seed, clock });
}

/** What a failed test says about its mock after `message`: how to have it again, and the conversation where that is not in it. */
export function accountOf(mock: Mock, message: string): string {
  const seed = String(mock.seed);
  const again = /^[\w.:-]+$/.test(seed) ? ` (the same again: ${SEED_VARIABLE}=${seed})` : '';
  const timeline = told(mock);
  const isThere = timeline.split('\n').every((line) => message.includes(line));
  return `taskdouble: seed ${seed}${again}${isThere ? '' : `, the conversation:\n${timeline}`}`;
}

/** The failure of the test is what people have to see: nothing that is said about it may hide it. */
function told(mock: Mock): string {
  try {
    return timelineOf(mock);
  } catch (error) {
    return `  (cannot be told: ${error instanceof Error ? error.message : String(error)})`;
  }
}

/** None in a browser. */
function environment(): Readonly<Record<string, string | undefined>> {
  return (globalThis as { process?: { env?: Record<string, string> } }).process?.env ?? {};
}
