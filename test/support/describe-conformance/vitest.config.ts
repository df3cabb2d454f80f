import { defineConfig } from 'vitest/config';

/** Not part of the project's own tests: these are run, and made to fail, by vitest-door.test.ts. */
export default defineConfig({
  test: { include: ['*.door.ts'], root: import.meta.dirname, reporters: ['json'], maxWorkers: 1 },
});
