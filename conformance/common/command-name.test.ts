import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readCommandName, resolveCommandName } from './command-name.js';

const top = realpathSync(mkdtempSync(join(tmpdir(), 'taskdouble-name-')));
afterAll(() => rmSync(top, { recursive: true }));

const at = (path: string) => join(top, path);
function link(path: string, target: string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  symlinkSync(at(target), at(path));
}
for (const path of ['clone/dist/command/main.js', 'my clones/dist/command/main.js', 'test/runner.js']) {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), '');
}
mkdirSync(at('elsewhere'));
mkdirSync(at('clone/docs'));
for (const place of ['project/node_modules', '_npx/1/node_modules', 'global/lib/node_modules']) {
  link(`${place}/taskdouble`, 'clone');
  if (!place.startsWith('global')) link(`${place}/.bin/taskdouble`, 'clone/dist/command/main.js');
}
mkdirSync(at('project/src'));
link('global/bin/taskdouble', 'clone/dist/command/main.js');

// The one file and an executable, which unpack the command into a cache.
for (const path of [
  'cache/0.1.0/dist/command/start.cjs',
  'downloads/taskdouble.mjs',
  'downloads/taskdouble-linux-x64',
]) {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), '');
}
link('opt/bin/taskdouble', 'downloads/taskdouble.mjs');
link('opt/bin/td', 'downloads/taskdouble-linux-x64');

const MAIN = 'clone/dist/command/main.js';
const GLOBAL = 'global/bin';
const LOCAL = 'project/node_modules/.bin';
const CACHE = '_npx/1/node_modules/.bin';

it.each([
  ['installed globally', 'global/bin/taskdouble', 'elsewhere', [GLOBAL], 'taskdouble'],
  ['npx with a global installation', 'global/bin/taskdouble', 'elsewhere', [LOCAL, GLOBAL], 'taskdouble'],
  ['npx in a project', `${LOCAL}/taskdouble`, 'project', [LOCAL], 'npx taskdouble'],
  ['npx below a project', `${LOCAL}/taskdouble`, 'project/src', [LOCAL], 'npx taskdouble'],
  ['npx in a clone', `${CACHE}/taskdouble`, 'clone/docs', [CACHE], 'npx taskdouble'],
  ['npx with a git URL', `${CACHE}/taskdouble`, 'elsewhere', [CACHE], `node ../${CACHE}/taskdouble`],
  ['the file of a project, elsewhere', `${LOCAL}/taskdouble`, 'elsewhere', [], `node ../${LOCAL}/taskdouble`],
  ['a clone', MAIN, 'clone', [], 'node dist/command/main.js'],
  ['npm start in a clone', MAIN, 'clone', ['clone/node_modules/.bin'], 'node dist/command/main.js'],
  ['a clone, elsewhere', MAIN, 'elsewhere', [], 'node ../clone/dist/command/main.js'],
  ['a clone, far away', MAIN, 'a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r', [], `node ${at(MAIN)}`],
  [
    'a path with a space',
    'my clones/dist/command/main.js',
    'elsewhere',
    [],
    "node '../my clones/dist/command/main.js'",
  ],
  ['another program', 'test/runner.js', 'elsewhere', [GLOBAL], 'npx taskdouble'],
])('%s', (_, program, cwd, path, name) => {
  const root = at(program.startsWith('my clones') ? 'my clones' : 'clone');
  expect(resolveCommandName({ program: at(program), cwd: at(cwd), path: path.map(at).join(':'), root })).toBe(
    name,
  );
});

it.each([
  ['the one file', 'downloads/taskdouble.mjs', 'downloads', [], 'node taskdouble.mjs'],
  ['the one file, elsewhere', 'downloads/taskdouble.mjs', 'project', [], 'node ../downloads/taskdouble.mjs'],
  ['a link to the one file, in PATH', 'opt/bin/taskdouble', 'elsewhere', ['opt/bin'], 'taskdouble'],
])('%s', (_, program, cwd, path, name) => {
  const start = { program: at(program), cwd: at(cwd), path: path.map(at).join(':') };
  expect(resolveCommandName({ ...start, root: at('cache/0.1.0') })).toBe(name);
});

it.each([
  ['an executable', './taskdouble-linux-x64', 'downloads', [], './taskdouble-linux-x64'],
  [
    'an executable, elsewhere',
    '../downloads/taskdouble-linux-x64',
    'elsewhere',
    [],
    '../downloads/taskdouble-linux-x64',
  ],
  ['an executable in PATH', 'taskdouble-linux-x64', 'elsewhere', ['downloads'], 'taskdouble-linux-x64'],
  ['a link to an executable, in PATH', 'td', 'elsewhere', ['opt/bin'], 'td'],
])('%s', (_, program, cwd, path, name) => {
  const start = { program, cwd: at(cwd), path: path.map(at).join(':') };
  const executable = at('downloads/taskdouble-linux-x64');
  expect(resolveCommandName({ ...start, root: at('cache/0.1.0'), executable })).toBe(name);
});

it('is npx in this process, which runs tests', () => {
  expect(readCommandName()).toBe('npx taskdouble');
});
