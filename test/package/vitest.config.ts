import { defineConfig } from 'vitest/config';

/**
 * The packed package, installed as users install it: `npm run test:package`. Not a part of `npm test`. With `--mode jest`
 * what needs jest, which is 50 MB: `npm run test:jest`.
 */
export default defineConfig(({ mode }) => ({
  test: {
    root: import.meta.dirname,
    dir: import.meta.dirname,
    include: mode === 'jest' ? ['jest.ts'] : ['*.test.ts'],
    globalSetup: ['./setup.ts'],
    // Two cores, and each project runs npm, tsc and servers.
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
  },
}));
