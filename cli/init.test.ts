import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../conformance/config/config.js';
import { loadScenarios } from '../scenarios/format/load/load.js';
import { run } from '../test/support/cli/command.js';

const ROOT = join(import.meta.dirname, '..');
const directory = mkdtempSync(join(tmpdir(), 'taskdouble-init-project-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** A directory with an empty file of this name. */
const newProject = (name: string, file = 'package.json') => {
  const project = join(directory, name);
  mkdirSync(join(project, 'node_modules'), { recursive: true });
  writeFileSync(join(project, file), '');
  return project;
};
const WRITTEN = [
  'taskdouble.config.yaml',
  'scenarios/lost-reply.yaml',
  'test/taskdouble.test.mjs',
  '.github/workflows/taskdouble.yml',
];
const schemaOf = (file: string) => {
  const [, path] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(readFileSync(file, 'utf8')) ?? [];
  return resolve(dirname(file), path!);
};

describe('taskdouble init', () => {
  it('writes valid files whose schemas editors find in the installed package', async () => {
    const project = newProject('installed');
    symlinkSync(ROOT, join(project, 'node_modules/taskdouble'));
    symlinkSync(join(ROOT, 'node_modules/vitest'), join(project, 'node_modules/vitest'));
    const { code, stdout, stderr } = await run(['init'], { cwd: project });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const path of WRITTEN) expect(stdout).toContain(`${path} is written.`);
    expect(stdout).toMatch(/Next:\n\n {2}npx vitest run test\/taskdouble\.test\.mjs\n$/);
    const [config, scenario, , workflow] = WRITTEN.map((path) => join(project, path));
    expect(readConfig(readFileSync(config!, 'utf8'), config!).baseUrl).toBe('http://127.0.0.1:4010');
    const { scenarios, problems } = await loadScenarios([scenario!]);
    expect({ problems, names: scenarios.map(({ name }) => name) }).toEqual({
      problems: [],
      names: ['lost-reply'],
    });
    const { permissions, jobs } = parse(readFileSync(workflow!, 'utf8'));
    expect({ permissions, jobs: Object.keys(jobs) }).toEqual({
      permissions: { contents: 'read' },
      jobs: ['client'],
    });
    for (const file of [config!, scenario!])
      expect(JSON.parse(readFileSync(schemaOf(file), 'utf8')).title).toMatch(/taskdouble/);
  });

  it('overwrites nothing, and shows how to install what is missing', async () => {
    const project = newProject('bare');
    writeFileSync(join(project, 'taskdouble.config.yaml'), '# mine\n');
    const { code, stdout } = await run(['init', project]);
    expect(code).toBe(0);
    expect(stdout).toContain('taskdouble.config.yaml exists already, and is left as it is.');
    expect(stdout).toContain(`npm install --save-dev vitest ${ROOT}`);
    expect(readFileSync(join(project, 'taskdouble.config.yaml'), 'utf8')).toBe('# mine\n');
  });

  it.each([
    ['pyproject.toml', ['actions/setup-python@v5'], 'python3 adapter.py', true],
    ['requirements.txt', ['actions/setup-python@v5'], 'python3 adapter.py', true],
    ['setup.py', ['actions/setup-python@v5'], 'python3 adapter.py', true],
    ['setup.cfg', ['actions/setup-python@v5'], 'python3 adapter.py', true],
    ['go.mod', ['actions/setup-go@v5'], 'go run ./adapter', false],
    ['Cargo.toml', [], './adapter', false],
  ])(
    'writes what tests a client where there is %s and no package.json',
    async (file, setup, client, hasAdapter) => {
      const project = newProject(`client-${file}`, file);
      const { code, stdout, stderr } = await run(['init'], { cwd: project });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const paths = WRITTEN.filter((path) => !path.startsWith('test/'));
      const written = [...paths, ...(hasAdapter ? ['adapter.py'] : [])];
      for (const path of written) expect(stdout).toContain(`${path} is written.`);
      expect(stdout.match(/ is written\./g)).toHaveLength(written.length);
      expect(stdout).toContain(`  npx taskdouble client --scenario scenarios -- ${client}\n`);
      expect(stdout).toContain(`  npm pack --ignore-scripts ${ROOT}\n`);
      expect(stdout.includes('docs/judge-a-client.md')).toBe(!hasAdapter);
      const read = (path: string) => readFileSync(join(project, path), 'utf8');
      const { permissions, jobs } = parse(read('.github/workflows/taskdouble.yml'));
      expect(permissions).toEqual({ contents: 'read' });
      const steps: { uses?: string; run?: string }[] = jobs.client.steps;
      const uses = steps.flatMap((step) => step.uses ?? []);
      expect(uses).toEqual(['actions/checkout@v4', 'actions/setup-node@v4', ...setup]);
      expect(steps.flatMap((step) => step.run ?? [])).toEqual([
        'npm install --global ./taskdouble-*.tgz',
        'taskdouble scenarios validate scenarios',
        `taskdouble client --scenario '*' --scenario scenarios -- ${client}`,
      ]);
      expect(readConfig(read('taskdouble.config.yaml'), 'taskdouble.config.yaml').lacks).toEqual([]);
      expect(read('scenarios/lost-reply.yaml')).toMatch(/^title: The response/);
    },
  );

  it('writes no adapter over another', async () => {
    const project = newProject('adapter', 'setup.py');
    writeFileSync(join(project, 'adapter.py'), '# mine\n');
    const { stdout } = await run(['init', project]);
    expect(stdout).toContain('adapter.py exists already, and is left as it is.');
    expect(readFileSync(join(project, 'adapter.py'), 'utf8')).toBe('# mine\n');
  });

  it('reports a path that is a file', async () => {
    const { code, stderr } = await run(['init', join(ROOT, 'package.json')]);
    expect(code).toBe(2);
    expect(stderr).toContain('init: expected a directory, and ');
  });
});

describe('taskdouble new scenario', () => {
  it('writes a valid scenario, and never overwrites one', async () => {
    const project = newProject('new');
    const { code, stdout } = await run(['new', 'scenario', 'checkout/slow-reply'], { cwd: project });
    expect(code).toBe(0);
    expect(stdout).toContain('scenarios/checkout/slow-reply.yaml is written.');
    const file = join(project, 'scenarios/checkout/slow-reply.yaml');
    const { scenarios, problems } = await loadScenarios([join(project, 'scenarios')]);
    expect(problems).toEqual([]);
    expect(scenarios).toMatchObject([{ name: 'checkout/slow-reply', title: 'Slow reply' }]);
    expect(schemaOf(file)).toBe(join(project, 'node_modules/taskdouble/scenarios/scenario.schema.json'));
    const again = await run(['new', 'scenario', 'checkout/slow-reply'], { cwd: project });
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('slow-reply.yaml exists already');
  });

  it.each(['../up', '', 'a b', '/root', 'x.yaml'])('rejects the name "%s"', async (name) => {
    const { code, stderr } = await run(['new', 'scenario', name], { cwd: directory });
    expect(code).toBe(2);
    expect(stderr).toContain('new scenario: expected a name of letters');
    expect(existsSync(join(directory, 'scenarios'))).toBe(false);
  });
});
