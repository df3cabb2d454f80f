import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chooseMutants, formatResult } from './format-result.js';
import { mutants } from './mutants.js';

describe('the mutants of a text', () => {
  it('are those with it in their id, and all where there is none', () => {
    const [first] = mutants;
    expect(chooseMutants(first!.id, mutants)).toContain(first);
    expect(chooseMutants('', mutants)).toEqual(mutants);
  });

  it('are a mistake where none has it, with what may have been meant', () => {
    const { id } = mutants[0]!;
    expect(() => chooseMutants(`${id}z`, mutants)).toThrow(
      `There is no mutant with "${id}z" in its id; did you mean "${id}"?`,
    );
    expect(() => chooseMutants('no-such-thing-at-all', mutants)).toThrow(
      new RegExp(`; there are ${mutants.length}, such as ${id}, `),
    );
  });

  it('of a wrong name end the command with exit code 2', () => {
    const root = join(import.meta.dirname, '../..');
    const args = ['--import', 'tsx', 'test/mutants/full-run.ts', 'no-such-mutant'];
    try {
      execFileSync(process.execPath, args, { cwd: root, stdio: 'pipe' });
      expect.unreachable();
    } catch (error) {
      const { status, stdout, stderr } = error as { status: number; stdout: Buffer; stderr: Buffer };
      expect([status, String(stdout)]).toEqual([2, '']);
      expect(String(stderr)).toMatch(/^There is no mutant with "no-such-mutant" in its id; .*\n$/);
    }
  });
});

describe('a mutant', () => {
  const mutant = { id: 'org-x', requirement: 'ORG-01' as const, breaks: 'It is wrong.' };
  const own = { id: 'resources/one#ORG-01', covers: ['ORG-01'] };
  const other = { id: 'resources/organisation#ORG-04', covers: ['ORG-04'] };

  it('is noticed by a check of its requirement', () => {
    expect(formatResult(mutant, [other, own])).toEqual({
      isNoticed: true,
      lines: [
        'noticed org-x (ORG-01): It is wrong.',
        '  by   resources/one#ORG-01',
        '  also resources/organisation#ORG-04',
      ],
    });
  });

  it('that only checks of other requirements notice is told with these', () => {
    expect(formatResult(mutant, [other])).toEqual({
      isNoticed: false,
      lines: [
        'noticed under ORG-04, not under ORG-01: org-x: It is wrong.',
        '  also resources/organisation#ORG-04',
      ],
    });
  });

  it('that no check notices is told so', () => {
    expect(formatResult(mutant, [])).toEqual({
      isNoticed: false,
      lines: ['UNNOTICED org-x (ORG-01): It is wrong.'],
    });
  });
});
