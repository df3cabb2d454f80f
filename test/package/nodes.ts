/**
 * Runs the quick suite under several versions of Node.js and says what came of each.
 *
 *     npm run test:nodes                              every version
 *     npm run test:nodes -- 24 26                     these versions
 *     npm run test:nodes -- 24 -- mock spec           what follows -- goes to vitest
 *     npm run test:nodes -- 26 --part                 of the suite what depends on the version most
 *
 * The binaries come from the npm package `node`. Exit code 1 when a version fails.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { findNodeBinary } from './node-binary.js';

const ROOT = join(import.meta.dirname, '../..');
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');

/** The oldest that package.json promises in its line of releases, and every line with support after it. */
const VERSIONS = ['20.20', '22', '24', '26'];

/** What rests on the platform most: timers, HTTP, processes, threads, WebAssembly, the loading of modules. */
const PART = [
  'mock/evaluate/',
  'mock/serve/',
  'mock/virtual-time/',
  'conformance/client/run/',
  'conformance/in-tests/',
  'conformance/proxy/',
  'conformance/service/http-client/',
  'cli/main.test.ts',
  'cli/mock/',
];

const given = process.argv.slice(2);
const end = given.indexOf('--');
const own = end === -1 ? given : given.slice(0, end);
const versions = own.filter((each) => each !== '--part');
const forVitest = own.includes('--part') ? PART : end === -1 ? [] : given.slice(end + 1);

const failed: string[] = [];
for (const version of versions.length > 0 ? versions : VERSIONS) {
  const binary = findNodeBinary(version);
  const exact = execFileSync(binary, ['--version'], { encoding: 'utf8' }).trim();
  process.stdout.write(`\n== Node.js ${exact}\n`);
  // First in PATH: what tests start as `node` or `npx` is of this version too.
  const env = { ...process.env, PATH: `${dirname(binary)}:${process.env.PATH}` };
  const { status } = spawnSync(binary, [VITEST, 'run', ...forVitest], { cwd: ROOT, env, stdio: 'inherit' });
  process.stdout.write(`== Node.js ${exact}: ${status === 0 ? 'passed' : 'FAILED'}\n`);
  if (status !== 0) failed.push(exact);
}
if (failed.length > 0) process.stdout.write(`\nFailed on Node.js ${failed.join(', ')}.\n`);
process.exitCode = failed.length > 0 ? 1 : 0;
