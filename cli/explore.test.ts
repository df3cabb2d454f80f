import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { FORMATS } from '../conformance/report/formats.js';
import type { ConformReport } from '../conformance/service/runner/result.js';
import { type CommandResult, endAll, RunningCommand, run } from '../test/support/cli/command.js';

const directory = mkdtempSync(join(tmpdir(), 'taskdouble-explore-'));
afterEach(endAll);
afterAll(() => rmSync(directory, { recursive: true }));

const inside = (name: string) => join(directory, name);
const clients = join(import.meta.dirname, '../fixtures/clients');
const GOOD = ['--function', join(clients, 'reference.mjs')];
/** Treats a lost response as a failure of the tool, and reports that to the service. */
const BUGGY_FILE = join(clients, 'buggy/lost-answer-is-failure.mjs');
const BUGGY = ['--function', BUGGY_FILE];
const ONE = ['--scenario', 'tool-calls/one-call', '--deviations', '1'];
/** Before a second failure is found. */
const FEW = ['--schedules', '20'];

const explore = (...args: string[]): Promise<CommandResult> => run(['explore', ...args], { cwd: directory });
const searched = ({ stdout }: CommandResult) => (JSON.parse(stdout) as ConformReport).searched!;

describe('taskdouble explore', () => {
  it('a good client: exit code 0, the bound in words and how it was run', async () => {
    const { code, stdout, stderr } = await explore(...GOOD, ...ONE, '--schedules', '65', '--out', 'good');
    expect(code, stdout + stderr).toBe(0);
    expect(stdout).toMatch(
      /Searched\n {2}Every schedule with at most 1 deviation of \d+ kinds over 1 scenario was run/,
    );
    expect(stdout).toContain('in virtual time (in process)');
    expect(stderr).toMatch(
      /reference\.mjs: 1 scenario, 65 schedules at most, time virtual \(in process\), seed 1/,
    );
    expect(stderr).toMatch(/65 of 65 schedules .*: \d+ distinct, \d+ not triggered, 0 failing; [\d.]+\/s/);
  });

  it('a buggy one: exit code 1, every report, files that reproduce it, also as a command, and a baseline', async () => {
    const formats = FORMATS.filter((format) => format !== 'pretty');
    const reports = formats.flatMap((each) => ['--report', `${each}=${inside(`all/r.${each}`)}`]);
    const { code, stdout, stderr } = await explore(...BUGGY, ...ONE, ...FEW, ...reports);
    expect(code, stdout + stderr).toBe(1);
    expect(readdirSync(inside('all'))).toHaveLength(formats.length);
    const { checks } = JSON.parse(readFileSync(inside('all/r.json'), 'utf8')) as ConformReport;
    const { id, again } = checks.find(({ outcome }) => outcome === 'failed')!;
    expect(stdout).toContain(`e.g. ${id}`);
    const [, file] = /--replay (\S+\.yaml) --function /.exec(again!)!;
    expect(readFileSync(inside(file!.replace(/yaml$/, 'md')), 'utf8')).toContain(
      '```mermaid\nsequenceDiagram',
    );

    const runs = inside(file!.replace(/yaml$/, 'runs.json'));
    const written = JSON.parse(readFileSync(runs, 'utf8'));
    expect(written).toMatchObject({ kind: 'race', again, good: { findings: [] } });
    const view = async () => {
      const seen = await run(['view', inside(file!), '--out', inside('race.html')]);
      expect(seen.code, seen.stderr).toBe(0);
      return { ...seen, page: readFileSync(inside('race.html'), 'utf8') };
    };
    expect((await view()).page).toContain('id="page-data">{"kind":"race",');
    rmSync(runs);
    const without = await view();
    expect(without.page).toContain('id="page-data">{"kind":"race-scenario",');
    expect(without.stderr).toContain(`this writes them: ${again!.replace(file!, inside(file!))}`);
    const replayed = await explore('--replay', file!, ...BUGGY);
    expect(replayed.code, replayed.stdout + replayed.stderr).toBe(1);
    expect(replayed.stderr).toContain('reproduced');
    const { bad, deviations, good } = written;
    expect(JSON.parse(readFileSync(runs, 'utf8'))).toMatchObject({
      bad,
      deviations,
      good: { lines: good.lines },
    });
    const command = await explore('--replay', file!, '--', 'node', BUGGY_FILE);
    expect(command.code, command.stdout + command.stderr).toBe(1);
    expect(command.stderr).toContain('reproduced');
    const fixed = await explore('--replay', file!, ...GOOD);
    expect(fixed.code, fixed.stdout).toBe(0);
    expect(fixed.stderr).toContain('not reproduced this time');

    const known = `- { check: '${id}', reason: being mended, expires: 2099-12-31 }\n`;
    writeFileSync(inside('known.yaml'), known);
    const passed = await explore(...BUGGY, ...ONE, ...FEW, '--baseline', 'known.yaml');
    expect(passed.code, passed.stdout).toBe(0);
    expect(passed.stdout).toContain('being mended');
    writeFileSync(inside('known.yaml'), known.replace(/'.*#/, "'*#"));
    const over = await explore(...BUGGY, ...ONE, ...FEW, '--baseline', 'known.yaml');
    expect(over.code, over.stdout).toBe(0);
    expect(over.stdout).toContain('being mended');
    writeFileSync(inside('known.yaml'), known.replace('2099', '2000'));
    const late = await explore(...BUGGY, ...ONE, ...FEW, '--baseline', 'known.yaml');
    expect(late.code).toBe(1);
    expect(late.stdout).toContain('expired on 2000-12-31');
  });

  it('lists one failure of each defect, and with --all-failures every one', async () => {
    const dies = ['--function', join(clients, 'buggy/poller-dies.mjs'), '--report', 'json'];
    const report = async (...flags: string[]) => {
      const { code, stdout, stderr } = await explore(...dies, ...ONE, '--schedules', '60', ...flags);
      expect(code, stderr).toBe(1);
      return JSON.parse(stdout) as ConformReport;
    };
    const few = await report();
    const all = await report('--all-failures');
    expect(few.failures).toHaveLength(few.causes.length);
    expect(all.causes).toHaveLength(few.causes.length);
    expect(all.failures!.length).toBeGreaterThan(few.failures!.length);
  });

  it('runs the part of --shard, and reports which', async () => {
    const part = async (shard: string) =>
      searched(await explore(...GOOD, ...ONE, '--schedules', '30', '--report', 'json', '--shard', shard));
    const first = await part('1/2');
    expect(first.shard).toEqual({ part: 1, of: 2 });
    expect(first.statement).toContain('part 1 of 2');
    expect((await part('2/2')).statement).toContain('part 2 of 2');
  });

  it.each([['SIGHUP', 129]] as const)(
    'a command in real time is ended by %s, and reports its results so far',
    async (signal, expected) => {
      const command = new RunningCommand(
        ['explore', '--time', 'real', '--out', inside('cut'), '--', 'node', BUGGY_FILE],
        {
          cwd: directory,
        },
      );
      await command.waitForOutput(/time real/);
      const { code, stdout, stderr } = await command.stop(signal);
      expect(code, stderr).toBe(expected);
      expect(stderr).toContain(': ending the client');
      expect(stdout).toContain('The run ended early: interrupted');
      expect(stdout).not.toContain('conforms');
    },
  );

  it('says how a command is run by what it starts', async () => {
    const few = ['--scenario', 'polling/one-shot', '--schedules', '2'];
    const { code, stdout, stderr } = await explore(
      ...few,
      '--',
      'node',
      join(clients, '../adapters/adapter.mjs'),
    );
    expect(code, stdout + stderr).toBe(0);
    expect(stderr).toContain('2 schedules at most, time virtual (Node.js), seed 1');
    expect(stdout).toContain('in virtual time (Node.js)');
  });

  it('a client that does nothing fails a scenario as it stands', async () => {
    const { code, stdout } = await explore(
      '--schedules',
      '10',
      '--scenario',
      'polling/one-shot',
      '--',
      'true',
    );
    expect(code, stdout).toBe(1);
    expect(stdout).toContain('polling/one-shot#run/requests');
    expect(stdout).toContain('The client sent no request in the unchanged scenario.');
  });

  it('a client that works in its first runs and then does nothing: exit code 3, and one line on why', async () => {
    const reference = pathToFileURL(join(clients, 'reference.mjs')).href;
    const program = `import { run as reference } from '${reference}';
let runs = 0;
export const run = async (...given) => (++runs > 5 ? undefined : reference(...given));
`;
    writeFileSync(inside('silent.mjs'), program);
    const { code, stdout } = await explore('--function', 'silent.mjs', ...ONE, '--schedules', '100');
    expect(code, stdout).toBe(3);
    expect(stdout).toContain('nothing could be tested');
    expect(stdout).toMatch(
      /In 9\d of 99 schedules with deviations the client did not send the changed requests/,
    );
    expect(stdout).not.toContain('conforms');
  });

  it('a scenario that no client can play one action at a time: exit code 3', async () => {
    const { code, stdout, stderr } = await explore('--scenario', 'sessions/two-actions-at-once', ...GOOD);
    expect(code).toBe(3);
    expect(stderr).toContain('one action at a time');
    expect(stdout).toContain('nothing could be tested');
  });

  it('takes the default scenarios by their names', async () => {
    const ended = await explore(...GOOD, '--scenario', 'sessions/ended-by-the-service', '--schedules', '5');
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.stderr).toContain('1 scenario, 5 schedules at most');
  });

  it('makes no directory where there is nothing to write', async () => {
    const { code } = await explore(
      ...GOOD,
      '--scenario',
      'polling/one-shot',
      '--deviations',
      '0',
      '--out',
      'none',
    );
    expect(code).toBe(0);
    expect(existsSync(inside('none'))).toBe(false);
  });
});

const file = (name: string, text: string) => {
  writeFileSync(inside(name), text);
  return name;
};
const empty = file('empty.mjs', 'export const answer = 42;\n');
const broken = file('broken.mjs', 'export default {\n');
const wrong = file('wrong.yaml', 'title: x\n');

/** The arguments after `explore`, and what the one line has to say. */
const MISTAKES: [args: string[], message: string, exitCode?: number][] = [
  [[], 'which client? Give its command behind --: npx taskdouble explore -- node client.mjs'],
  [['--', 'no-such-program'], 'the client cannot be started: no-such-program: there is no such program.', 3],
  [['--', './no-such-file'], './no-such-file: there is no such program.', 3],
  [
    ['--scenario', 'polling/one-shoot', '--', 'true'],
    'there is no scenario "polling/one-shoot"; did you mean "polling/one-shot"?',
  ],
  [['--scenario', 'one-shot', '--', 'true'], 'did you mean "polling/one-shot"?'],
  [['--scenario', 'gone.yaml', '--', 'true'], 'gone.yaml: expected a file'],
  [['--scenario', wrong, '--', 'true'], 'wrong.yaml:1:1:'],
  [['--schedules', '0', '--', 'true'], 'Expected a whole number from 1'],
  [['--deviations', '9', '--', 'true'], 'Expected a whole number from 0 to 4.'],
  [['--shard', '3/2', '--', 'true'], 'Expected PART/OF, such as 2/4'],
  [['--shard', '0/2', '--', 'true'], 'Expected PART/OF'],
  [['--time-limit', 'soon', '--', 'true'], 'Expected a duration above 0'],
  [['--time', 'slow', '--', 'true'], 'Allowed choices are auto, real, virtual.'],
  [['--jobs', '0', '--', 'true'], 'Expected a whole number from 1 to 64.'],
  [['--out', wrong, '--', 'true'], '--out: wrong.yaml is a file; name a directory.'],
  [['--report', 'jsno', '--', 'true'], '--report: expected one of pretty, json'],
  [['--function', 'gone.mjs'], '--function: gone.mjs: there is no such file.'],
  [['--function', empty], '--function: empty.mjs: expected a function as'],
  [['--function', broken], '--function: broken.mjs could not be loaded:'],
  [['--function', empty, '--', 'node', 'x y'], "--function: leave the command out (node 'x y')."],
  [['--function', empty, '--time', 'real'], '--time real: a function is run on virtual time'],
  [['--replay', 'gone.yaml', '--', 'true'], 'gone.yaml: expected a file'],
  [
    ['--replay', wrong, '--schedules', '5', '--time-limit', '5s', '--', 'true'],
    '--replay runs one file once: leave --schedules, --time-limit out.',
  ],
];

describe('usage errors of explore', () => {
  it.each(MISTAKES)('%j: one line on stderr, and its exit code', async (args, said, exitCode = 2) => {
    const { code, stdout, stderr } = await explore(...args);
    expect({ code, stdout }, stderr).toEqual({ code: exitCode, stdout: '' });
    expect(stderr).toContain(said);
    expect(stderr.trimEnd().split('\n'), stderr).toHaveLength(1);
  });
});
