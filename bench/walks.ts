/**
 * Prints how many files of product code a path goes through: those in which a function is called. `npm run walks -- --files` lists them.
 */
import { Session } from 'node:inspector/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { conform, explore, mockTarget, searchService } from '../conformance/index.js';
import { writeReports } from '../conformance/report/write.js';
import type { FetchFunction } from '../conformance/service/http-client/target.js';
import { createMock } from '../index.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PRODUCT = /^(spec|scenarios|mock|conformance|cli)\//;

const session = new Session();
session.connect();
await session.post('Profiler.enable');

async function listFiles(walk: () => Promise<unknown>): Promise<string[]> {
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await walk();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  const called = result.filter(({ functions }) =>
    // The first function is the module itself.
    functions.slice(1).some(({ ranges }) => ranges[0]!.count > 0),
  );
  const files = called
    .filter(({ url }) => url.startsWith('file:'))
    .map(({ url }) => relative(ROOT, fileURLToPath(url.replace(/\?.*/, ''))));
  return [...new Set(files)].filter((file) => PRODUCT.test(file)).sort();
}

const mock = createMock({ clock: 'manual' });
const createTask = () =>
  mock.fetch('http://mock.test/api/v1/task', {
    method: 'POST',
    headers: { apikey: 'walks', 'content-type': 'application/json' },
    body: '{"task": "Find tea"}',
  });
const target = mockTarget(mock);
const breakUsage: FetchFunction = async (input, init) => {
  const response = await target.fetch!(input, init);
  return String(input).endsWith('/usage') ? new Response('{}', { status: 201 }) : response;
};
const options = { ...target, apiKey: 'walks-key', concurrency: 1, seed: 1 };

async function run(): Promise<void> {
  const { run: client } = await import(new URL('../fixtures/clients/reference.mjs', import.meta.url).href);
  const walks: Record<string, { most: number; walk: () => Promise<unknown> }> = {
    'POST /task': { most: 30, walk: createTask },
    'a failing case, to its report': {
      most: 75,
      walk: async () => {
        const report = await conform({ ...options, fetch: breakUsage, only: ['resources/getUsage-answer*'] });
        await writeReports(report, [{ format: 'pretty' }], { write: () => true });
      },
    },
    'one schedule of explore': {
      most: 110,
      walk: () =>
        explore({ client: { kind: 'function', run: client }, scenarios: ['polling/one-shot'], schedules: 1 }),
    },
    'three generated sequences': { most: 120, walk: () => searchService({ ...options, sequences: 3 }) },
  };
  for (const { walk } of Object.values(walks)) await walk();
  for (const [name, { most, walk }] of Object.entries(walks)) {
    const files = await listFiles(walk);
    console.log(`${name.padEnd(32)}${String(files.length).padStart(4)} files (goal: at most ${most})`);
    if (process.argv.includes('--files')) console.log(files.map((file) => `  ${file}`).join('\n'));
  }
}

await run();
await mock.close();
