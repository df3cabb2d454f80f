import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { resolveDialect } from './dialect.js';
import type { DialectFile, OpenPoint } from './requirement-types.js';

const read = (name: string): unknown => parse(readFileSync(new URL(name, import.meta.url), 'utf8'));
const points = read('open-points.yaml') as OpenPoint[];

describe('resolveDialect', () => {
  it('fills in the default of every point', () => {
    const { dialect, problems } = resolveDialect({}, points);
    expect(problems).toEqual([]);
    expect(Object.keys(dialect)).toEqual(points.map(({ id }) => id));
    expect(dialect['auth.missing-key']).toBe('401');
    expect(dialect['limits.rate']).toBe(0);
  });

  it('takes what was chosen, status codes and null also as YAML reads them unquoted', () => {
    const choices = { 'auth.missing-key': 422, 'poll.events-when-empty': null, 'limits.rate': 5 };
    const { dialect, problems } = resolveDialect(choices, points);
    expect(problems).toEqual([]);
    expect(dialect).toMatchObject({
      'auth.missing-key': '422',
      'poll.events-when-empty': 'null',
      'limits.rate': 5,
    });
  });

  it('reports an unknown point, with the nearest known one', () => {
    const { dialect, problems } = resolveDialect({ 'auth.mising-key': '401' }, points);
    expect(problems).toMatchObject([{ kind: 'unknown-point' }]);
    expect(problems[0]?.message).toContain('did you mean auth.missing-key?');
    expect(Object.hasOwn(dialect, 'auth.mising-key')).toBe(false);
  });

  it('proposes nothing for a name that is like none, nor for the names of an object', () => {
    const { problems } = resolveDialect({ zzzzzzzzzzzzzz: 1, toString: 'x' }, points);
    expect(problems.map(({ kind }) => kind)).toEqual(['unknown-point', 'unknown-point']);
    expect(problems[0]?.message).not.toContain('did you mean');
  });

  it('says which choices there are when it gets another, and keeps the default', () => {
    const { dialect, problems } = resolveDialect({ 'task.first-status': 'runing' }, points);
    expect(problems[0]).toMatchObject({
      kind: 'bad-choice',
      message: expect.stringContaining('found "runing"'),
    });
    expect(problems[0]?.message).toMatch(/expected one of running, waiting/);
    expect(problems[0]?.message).toContain('did you mean running?');
    expect(dialect['task.first-status']).toBe('running');
  });

  it.each([['constructor'], [{}], [['running']], [undefined]])('refuses %j as a choice', (given) => {
    const { problems } = resolveDialect({ 'task.first-status': given }, points);
    expect(problems).toHaveLength(1);
  });

  it.each([-1, 1.5, Number.NaN, '5', 100_001])(
    'refuses %j as a number, with the bounds and the unit',
    (given) => {
      const { dialect, problems } = resolveDialect({ 'limits.rate': given }, points);
      expect(problems[0]?.message).toContain('a whole number from 0 to 100000 (per-second; 0: no limit)');
      expect(dialect['limits.rate']).toBe(0);
    },
  );

  it('gives a complete and admissible dialect whatever it is given', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.oneof(fc.constantFrom(...points.map(({ id }) => id)), fc.string()), fc.anything()),
        (choices) => {
          const { dialect } = resolveDialect(choices, points);
          expect(resolveDialect(dialect, points)).toEqual({ dialect, problems: [] });
        },
      ),
      { seed: 1 },
    );
  });
});

describe('dialects/', () => {
  const files = readdirSync(new URL('dialects/', import.meta.url));

  it('has the named dialects', () => {
    expect(files).toEqual(
      expect.arrayContaining(['bare-results.yaml', 'reference-pages.yaml', 'strict.yaml']),
    );
  });

  it.each(files)('%s has a title, no problems and differs from the defaults', (name) => {
    const { title, choices } = read(`dialects/${name}`) as DialectFile;
    expect(title).toMatch(/\S/);
    const { dialect, problems } = resolveDialect(choices, points);
    expect(problems).toEqual([]);
    expect(dialect).not.toEqual(resolveDialect({}, points).dialect);
  });
});
