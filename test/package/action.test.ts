import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { FORMATS } from '../../conformance/report/formats.js';
import { createMock } from '../../index.js';
import { endChildren } from '../support/children.js';
import { Project } from './project.js';
import { action, runAction } from './runner.js';

/** action.yml, its steps run as a runner of GitHub runs them, in a project that has installed the package. */
let project: Project;
/** In the order of their names. */
const REPORTS = [
  'badge.svg',
  'brief.json',
  'codequality.json',
  'ctrf.json',
  'junit.xml',
  'report.html',
  'report.json',
  'report.md',
  'report.sarif',
  'report.tap',
];

const mock = createMock();
let baseUrl: string;

beforeAll(async () => {
  project = new Project({ tarball: inject('packed').tarball, type: 'module' });
  ({ baseUrl } = await mock.listen());
});
afterEach(endChildren);
afterAll(async () => {
  await mock.close();
  project.clear();
});

const CLIENTS = 'node_modules/taskdouble/fixtures/clients';
const conform = () => ({
  mode: 'conform',
  target: baseUrl,
  'api-key': 'the-key-of-the-team',
  args: "--only 'auth/listProfiles*' --seed 1",
});
const client = (command: string) => ({ mode: 'client', client: command, scenarios: 'polling/one-shot' });
const inProject = (path: string) => join(project.directory, path);

