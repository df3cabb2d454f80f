import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { InvalidFile } from '../../scenarios/format/invalid-file.js';
import { readFixtures } from '../fixtures/fixtures.js';
import { Mock } from '../mock.js';
import { loadDialect, loadFixtures, readDialect } from './files.js';

const directory = mkdtempSync(join(tmpdir(), 'taskdouble-files-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** The problems that `read` throws, as `line:column message`. */
async function collectProblems(read: () => unknown): Promise<string[]> {
  try {
    await read();
  } catch (error) {
    if (error instanceof InvalidFile) {
      return error.problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
    }
    throw error;
  }
  throw new Error('Nothing was wrong with it.');
}

describe('fixtures', () => {
  it('are read from YAML and from JSON', () => {
    const expected = { organisation: { name: 'Tea House', credits: 3 } };
    expect(readFixtures('organisation:\n  name: Tea House\n  credits: 3\n', 'f')).toEqual(expected);
    expect(readFixtures(JSON.stringify(expected), 'f')).toEqual(expected);
    expect(readFixtures('', 'f')).toEqual({});
  });

  it('of the package are valid', async () => {
    const examples = join(import.meta.dirname, '../../fixtures/organisations');
    const files = readdirSync(examples);
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) expect(await loadFixtures(join(examples, file))).toHaveProperty('organisation');
  });

  it('report an error in the file that contains it', async () => {
    const inner = join(directory, 'inner.yaml');
    writeFileSync(inner, 'organisation:\n  plan: gold\n');
    const outer = join(directory, 'outer.yaml');
    writeFileSync(outer, 'keys:\n  a: { $ref: inner.yaml }\n');
    await expect(loadFixtures(outer)).rejects.toThrow(
      /inner\.yaml:2:9: keys\.a\.organisation\.plan: expected one of free/,
    );
    writeFileSync(inner, 'keys: {}\n');
    await expect(loadFixtures(outer)).rejects.toThrow(/inner\.yaml:1:1: unknown key "keys" in keys\.a/);
  });

  it('given as an object are checked too', async () => {
    const mock = new Mock({ fixtures: { organisation: { plan: 'gold' as never } } });
    await expect(mock.ready).rejects.toThrow(
      /^fixtures: organisation\.plan: expected one of free, starter, growth, enterprise; found "gold" \(at organisation\.plan\)$/,
    );
  });

  it('are refused with the position of every error', async () => {
    const text = 'organisation:\n  nme: x\n  plan: gold\n  credits: -1\n  browser_sessions: 1.5\nextra: 1\n';
    expect(await collectProblems(() => readFixtures(text, 'f'))).toEqual([
      '6:1 unknown key "extra"; known here: organisation, profiles, proxies, files, extensions, invites, workspaces, tasks, keys',
      '2:3 unknown key "nme" in organisation; did you mean name?',
      '3:9 organisation.plan: expected one of free, starter, growth, enterprise; found "gold"',
      '4:12 organisation.credits: expected a whole number, 0 or more; found -1',
      '5:21 organisation.browser_sessions: expected a whole number, 0 or more; found 1.5',
    ]);
    expect(await collectProblems(() => readFixtures('[1]', 'f'))).toEqual([
      '1:1 expected a mapping with organisation, profiles, workspaces, tasks, keys, …; found [1]',
    ]);
    expect(await collectProblems(() => readFixtures('organisation: [', 'f'))).toHaveLength(1);
    expect(await collectProblems(() => readFixtures('tasks:\n  - { $ref: ./x.yaml }\n', 'f'))).toEqual([
      '2:13 $ref: there is no directory to read "./x.yaml" from; write its contents here',
    ]);
    const twins = 'profiles:\n  - { id: a }\n  - { id: b }\n  - { id: a }\n';
    expect(await collectProblems(() => readFixtures(twins, 'f'))).toEqual([
      '4:11 id: expected a unique id, found "a" a second time among the profiles',
    ]);
    expect(await collectProblems(() => loadFixtures(join(directory, 'gone.yaml')))).toEqual([
      '1:1 expected a file or directory, found nothing there',
    ]);
  });
});

describe('dialects', () => {
  it('are loaded by name or from a file', async () => {
    expect(await loadDialect('bare-results')).toMatchObject({ 'auth.missing-key': '403' });
    const path = join(directory, 'mine.yaml');
    writeFileSync(path, 'title: Mine\nchoices:\n  auth.missing-key: "403"\n');
    expect(await loadDialect(path)).toEqual({ 'auth.missing-key': '403' });
  });

  it('are refused with the position of every error', async () => {
    const text = 'choices:\n  auth.missing-kee: "401"\n  auth.missing-key: "999"\n';
    const [first, second] = await collectProblems(() => readDialect(text, 'd'));
    expect(first).toMatch(/^2:3 .*did you mean auth.missing-key\?/);
    expect(second).toMatch(/^3:21 auth.missing-key: expected one of/);
    expect(await collectProblems(() => readDialect('auth.missing-key: "401"\n', 'd'))).toEqual([
      '1:1 expected the key "choices", which is missing: the choice for each open point, by its id',
      '1:1 unknown key "auth.missing-key"; known here: title, description, choices',
    ]);
    expect(await collectProblems(() => readDialect('title: x\n', 'd'))).toEqual([
      '1:1 expected the key "choices", which is missing: the choice for each open point, by its id',
    ]);
    expect(await collectProblems(() => readDialect('choices: 3\n', 'd'))).toEqual([
      '1:10 choices: expected a mapping from open point to choice; found 3',
    ]);
  });

  it('of an unknown name are refused with the closest name, or with the list of names', async () => {
    await expect(loadDialect('bare-result')).rejects.toThrow('did you mean "bare-results"?');
    await expect(loadDialect('zzz')).rejects.toThrow(/bare-results, reference-pages, strict/);
  });
});
