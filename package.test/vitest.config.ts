import { defineConfig } from 'vitest/config';

/** The packed package, installed as users install it: `npm run test:package`. Not a part of `npm test`. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    dir: import.meta.dirname,
    include: ['*.test.ts'],
    globalSetup: ['./setup.ts'],
    // Two cores, and each project runs npm, tsc and servers.
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
  },
});
