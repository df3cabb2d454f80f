import { afterEach } from 'vitest';
import { createMock } from '../../../mock/create.js';
import type { CreateMockOptions, Mock } from '../../../mock/interface.js';

const made: Mock[] = [];

/** A mock that is closed after the test. To be called in tests and before each of them. */
export function make(options: CreateMockOptions): Mock {
  const mock = createMock(options);
  made.push(mock);
  return mock;
}

afterEach(() => Promise.all(made.splice(0).map((each) => each.close())));
