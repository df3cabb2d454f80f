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

it('is npx in this process, which runs tests', () => {
  expect(readCommandName()).toBe('npx taskdouble');
});
