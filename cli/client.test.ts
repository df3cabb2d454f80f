import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { FORMATS } from '../conformance/report/formats.js';
import type { ConformReport } from '../conformance/service/runner/result.js';
import { fromHar } from '../mock/exchange/readers/har-reader.js';
import { type CommandResult, endAll, RunningCommand, run } from '../test/support/cli/command.js';

const directory = mkdtempSync(join(tmpdir(), 'taskdouble-client-'));
afterEach(endAll);
afterAll(() => rmSync(directory, { recursive: true }));

const inside = (name: string) => join(directory, name);
const fixtures = join(import.meta.dirname, '../fixtures');
const GOOD = ['--', 'node', join(fixtures, 'adapters/adapter.mjs')];
const BUGGY = ['--', 'node', join(fixtures, 'clients/buggy/own-reply-id.mjs')];
const ONE = ['--scenario', 'polling/one-shot'];
const CALL = ['--scenario', 'tool-calls/one-call'];

const client = (...args: string[]): Promise<CommandResult> => run(['client', ...args], { cwd: directory });
const reportOf = ({ stdout }: CommandResult) => JSON.parse(stdout) as ConformReport;
const failed = (ended: CommandResult) =>
  reportOf(ended)
    .checks.filter(({ outcome }) => outcome === 'failed')
    .map(({ id }) => id);
const file = (name: string, text: string) => {
  writeFileSync(inside(name), text);
  return name;
};

describe('taskdouble client', () => {
  it('a good client: exit code 0, and how it was run', async () => {
    const { code, stdout, stderr } = await client(...ONE, ...CALL, ...GOOD);
    expect(code, stdout + stderr).toBe(0);
    expect(stdout).toMatch(/adapter\.mjs conforms: 0 failed, \d+ passed/);
    expect(stdout).toContain('seed 1, in real time');
    expect(stderr).toContain(`adapter.mjs: 2 scenarios, in real time, seed 1`);
  });

  it('a buggy one: exit code 1, the finding that names its bug, the command that reproduces it, every report', async () => {
    const formats = FORMATS.filter((format) => format !== 'pretty');
    const reports = formats.flatMap((each) => ['--report', `${each}=${inside(`all/r.${each}`)}`]);
    // In virtual time its hang costs nothing.
    const virtual = ['--time', 'virtual', ...CALL];
    const { code, stdout, stderr } = await client(
      ...virtual,
      ...reports,
      '--har',
      inside('all/run.har'),
      ...BUGGY,
    );
    expect(code, stdout).toBe(1);
    // The report has it.
    expect(stderr).not.toContain('✗');
    expect(stdout).toContain(
      '✗ A reply carried no id of a call. (replies/call-id, TOOL-04; explains all 2 failures)',
    );
    expect(stdout).toMatch(/See it again: .*taskdouble client --scenario tool-calls\/one-call .*-- node /);
    expect(readdirSync(inside('all'))).toHaveLength(formats.length + 1);
    const har = readFileSync(inside('all/run.har'), 'utf8');
    expect(fromHar(har).length).toBeGreaterThan(3);
  });

  it('plays a scenario of a file, and a client of another language', async () => {
    file(
      'mine.yaml',
      'title: My own\nrequest: { task: Say hello. }\ntimeline: [{ service: finish, output: hello, after: 1 poll }]\n',
    );
    const ended = await client(
      '--scenario',
      'mine.yaml',
      '--report',
      'json',
      '--',
      'python3',
      join(fixtures, 'adapters/adapter.py'),
    );
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    expect(reportOf(ended).checks.map(({ id, suite }) => [id, suite])).toContainEqual(['mine#line', 'own']);
  });

  it('says why a scenario is passed over, and that nothing was tested where none is left', async () => {
    const { code, stdout } = await client('--scenario', 'sessions/two-actions-at-once', ...GOOD);
    expect(stdout).toContain('one action at a time');
    expect(stdout).toContain('nothing could be tested');
    expect(code).toBe(3);
  });

  it('replaces {base_url} in arguments, and hands over the job', async () => {
    file(
      'args.mjs',
      `import { writeFileSync } from 'node:fs';
      const { TASKDOUBLE_BASE_URL: base, TASKDOUBLE_SCENARIO: scenario, TASKDOUBLE_JOB: job } = process.env;
      if (scenario === 'polling/one-shot')
        writeFileSync('given.json', JSON.stringify({ args: process.argv.slice(2), base, job: JSON.parse(job) }));
      process.exit(0);\n`,
    );
    const ended = await client(...ONE, '--', 'node', 'args.mjs', '--url={base_url}/x', '{base}');
    expect(ended.code, ended.stdout + ended.stderr).toBe(1);
    const { args, base, job } = JSON.parse(readFileSync(inside('given.json'), 'utf8'));
    expect(base).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(args).toEqual([`--url=${base}/x`, '{base}']);
    expect(job).toMatchObject({ request: { task: expect.any(String) }, tools: {}, actions: [], close: null });
  });

  it.each([
    ['SIGINT', 130],
    ['SIGHUP', 129],
  ] as const)(
    'is ended by %s, with what is known so far, and leaves no process',
    async (signal, expected) => {
      const pid = `pid-${signal}`;
      file(
        'sleeper.mjs',
        `import { renameSync, writeFileSync } from 'node:fs';
      writeFileSync('pid.tmp', String(process.pid));
      renameSync('pid.tmp', '${pid}');
      setInterval(() => {}, 1000);\n`,
      );
      const changes = watch(directory);
      const command = new RunningCommand(['client', ...ONE, ...CALL, '--', 'node', 'sleeper.mjs'], {
        cwd: directory,
      });
      for await (const _ of changes) if (existsSync(inside(pid))) break;
      const { code, stdout, stderr } = await command.stop(signal);
      expect(code, stderr).toBe(expected);
      expect(stderr).toContain(': ending the client');
      expect(stdout).toContain('The run ended early: interrupted');
      expect(stdout).not.toContain(' conforms');
      expect(() => process.kill(Number(readFileSync(inside(pid), 'utf8')), 0)).toThrow('ESRCH');
    },
  );
});

