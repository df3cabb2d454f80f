import { defineConfig } from 'vitest/config';

/** For tests that fail intentionally: `children.deep.test.ts` runs them. */
export default defineConfig({
  test: { include: ['failing/*.spec.ts'], pool: 'forks', testTimeout: 600_000, teardownTimeout: 2_000 },
});
