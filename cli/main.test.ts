import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run, spawn } from '../test/support/cli/command.js';
import { classifyError, EXIT, UsageError } from './exit-codes.js';

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));

describe('taskdouble', () => {
  it('says its version', async () => {
    for (const flag of ['--version', '-V']) {
      expect(await spawn([flag])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    }
  });

  it.each([
    [['--help'], /mock +start the mock service/],
    [['mock', '--help'], /Examples:\n +taskdouble mock/],
    [['help', 'mock'], /Examples:\n +taskdouble mock/],
    [['conform', '--help'], /Examples:\n +taskdouble conform http/],
    [['client', '--help'], /Examples:\n +taskdouble client --init node/],
    [['explore', '--help'], /Examples:\n +taskdouble explore -- node/],
    [['scenarios', '--help'], /Examples:\n +taskdouble scenarios list/],
    [['scenarios', 'list', '--help'], /Example:\n +taskdouble scenarios list/],
    [['scenarios', 'validate', '--help'], /Example:\n +taskdouble scenarios validate/],
    [['scenarios', 'draw', '--help'], /Example:\n +taskdouble scenarios draw/],
  ])('%j: help with an example on stdout, exit code 0', async (args, example) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: taskdouble/);
    expect(stdout).toMatch(example);
  });
});

describe('what stands behind --', () => {
  it('belongs to the client, also options of the same name', async () => {
    const { code, stderr } = await run([
      'client',
      '--',
      'no-such-program',
      '--version',
      '--help',
      '--jobs',
      '0',
    ]);
    expect(code).toBe(3);
    expect(stderr).toContain('the client cannot be started: no-such-program');
  });
});

describe('exit codes', () => {
  it('distinguish a usage error from an internal error', () => {
    expect(classifyError(new UsageError('no\n such file'))).toEqual({ code: 2, line: 'no such file' });
    const fault = classifyError(new RangeError('out of bounds\nsecond line'));
    expect(fault).toEqual({
      code: EXIT.fault,
      line: 'a fault of taskdouble itself: RangeError: out of bounds (TASKDOUBLE_DEBUG=1 shows where)',
    });
    expect(EXIT.fault).toBe(4);
  });
});
