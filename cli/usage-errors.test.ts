import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { endAll, run, startMock } from '../test/support/cli/command.js';

const directory = mkdtempSync(join(tmpdir(), 'taskdouble-mistakes-'));
afterEach(endAll);
afterAll(() => rmSync(directory, { recursive: true }));

function file(name: string, text: string | Uint8Array): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

const brokenScenario = file(
  'broken.yaml',
  'title: x\nrequest: { task: x }\ntimeline:\n  - { service: finsh }\n',
);
const brokenYaml = file('syntax.yaml', 'title: x\n  bad: [\n');
const brokenFixtures = file('fixtures.yaml', 'organisation:\n  credit: 5\n');
const brokenDialect = file('dialect.yaml', 'choices:\n  auth.missing-kee: "401"\n');
const brokenNetwork = file('network.yaml', '- network: fail\n  status: many\n');
const notUtf8 = file('latin.yaml', new Uint8Array([0x74, 0x3a, 0x20, 0xff]));
const here = (path: string) => path.replace(/[.\\]/g, '\\$&');

/** The arguments, and what the one line has to say. */
const MISTAKES: [string[], string | RegExp][] = [
  [
    ['client', '--lacks', 'session', '--', 'node', 'x.mjs'],
    /--lacks: there is nothing named "session" to lack; did you mean sessions\?/,
  ],
  [
    ['conform', 'http://127.0.0.1:1', '--api-key', 'k', '--lacks', 'fountain'],
    /--lacks: there is nothing named "fountain" to lack; there are sessions, cancel, close, tools/,
  ],
  [['client', '--exclude', '*', '--', 'node', 'x.mjs'], /--exclude: no scenario is left to play/],
  [['check', brokenYaml, '--exclude', 'client#replys/*'], /--exclude: no check fits "client#replys\/\*"/],
  [['mcp', '--allow-command', 'node "x'], /'node "x' is invalid\. Expected a command line/],
  [['mcp', '--allow-command', ''], /Expected a command line/],
  [['mcp', '--allow-service', '127.0.0.1:8000'], /Expected an address such as http:/],
  [['moc'], /unknown command 'moc' \(Did you mean mock\?\)/],
  [['xyzzy'], /unknown command 'xyzzy' \(see "npx taskdouble --help"\)/],
  [['--prot'], /unknown option '--prot'/],
  [['mock', '--prot', '1'], /unknown option '--prot' \(Did you mean --port\?\)/],
  [['mock', 'extra'], /too many arguments/],
  [['mock', '--port'], /argument missing/],
  [['mock', '--port', 'abc'], /'abc' is invalid\. Expected a whole number from 0 to 65535/],
  [['mock', '--port', '65536'], /Expected a whole number from 0 to 65535/],
  [['mock', '--port', '-1'], /Expected a whole number|unknown option|argument missing/],
  [['mock', '--port', '1e3'], /Expected a whole number/],
  [['mock', '--seed', 'x'], /Expected a whole number/],
  [['mock', '--clock', 'fast'], /Allowed choices are real, manual, skipping/],
  [['mock', '--speed', '0'], /Expected a number above 0/],
  [['mock', '--speed', 'NaN'], /Expected a number above 0/],
  [['mock', '--speed', '2', '--clock', 'manual'], /--speed is for the real clock, and --clock is manual/],
  [['mock', '--rate-limit', '5/m'], /Expected requests a second/],
  [['mock', '--max-exchanges', '0'], /Expected a whole number from 1/],
  [['mock', '--max-finished-tasks', 'all'], /Expected a whole number from 1/],
  [['mock', '--admin-token', ''], /Expected a key or token/],
  [['mock', '--host', '203.0.113.7'], /203\.0\.113\.7 is no address of this machine/],
  [
    ['mock', '--scenarios', brokenScenario],
    new RegExp(`${here(brokenScenario)}:4:\\d+: .*did you mean finish\\?`),
  ],
  [['mock', '--scenarios', brokenYaml], new RegExp(`${here(brokenYaml)}:\\d+:\\d+: not valid YAML`)],
  [['mock', '--scenarios', notUtf8], new RegExp(`${here(notUtf8)}:1:4: expected UTF-8`)],
  [
    ['mock', '--scenarios', join(directory, 'gone')],
    /gone: expected a file or directory, found nothing there/,
  ],
  [
    ['mock', '--fixtures', brokenFixtures],
    new RegExp(`${here(brokenFixtures)}:2:3: unknown key "credit" in organisation; did you mean credits\\?`),
  ],
  [['mock', '--fixtures', directory], /expected a file, found a directory/],
  [
    ['mock', '--dialect', brokenDialect],
    new RegExp(`${here(brokenDialect)}:2:3: .*did you mean auth.missing-key\\?`),
  ],
  [['mock', '--dialect', 'stict'], 'there is no dialect "stict"; did you mean "strict"?'],
  [['mock', '--network', brokenNetwork], new RegExp(`${here(brokenNetwork)}:2:11: `)],
  [['mock', '--network', 'fial 503'], /--network:1:1: .*did you mean fail\?/],
  [
    ['mock', '--journal', join(brokenScenario, 'x.jsonl')],
    /x\.jsonl cannot be written: what stands above it/,
  ],
  [['mock', '--clock', 'manul'], /Allowed choices are real, manual, skipping\. \(Did you mean manual\?\)/],
  [['help', 'moc'], 'help: there is no command "moc"; did you mean mock?'],
  [
    ['client', '--scenario', 'rces/*', '--', 'true'],
    'there is no scenario "rces/*"; did you mean "races/*"?',
  ],
  [['check', '--only', 'repies/*', 'x.har'], '--only: no check fits "repies/*"; did you mean "*#replies/*"?'],
  [['new', 'scenaro', 'x'], /unknown command 'scenaro' \(Did you mean scenario\?\)/],
  [['completion', 'bas'], /\(Did you mean bash\?\)/],
  [['scenarios', 'lst'], /unknown command 'lst'.*Did you mean list/],
  [
    ['scenarios', 'draw', 'tool-calls/corrected-inpt'],
    'there is no scenario "tool-calls/corrected-inpt"; did you mean "tool-calls/corrected-input"?',
  ],
  [['scenarios', 'draw'], /missing required argument 'name\|file'/],
  [['scenarios', 'list', brokenScenario], new RegExp(`${here(brokenScenario)}:4:`)],
];

describe('a mistake of the person at the keyboard', () => {
  it.each(MISTAKES)('%j: one line on stderr, exit code 2', async (args, said) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    const lines = stderr.trimEnd().split('\n');
    expect(lines, stderr).toHaveLength(1);
    if (typeof said === 'string') expect(lines[0]).toContain(said);
    else expect(lines[0]).toMatch(said);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('of a port that is taken says so', async () => {
    const { port } = await startMock();
    const { code, stderr } = await run(['mock', '--port', String(port)]);
    expect(code).toBe(2);
    expect(stderr).toBe(
      `taskdouble: port ${port} on 127.0.0.1 is taken: choose one with --port, or any free one with --port 0.\n`,
    );
  });

  it('of no command at all shows the help on stderr', async () => {
    for (const args of [[], ['scenarios']]) {
      const { code, stdout, stderr } = await run(args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/^Usage: taskdouble/);
    }
  });
});
