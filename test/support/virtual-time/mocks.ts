import { afterEach } from 'vitest';
import { Mock } from '../../../mock/mock.js';
import type { MockOptions } from '../../../mock/options/mock-options.js';

const made: Mock[] = [];

/** A mock that is closed after the test. Call it in tests or in `beforeEach`. */
export function make(options: MockOptions): Mock {
  const mock = new Mock(options);
  made.push(mock);
  return mock;
}

afterEach(() => Promise.all(made.splice(0).map((each) => each.close())));
