/**
 * Runs the checks of MSW against its version 3, which needs a newer Node.js than this package does, and the demo page
 * with it where there is a Chromium.
 *
 *     npm run test:msw3
 *
 * Packs the package, installs it beside msw@3 in a directory of its own, and runs Node.js 24 from the npm package `node`.
 * Exit code 1 when something fails.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium as playwright } from 'playwright-core';
import { browserRequired, chromium } from '../support/report/browser.js';
import { serveDirectory } from '../support/static-server.js';
import { createTemporary, pack, ROOT } from './pack.js';

const PROGRAM = `
import { setupServer } from 'msw/node';
import { createMock } from 'taskdouble';
import { handlers } from 'taskdouble/msw';
import { MSW_CHECKS } from './checks.ts';

const server = setupServer();
server.listen({ onUnhandledFrame: 'error' });
let failed = 0;
for (const [name, check] of Object.entries(MSW_CHECKS)) {
  try {
    await check({ server, createMock, handlers });
    console.log('ok      MSW ' + name);
  } catch (error) {
    failed++;
    console.log('FAILED  MSW ' + name, error);
  } finally {
    server.resetHandlers();
  }
}
server.close();
console.log(process.version + ': ' + failed + ' of ' + Object.keys(MSW_CHECKS).length + ' failed');
process.exit(failed > 0 ? 1 : 0);
`;

const TYPES = `
import { setupWorker } from 'msw/browser';
import { setupServer } from 'msw/node';
import { createMock } from 'taskdouble';
import { handlers } from 'taskdouble/msw';

const own = handlers(createMock(), { baseUrl: 'https://service.example' });
setupServer(...own).use(...own);
setupWorker(...own).use(...own);
`;

const TSCONFIG = JSON.stringify({
  compilerOptions: {
    strict: true,
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
    skipLibCheck: true,
    noEmit: true,
  },
  files: ['types.ts'],
});

const { directory, clear } = createTemporary();
let failures = 0;

function runStep(name: string, command: string, ...args: string[]): void {
  process.stdout.write(`\n== ${name}\n`);
  const { status } = spawnSync(command, args, { cwd: directory, stdio: 'inherit' });
  process.stdout.write(`== ${name}: ${status === 0 ? 'passed' : 'FAILED'}\n`);
  if (status !== 0) failures++;
}

try {
  const { tarball } = pack(directory);
  writeFileSync(join(directory, 'package.json'), '{ "private": true, "type": "module" }\n');
  const quiet = [
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--engine-strict=false',
    '--loglevel',
    'error',
  ];
  execFileSync('npm', ['install', ...quiet, tarball, 'msw@3'], { cwd: directory, stdio: 'inherit' });
  const { version } = JSON.parse(readFileSync(join(directory, 'node_modules/msw/package.json'), 'utf8'));
  process.stdout.write(`msw ${version}\n`);

  cpSync(join(ROOT, 'test/support/serve/msw-checks.ts'), join(directory, 'checks.ts'));
  writeFileSync(join(directory, 'run.ts'), PROGRAM);
  const node = execFileSync('npx', ['-y', 'node@24', '-p', 'process.execPath'], { encoding: 'utf8' }).trim();
  runStep('the checks of MSW in Node.js 24', node, '--disable-warning=ExperimentalWarning', 'run.ts');

  for (const name of ['vite'])
    symlinkSync(join(ROOT, 'node_modules', name), join(directory, 'node_modules', name));
  writeFileSync(join(directory, 'types.ts'), TYPES);
  writeFileSync(join(directory, 'tsconfig.json'), TSCONFIG);
  runStep(
    'the types of handlers',
    process.execPath,
    join(ROOT, 'node_modules/typescript/bin/tsc'),
    '-p',
    '.',
  );

  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  cpSync(join(ROOT, 'fixtures/browser-demo'), join(directory, 'demo'), { recursive: true });
  runStep('the demo page, built', process.execPath, vite, 'build', 'demo', '--logLevel', 'warn');
  if (chromium !== undefined) await runDemo(join(directory, 'demo/dist'));
  else if (browserRequired) failures++;
  else process.stdout.write('No Chromium here: the demo page is built and not looked at.\n');
} finally {
  clear();
}
process.exitCode = failures > 0 ? 1 : 0;

/** A task with a tool call, offline, through the service worker. */
async function runDemo(built: string): Promise<void> {
  const server = await serveDirectory(built);
  const browser = await playwright.launch({ executablePath: chromium!, args: ['--no-sandbox'] });
  try {
    const context = await browser.newContext();
    const page = await context.newPage();
    const said: string[] = [];
    page.on('pageerror', (error) => said.push(String(error)));
    await page.goto(server.origin);
    await page.locator('#service[data-status=ready]').waitFor();
    await context.setOffline(true);
    await page.locator('#start').click();
    await page.locator('#call').waitFor();
    await page.getByRole('button', { name: 'Answer' }).click();
    await page.locator('#status[data-status=done]').waitFor();
    if (said.length > 0) throw new Error(said.join('\n'));
    process.stdout.write('== the demo page in Chromium, offline: passed\n');
  } catch (error) {
    failures++;
    process.stdout.write(`== the demo page in Chromium, offline: FAILED\n${error}\n`);
  } finally {
    await browser.close();
    await server.close();
  }
}
