import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['*.test.ts', '{spec,scenarios,fixtures,mock,conformance,cli,bench,test-support}/**/*.test.ts'],
    // Two cores: a third worker only takes time from the servers under test.
    maxWorkers: 2,
    testTimeout: 60_000,
    coverage: {
      provider: 'v8',
      include: ['index.ts', '{spec,scenarios,mock,conformance,cli}/**/*.ts'],
      exclude: ['**/*.test.ts', 'spec/generated/**', 'spec/generate/**', '**/test-support/**'],
      reporter: ['text-summary', 'html'],
    },
  },
});
