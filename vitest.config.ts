import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const FOLDERS = '{spec,scenarios,fixtures,mock,conformance,cli,studio,bench,test}';
/** Tests of the packed package have their own configuration. */
const PACKAGE_TESTS = 'test/package/**';
const filesNamed = (ending: string) => [`${FOLDERS}/**/*${ending}`];
const DEEP = filesNamed('.deep.test.ts');
/** Property tests belong to both suites: with a few runs to the quick one, with many to the deep one. */
const PROPERTIES = filesNamed('.property.test.ts');

/** Files that load modules otherwise than the others do, or before anything else. Each gets a process of its own. */
const ISOLATED = [
  'mock/virtual-time/{fake-timers-first,restored,traps}.test.ts',
  'mock/{options/needs-node,clock/stalled-clock}.test.ts',
  'test/mock/{generators-fallback,static-imports}.test.ts',
];
/**
 * Files that change the process they run in, and put it back: its timers, globals and working directory. They share processes of their
 * own; all others share theirs. Sharing saves loading the mock some 220 times.
 */
const CHANGING = [
  'mock/virtual-time/**/*.test.ts',
  'conformance/in-tests/**/*.test.ts',
  'cli/{print,judging/interrupt}.test.ts',
  '{fixtures,test/support,test/docs}/**/*.test.ts',
  'mock/serve/msw.test.ts',
];

const deep = (patterns: readonly string[]) =>
  patterns.map((pattern) => pattern.replace(/\*?(?<!\.property)\.test\.ts$/, '*.deep.test.ts'));

/**
 * Deep tests that take longest, longest first. Without a cache of durations, as in CI, vitest begins with the largest files: one of
 * these would come last, and one core would wait for it.
 */
const LONGEST = [
  'test/independent/services',
  'test/docs/pages',
  'adapter/buggy-clients',
  'client/same-verdict',
  'test/independent/clients',
  'test/python/kit',
  'service/search/dialects',
  'service/search/needs',
  'cli/mcp/mcp',
  'independent/explored-races',
  'in-tests/describe-client',
  'explore/search/goals',
  'cli/conform',
  'service/dialect/',
  'cli/mcp/serve-on-mock',
  'service/search/long-logs',
  'in-tests/describe-conformance',
  'cli/adapters',
  'report/merge/',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((part) => moduleId.includes(part));
      return at === -1 ? LONGEST.length : at;
    };
    return (await super.sort(files)).toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

/** Tells at the end of the quick suite what it did not run. */
const leftToDeepSuite = {
  onTestRunEnd() {
    const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' });
    const count = files.filter((file) => /^(?!node_modules).*\.(deep|property)\.test\.ts$/.test(file)).length;
    console.log(
      `This was the quick suite. Left to "npm run test:all" (${count} test files and the package tests): every mutant, every choice of ` +
        'every dialect, long property runs, the examples on all pages, browsers, the packed package, the newest Node.js.',
    );
  },
};

/** `vitest run` is the quick suite, `vitest run --mode deep` all that takes long. */
export default defineConfig(({ mode }) => {
  const isDeep = mode === 'deep';
  /** A project gets all its options here: one that extends this file reads it again, in the mode "test". */
  const options = {
    // Adapters in Python need the kit.
    env: { TEST_DEPTH: isDeep ? 'deep' : 'quick', PYTHONPATH: join(import.meta.dirname, 'python') },
    // One more than there are cores, for which all this is made: half of the time a worker waits for a process or a clock.
    maxWorkers: 3,
    // Against tests that hang. On a busy machine a test takes many times what it takes on a quiet one.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    teardownTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
  };
  /** `included` and `excluded` name quick tests; in the deep suite they stand for the deep ones beside them. */
  const project = (
    name: string,
    isolate: boolean,
    included: readonly string[],
    excluded: readonly string[],
  ) => ({
    test: {
      ...options,
      ...{ name, isolate },
      include: isDeep ? deep(included) : [...included],
      exclude: [...(isDeep ? deep(excluded) : [...DEEP, ...excluded]), PACKAGE_TESTS],
    },
  });
  return {
    test: {
      projects: [
        project('isolated', true, ISOLATED, []),
        project('changing', false, CHANGING, ISOLATED),
        project('shared', false, [...filesNamed('.test.ts'), ...PROPERTIES], [...ISOLATED, ...CHANGING]),
      ],
      ...(isDeep ? { sequence: { sequencer: LongestFirst } } : {}),
      reporters: isDeep ? ['default'] : ['default', leftToDeepSuite],
      coverage: {
        provider: 'v8',
        include: ['index.ts', '{spec,scenarios,mock,conformance,cli}/**/*.ts'],
        exclude: ['**/*.test.ts', 'spec/generated/**', 'spec/generate/**'],
        reporter: ['text-summary', 'html'],
      },
    },
  };
});
