import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startChild } from '../support/children.js';
import { findPython, isPythonRequired, NO_PYTHON } from '../support/python.js';

const ROOT = join(import.meta.dirname, '../..');

const python = findPython();
const files = readdirSync(join(ROOT, 'python/tests')).filter((file) => /^test_.*\.py$/.test(file));

it('the kit for Python has tests', () => expect(files).toContain('test_plugin.py'));

it.for(files)('python/tests/%s', async (file, { skip }) => {
  if (python === undefined) {
    if (isPythonRequired) expect.fail(`CI_PYTHON=1: ${NO_PYTHON}.`);
    return skip(NO_PYTHON);
  }
  const args = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', join('python/tests', file)];
  const child = startChild(python, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect(code, output).toBe(0);
  expect(output).toMatch(/\d+ passed/);
});