describe('the action', () => {
  it('is in the package, where a job that has installed it finds it', () => {
    expect(parse(readFileSync(inProject('node_modules/taskdouble/action.yml'), 'utf8'))).toEqual(action);
  });

  it('judges a service: exit code, counts, reports, summary, artifact', async () => {
    const run = await runAction(project.directory, {
      ...conform(),
      suites: 'auth',
      allow: 'billing organisation',
      reports: FORMATS.filter((format) => format !== 'pretty').join('\n'),
    });
    expect(run.code, run.log).toBe(0);
    expect(run.outputs['exit-code']).toBe('0');
    expect(Number(run.outputs['passed'])).toBeGreaterThan(0);
    expect(run.outputs['failed']).toBe('0');
    expect(run.summary).toContain(' conforms');
    expect(readdirSync(inProject('taskdouble-report')).sort()).toEqual(REPORTS);
    const [[name, artifact]] = Object.entries(run.used) as [[string, Record<string, string>]];
    expect(name).toMatch(/^actions\/upload-artifact@v\d+$/);
    expect(join(artifact['path']!)).toBe('taskdouble-report');
    const written = REPORTS.map((file) => readFileSync(inProject(`taskdouble-report/${file}`), 'utf8'));
    expect([run.log, run.summary, ...written].join('\n')).not.toContain('the-key-of-the-team');
  });

  it('takes the key of the job where it is given none', async () => {
    const before = mock.journal({ key: 'key-of-the-job' }).length;
    const env = { TASKDOUBLE_API_KEY: 'key-of-the-job' };
    const { code, log } = await runAction(project.directory, { ...conform(), 'api-key': '' }, env);
    expect(code, log).toBe(0);
    expect(mock.journal({ key: 'key-of-the-job' }).length).toBeGreaterThan(before);
  });

  it('judges a client', async () => {
    const { code, log, outputs, summary } = await runAction(
      project.directory,
      client(`node ${CLIENTS}/reference.mjs`),
    );
    expect(code, log).toBe(0);
    expect(Number(outputs['passed'])).toBeGreaterThan(0);
    expect(summary).toContain('reference.mjs conforms');
  });

  it('fails where a rule is broken, and keeps the reports', async () => {
    const run = await runAction(project.directory, {
      ...client(`node ${CLIENTS}/buggy/waits-for-completed.mjs`),
      args: '--timeout 2s',
      'report-directory': 'kept',
    });
    expect(run.code, run.log).toBe(1);
    expect(run.outputs['exit-code']).toBe('1');
    expect(Number(run.outputs['failed'])).toBeGreaterThan(0);
    expect(run.summary).toContain('does not conform');
    expect(run.log).toMatch(
      /\n::error title=The [^\n]*\.::It explains \d of \d failures?, for example polling\/one-shot#/,
    );
    expect(readdirSync(inProject('kept'))).toContain('report.html');
    // The artifact is kept whatever came of the run, and before the step that fails.
    const [judge, upload, verdict] = action.runs.steps;
    expect(upload!.if).toContain('always()');
    expect([judge!.id, verdict!.run]).toEqual(['judge', 'exit "$CODE"']);
  });

  it('searches a client for races, and keeps what it finds', async () => {
    const run = await runAction(project.directory, {
      ...client(`node ${CLIENTS}/buggy/trusts-event-t.mjs`),
      mode: 'explore',
      scenarios: 'tool-calls/one-call',
      args: '--schedules 40',
      'report-directory': 'explored',
    });
    expect(run.code, run.log).toBe(1);
    expect(run.log).toMatch(/\n::error title=The tool ran twice when .*::It explains .*%0Aline\/tool-runs/);
    expect(run.summary).toContain('does not conform');
    expect(readdirSync(inProject('explored/races')).some((file) => file.endsWith('.yaml'))).toBe(true);
  });

  it('annotates each cause, and lets nothing in a report pass for a command', async () => {
    const evil = '100%\r\n::error::not this\u001b[2J, a: b';
    project.write(
      'hostile/node_modules/.bin/taskdouble',
      `#!/usr/bin/env node
const shared = { requirements: ['POLL-02'], rule: 'r', operation: null, example: 'a/b#POLL-02' };
const causes = Array.from({ length: 12 }, (_, n) => ({ id: 'c' + n + ${JSON.stringify(evil)}, title: ${JSON.stringify(evil)}, explains: 1, checks: ['a/b#' + n], ...shared }));
const checks = causes.map(({ checks: [id] }, n) => ({ id, outcome: 'failed', ...(n === 1 && { known: {} }) }));
const summary = { passed: 0, failed: 12, inconclusive: 0, skipped: 0 };
require('node:fs').writeFileSync('taskdouble-report/report.json', JSON.stringify({ causes, checks, summary }));
process.exitCode = 1;
`,
    );
    project.run('chmod', '+x', 'hostile/node_modules/.bin/taskdouble');
    const { log, code } = await runAction(inProject('hostile'), conform());
    expect(code, log).toBe(1);
    const annotations = log.split(/\r?\n/).filter((line) => line.startsWith('::error'));
    expect(annotations).toHaveLength(10);
    expect(annotations[0]).toBe(
      '::error title=100%25%0D%0A%3A%3Aerror%3A%3Anot this [2J%2C a%3A b::It explains 1 of 12 failures, for example a/b#POLL-02%0Ac0100%25%0D%0A::error::not this [2J, a: b, POLL-02',
    );
    expect(annotations.join()).not.toContain('%0Ac1100');
  });

  it('says why there is no report', async () => {
    const nowhere = { ...conform(), target: 'http://127.0.0.1:1' };
    expect((await runAction(project.directory, nowhere)).code).toBe(3);
    const unknown = await runAction(project.directory, { ...conform(), suites: 'no-such-suite' });
    expect([unknown.code, unknown.outputs['passed']]).toEqual([2, '']);
    expect(unknown.summary).toContain('exit code 2');
  });

  it.each([
    [{ mode: 'judge' }, 'mode: expected conform, client or explore'],
    [{ target: '' }, 'target: expected the {base_url}'],
    [{ reports: 'word' }, 'reports: expected a list of json, '],
    [{ strict: 'yes' }, 'strict: expected true or false'],
    [{ args: "--only 'auth" }, 'args: a quote is not closed'],
    [{ 'report-directory': '' }, 'report-directory: expected'],
    [{ mode: 'client' }, 'client: expected a command line'],
  ])('refuses %j', async (inputs, message) => {
    const { code, log, summary } = await runAction(project.directory, { ...conform(), ...inputs });
    expect(code).toBe(2);
    expect(log).toContain(`::error title=taskdouble::${message}`);
    expect(summary).toContain(message);
  });

  it('keeps no report of an earlier step as one of its own', async () => {
    for (const name of [...REPORTS, 'notes.txt']) project.write(`shared/${name}`, 'old');
    const wrong = { ...conform(), 'report-directory': 'shared', args: '--no-such-option' };
    expect((await runAction(project.directory, wrong)).code).toBe(2);
    expect(readdirSync(inProject('shared'))).toEqual(['notes.txt']);
  });

  it('runs a part, by number or as the matrix of the job says', async () => {
    const shard = { ...client(`node ${CLIENTS}/reference.mjs`), scenarios: 'polling/* auth/*', args: '' };
    const second = await runAction(project.directory, { ...shard, shard: '2/30' });
    expect(second.code, second.log).toBe(0);
    const env = { 'strategy.job-index': '1', 'strategy.job-total': '30' };
    const auto = await runAction(project.directory, { ...shard, shard: 'auto' }, {}, env);
    expect(auto.outputs).toEqual(second.outputs);
    const { shard: part } = JSON.parse(readFileSync(inProject('taskdouble-report/report.json'), 'utf8'));
    expect(part).toEqual({ part: 2, of: 30 });
  });

  describe('away from the project, where no directory above has it', () => {
    const createAway = () => {
      const away = mkdtempSync(join(tmpdir(), 'taskdouble-away-'));
      onTestFinished(() => rmSync(away, { recursive: true }));
      return away;
    };

    it('fetches nothing by its name', async () => {
      const away = createAway();
      const { code, log, outputs } = await runAction(away, conform(), { GITHUB_ACTION_PATH: away });
      expect([code, outputs['exit-code']]).toEqual([2, '2']);
      expect(log).toContain('::error title=taskdouble::taskdouble is not installed here, and the checkout');
    });

    it('runs the package that it is part of, and says so', async () => {
      const path = inProject('node_modules/taskdouble');
      const { code, log } = await runAction(createAway(), conform(), { GITHUB_ACTION_PATH: path });
      expect(code, log).toBe(0);
      expect(log).toContain(`Running node ${path}/dist/command/main.js\n`);
    });

    it('runs the file that it is given', async () => {
      const away = createAway();
      const main = inProject('node_modules/taskdouble/dist/command/main.js');
      writeFileSync(join(away, 'taskdouble.mjs'), `await import(${JSON.stringify(main)});\n`);
      const given = { ...conform(), taskdouble: 'taskdouble.mjs' };
      const { code, log } = await runAction(away, given, { GITHUB_ACTION_PATH: away });
      expect(code, log).toBe(0);
      expect(log).toContain('Running node taskdouble.mjs\n');
      const missing = await runAction(away, { ...given, taskdouble: 'gone' });
      expect(missing.code).toBe(2);
      expect(missing.log).toContain('::error title=taskdouble::taskdouble: there is no file gone.');
    });
  });
});

