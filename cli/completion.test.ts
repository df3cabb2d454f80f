import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const MAIN = join(import.meta.dirname, '../dist/command/main.js');
const command = (...args: string[]) => execFileSync(process.execPath, [MAIN, ...args], { encoding: 'utf8' });
const suggestions = (...words: string[]) =>
  command('complete', '--', ...words)
    .split('\n')
    .map((line) => line.split('\t')[0]);

it.each([
  ['bash', 'complete -F'],
  ['zsh', '#compdef taskdouble'],
  ['fish', 'complete -c taskdouble'],
])('prints a completion script for %s', (shell, line) => {
  expect(command('completion', shell)).toContain(line);
});

it('suggests commands, options and their values', () => {
  expect(suggestions('m')).toEqual(expect.arrayContaining(['mock', 'merge-reports']));
  expect(suggestions('mock', '--ne')).toContain('--network');
  expect(suggestions('mock', '--clock', '')).toEqual(expect.arrayContaining(['manual', 'skipping']));
  expect(suggestions('scenarios', 'dr')).toContain('draw');
});
