import { defineConfig } from 'vitest/config';

/** Not part of the test suite: `describe-conformance.deep.test.ts` runs these tests, also with faults. */
export default defineConfig({
  test: { include: ['*.door.ts'], root: import.meta.dirname, reporters: ['json'], maxWorkers: 1 },
});