describe('inputs of the action', () => {
  /** What a shell would run, as it stands and after the end of a quotation. */
  const EVIL = `a $(touch HARMED) \`touch HARMED\`; touch HARMED && touch HARMED
b "'; touch HARMED #\n" ; touch HARMED\n::set-output name=x::y`;

  it('are all read, and by the environment alone', () => {
    for (const { run = '' } of action.runs.steps) expect(run).not.toContain('${{');
    const used = JSON.stringify(action.runs.steps);
    for (const name of Object.keys(action.inputs)) expect(used).toContain(`inputs.${name}`);
  });

  it.each(Object.keys(action.inputs))('%s is never run by the shell', async (name) => {
    const inputs = name === 'client' || name === 'scenarios' ? client('node client.mjs') : conform();
    await runAction(project.directory, { ...inputs, [name]: EVIL });
    const files = readdirSync(project.directory, { recursive: true, encoding: 'utf8' });
    expect(files.filter((file) => basename(file) === 'HARMED')).toEqual([]);
  });

  it('keep quotes, spaces and dollars where they mean something', async () => {
    const directory = `my $(touch HARMED) "reports"`;
    const { code, log } = await runAction(project.directory, { ...conform(), 'report-directory': directory });
    expect(code, log).toBe(0);
    expect(existsSync(inProject(`${directory}/junit.xml`))).toBe(true);

    project.write(
      'echo.mjs',
      `import fs from 'node:fs'; fs.writeFileSync('argv', JSON.stringify(process.argv.slice(2)));`,
    );
    await runAction(project.directory, client(`node echo.mjs "two words" '$(touch HARMED)' --flag=\\"`));
    expect(JSON.parse(readFileSync(inProject('argv'), 'utf8'))).toEqual([
      'two words',
      '$(touch HARMED)',
      '--flag="',
    ]);
    expect(existsSync(inProject('HARMED'))).toBe(false);
  });
});
