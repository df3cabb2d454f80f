/**
 * Calls the built `taskdouble mcp` and `/__mcp` of a mock with the Inspector of the Model Context Protocol: `npm run test:inspector`.
 * The Inspector needs a newer Node.js than this package, and has an install script: it is installed here, without running scripts. Exit
 * code 1 when a response is not the expected one.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findNodeBinary } from './node-binary.js';
import { createTemporary, ROOT } from './pack.js';

const INSPECTOR = '@modelcontextprotocol/inspector@2.12';
const MAIN = join(ROOT, 'dist/command/main.js');
const CLIENT = `node ${join(ROOT, 'fixtures/clients/buggy/lost-answer-is-failure.mjs')}`;
const SCENARIOS = 'scenarios=["races/reply-response-lost"]';

/** Arguments of the Inspector, and what its output has to contain. */
const CALLS: readonly [args: readonly string[], expected: RegExp][] = [
  [
    ['--method', 'tools/list'],
    /"name": "explore_client"[\s\S]*"resourceUri": "ui:\/\/taskdouble\/view.html"/,
  ],
  [['--method', 'resources/list'], /taskdouble:\/\/docs\/for-agents/],
  [['--method', 'resources/templates/list'], /taskdouble:\/\/reports\/\{report\}/],
  [['--method', 'prompts/list'], /make-this-client-robust/],
  [['--method', 'resources/read', '--uri', 'taskdouble://requirements'], /POLL-02 \(service, must\)/],
  [['--method', 'resources/read', '--uri', 'ui://taskdouble/view.html'], /text\/html;profile=mcp-app/],
  [call('explain', 'name=replies/same-again'), /CLIENT-02/],
  [call('check_client', SCENARIOS), /"verdict": "violations"[\s\S]*replies\/same-again/],
];

const { directory, clear } = createTemporary();
const binary = findNodeBinary('24');
const env = { ...process.env, PATH: `${dirname(binary)}:${process.env.PATH}` };
writeFileSync(join(directory, 'package.json'), '{"private": true}');
execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent', INSPECTOR], {
  cwd: directory,
  env,
  stdio: ['ignore', 'ignore', 'inherit'],
});
const mock = spawn(process.execPath, [MAIN, 'mock', '--port', '0', '--json', '--quiet', '--client', CLIENT], {
  cwd: directory,
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const [line] = await once(mock.stdout, 'data');
  const { base_url: baseUrl } = JSON.parse(String(line));
  const targets = {
    stdio: [process.execPath, MAIN, 'mcp', '--allow-command', CLIENT, '--'],
    http: [`${baseUrl}/__mcp`, '--transport', 'http'],
  };
  const failed = Object.entries(targets).flatMap(([name, target]) =>
    CALLS.filter(([args, expected]) => !inspect(name, target, args, expected)),
  );
  process.exitCode = failed.length > 0 ? 1 : 0;
} finally {
  mock.kill();
  clear();
}

function call(tool: string, argument: string): string[] {
  return ['--method', 'tools/call', '--tool-name', tool, '--tool-arg', argument];
}

function inspect(name: string, target: string[], args: readonly string[], expected: RegExp): boolean {
  const inspector = join(directory, 'node_modules/.bin/mcp-inspector');
  const { stdout, stderr } = spawnSync(binary, [inspector, '--cli', ...target, ...args], {
    cwd: directory,
    env,
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  });
  const isExpected = expected.test(stdout);
  process.stdout.write(`${isExpected ? 'passed' : 'FAILED'} ${name} ${args.join(' ')}\n`);
  if (!isExpected) process.stdout.write(`${stdout.slice(0, 2000)}${stderr.slice(0, 2000)}\n`);
  return isExpected;
}