describe('where the terminal is closed', () => {
  it('the report is written all the same, and the end is that of SIGHUP', () => {
    const main = join(import.meta.dirname, '../dist/command/main.js');
    const sleeper = file('patient.mjs', 'setInterval(() => {}, 1000);\n');
    const line = [
      process.execPath,
      main,
      'client',
      ...CALL,
      '--report',
      'json=hung-up.json',
      '--',
      'node',
      sleeper,
    ];
    file(
      'terminal.py',
      `import fcntl, os, pty, subprocess, sys, termios
master, terminal = pty.openpty()
own = lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0)
command = subprocess.Popen(sys.argv[1:], stdin=terminal, stdout=terminal, stderr=terminal, start_new_session=True, preexec_fn=own)
os.close(terminal)
said = b''
while b'seed' not in said: said += os.read(master, 1000)
os.close(master)
print(command.wait())
`,
    );
    const { stdout, stderr } = spawnSync('python3', ['terminal.py', ...line], {
      cwd: directory,
      encoding: 'utf8',
    });
    expect({ stdout, stderr }).toEqual({ stdout: '-1\n', stderr: '' });
    expect(JSON.parse(readFileSync(inside('hung-up.json'), 'utf8')).stopped).toBe('interrupted');
  });
});

describe('a client that misbehaves: a finding, exit code 1', () => {
  const flood = "import { writeSync } from 'node:fs';\nfor (;;) writeSync(1, 'x'.repeat(65536));\n";
  const child = `import { spawn } from 'node:child_process';
    spawn('sleep', ['600'], { stdio: 'ignore', detached: false }).unref();
    console.log('{}');\n`;
  it.each([
    ['does nothing', '', ['#run/requests']],
    ['floods stdout', flood, ['#run/flooded']],
    ['prints no JSON', 'console.log("all fine");\n', ['#line/missing', '#run/requests']],
    ['never ends', 'setInterval(() => {}, 1000);\n', ['#run/ended', '#run/requests']],
    ['leaves a child behind', child, ['#run/left-behind']],
    [
      'ignores the address',
      'await fetch("http://127.0.0.1:9/api/v1/task").catch(() => {}); console.log("{}");\n',
      ['#run/requests'],
    ],
  ])('%s', async (name, text, wanted) => {
    const program = file(`${name.replaceAll(' ', '-')}.mjs`, text);
    const timeout = wanted.includes('#run/ended') ? ['--timeout', '1s'] : [];
    const ended = await client(...ONE, ...timeout, '--report', 'json', '--', 'node', program);
    expect(ended.code, ended.stdout + ended.stderr).toBe(1);
    const ids = failed(ended).map((id) => id.replace('polling/one-shot', ''));
    expect(ids.length).toBeGreaterThan(0);
    expect(ids).toEqual(expect.arrayContaining(wanted));
  });
});

it('a client that crashes at once: one sentence with its error, exit code 3', async () => {
  file('crash.mjs', 'throw new Error("no such module");\n');
  const { code, stdout } = await client('--', 'node', 'crash.mjs');
  expect(code).toBe(3);
  expect(stdout).toBe(
    'node crash.mjs: nothing could be tested: the command ended at once with exit code 1, before any request. Error: no such module. Run it by itself first.\n',
  );
});

/** The arguments after `client`, and what the one line has to say. */
const MISTAKES: [args: string[], message: string, exitCode?: number][] = [
  [[], 'which client? Give its command behind --: npx taskdouble client -- node client.mjs'],
  [['--', 'no-such-program'], 'the client cannot be started: no-such-program: there is no such program.', 3],
  [['--', directory], `${directory}: it is no program. Make it executable`, 3],
  [['--scenario', 'race/*', '--', 'true'], 'there is no scenario "race/*"'],
  [['--scenario', 'gone.yaml', '--', 'true'], 'gone.yaml: expected a file'],
  [['--timeout', 'soon', '--', 'true'], 'Expected a duration above 0'],
  [['--jobs', '0', '--', 'true'], 'Expected a whole number from 1 to 64.'],
  [['--time', 'slow', '--', 'true'], 'Allowed choices are auto, real, virtual.'],
  [['--report', 'jsno', '--', 'true'], '--report: expected one of pretty, json'],
  [['--har', '.', '--', 'true'], '--har: . cannot be written: it is a directory'],
  [['--baseline', 'gone.yaml', '--', 'true'], 'gone.yaml: expected a file or directory'],
  [['--seed', 'x', '--', 'true'], 'Expected a whole number'],
  [['--scenaro', 'x', '--', 'true'], "unknown option '--scenaro' (Did you mean --scenario?)"],
];

describe('usage errors of client', () => {
  it.each(MISTAKES)('%j: one line on stderr, and its exit code', async (args, said, exitCode = 2) => {
    const { code, stdout, stderr } = await client(...args);
    expect({ code, stdout }, stderr).toEqual({ code: exitCode, stdout: '' });
    expect(stderr).toContain(said);
    expect(stderr.trimEnd().split('\n'), stderr).toHaveLength(1);
  });
});
