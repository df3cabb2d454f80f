import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../test/support/cli/command.js';

const directory = mkdtempSync(join(tmpdir(), 'taskdouble-scenarios-'));
afterAll(() => rmSync(directory, { recursive: true }));
const right = join(directory, 'right.yaml');
writeFileSync(
  right,
  'title: It is right\nrequest: { task: x }\nmatch: never\ntimeline:\n  - { service: finish }\n',
);
const wrong = join(directory, 'wrong.yaml');
writeFileSync(
  wrong,
  'title: It is wrong\nrequest: { task: x }\ntimelin: []\ntimeline:\n  - { service: finsh }\n',
);

describe('taskdouble scenarios list', () => {
  it('shows name and title of the library', async () => {
    const { code, stdout, stderr } = await run(['scenarios', 'list']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^tool-calls\/corrected-input +\S.*$/m);
    expect(stdout.trimEnd().split('\n').length).toBeGreaterThanOrEqual(20);
  });

  it('shows those of a path, also as JSON', async () => {
    expect((await run(['scenarios', 'list', right])).stdout).toBe('right  It is right (by name only)\n');
    const [only, ...others] = JSON.parse((await run(['scenarios', 'list', right, '--json'])).stdout);
    expect(only).toMatchObject({ name: 'right', title: 'It is right', match: 'never', file: right });
    expect(others).toEqual([]);
  });
});

describe('taskdouble scenarios validate', () => {
  it('finds nothing wrong in the library', async () => {
    const { code, stdout } = await run(['scenarios', 'validate']);
    expect(code).toBe(0);
    expect(Number(/^(\d+) scenarios valid\n$/.exec(stdout)?.[1])).toBeGreaterThanOrEqual(20);
  });

  it('prints each problem with its place and says how many are valid; exit code 2', async () => {
    const { code, stdout, stderr } = await run(['scenarios', 'validate', right, wrong]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toContain(`${wrong}:3:1: unknown key "timelin"; did you mean timeline?`);
    expect(lines[1]).toMatch(/wrong\.yaml:5:\d+: .*did you mean finish\?/);
    expect(lines[2]).toBe('1 scenario valid; 2 problems in 1 file');
  });

  it('passes no directory without scenarios', async () => {
    const empty = mkdtempSync(join(directory, 'empty-'));
    const { code, stdout } = await run(['scenarios', 'validate', empty]);
    expect(code).toBe(2);
    expect(stdout).toMatch(/found none in this directory/);
  });
});

describe('taskdouble scenarios draw', () => {
  it('prints a Mermaid sequence diagram', async () => {
    const { code, stdout } = await run(['scenarios', 'draw', 'tool-calls/corrected-input']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^sequenceDiagram\n/);
    expect(stdout).toContain('Service-)Client: tool_call get_weather');
  });

  it('searches --scenarios first', async () => {
    const { stdout } = await run(['scenarios', 'draw', 'right', '--scenarios', right]);
    expect((await run(['scenarios', 'draw', right])).stdout).toBe(stdout);
    expect(stdout).toContain('title It is right');
  });

  it('tolerates a reader that stops reading', async () => {
    // A closed pipe is no fault: the command says nothing of it.
    const { execFileSync } = await import('node:child_process');
    const main = join(import.meta.dirname, '../dist/command/main.js');
    const command = `"${process.execPath}" "${main}" scenarios list 2> "${directory}/stderr" | head -n 1`;
    expect(execFileSync('bash', ['-c', command], { encoding: 'utf8' }).split('\n')).toHaveLength(2);
    expect(readFileSync(join(directory, 'stderr'), 'utf8')).toBe('');
  });
});
