import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { endAll, run } from '../test/support/cli/command.js';

const directory = mkdtempSync(join(tmpdir(), 'taskdouble-init-'));
afterEach(endAll);
afterAll(() => rmSync(directory, { recursive: true }));

const init = (...args: string[]) => run(['client', '--init', ...args], { cwd: directory });
const read = (name: string) => readFileSync(join(directory, name), 'utf8');

describe('taskdouble client --init', () => {
  it.each([
    ['node', 'adapter.mjs', '-- node adapter.mjs'],
    ['python', 'adapter.py', '-- python3 adapter.py'],
    ['typescript', 'adapter.ts', '-- npx tsx adapter.ts'],
    // With types and error values, and the messages of a persistent adapter.
    ['go', 'adapter.go', '-- go run adapter.go', 300],
  ])('%s: writes an adapter, and says what to type next', async (language, file, line, lines = 125) => {
    const { code, stdout, stderr } = await init(language);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`${file} is written`);
    expect(stdout).toContain(`npx taskdouble client ${line}`);
    expect(read(file)).toContain(line.slice(3));
    expect(read(file).trimEnd().split('\n').length).toBeLessThan(lines);
    expect(
      Math.max(
        ...read(file)
          .split('\n')
          .map((each) => each.length),
      ),
    ).toBeLessThanOrEqual(110);
  });

  it('takes a path, and makes the directories above it', async () => {
    const { stdout } = await init('node', 'test/of mine/client.mjs');
    expect(stdout).toContain("-- node 'test/of mine/client.mjs'");
    expect(existsSync(join(directory, 'test/of mine/client.mjs'))).toBe(true);
  });

  it('writes over nothing', async () => {
    writeFileSync(join(directory, 'mine.mjs'), 'precious');
    const { code, stdout, stderr } = await init('node', 'mine.mjs');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(
      '--init: mine.mjs cannot be written: it is there already; remove it, or name another path.',
    );
    expect(read('mine.mjs')).toBe('precious');
  });

  it.each([
    [['ruby'], 'Allowed choices are node, python, typescript, go.'],
    [['node', 'a.mjs', 'b.mjs'], '--init: expected one path for the adapter at most; found a.mjs b.mjs.'],
    [['node', '--timeout', '5s'], '--init makes no run: leave --timeout out.'],
  ])('%j: one line on stderr, exit code 2', async (args, said) => {
    const { code, stderr } = await init(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(said);
  });
});
