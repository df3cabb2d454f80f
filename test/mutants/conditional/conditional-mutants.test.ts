import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { requirements } from '../../../spec/generated/documents.js';
import { operations } from '../../../spec/generated/operations.js';
import type { Mutant } from '../mutant.js';
import { mutants } from '../mutants.js';
import { conditionalMutant } from '../operators/conditional.js';
import { conditionalMutants } from './conditional-mutants.js';
import { walkThrough } from './walkthrough.js';

describe('the table of conditional mutants', () => {
  it('has at least 80 that are named as no other', () => {
    expect(conditionalMutants.length).toBeGreaterThanOrEqual(80);
    const all = [...mutants, ...conditionalMutants];
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(new Set(all.map(({ breaks }) => breaks)).size).toBe(all.length);
    for (const { id, breaks } of conditionalMutants) {
      expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(breaks).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('breaks rules that bind a service and can be observed', () => {
    const breakable: readonly string[] = requirements
      .filter(({ level, side, unobservable }) => level === 'must' && side === 'service' && !unobservable)
      .map(({ id }) => id);
    expect(conditionalMutants.filter(({ requirement }) => !breakable.includes(requirement))).toEqual([]);
  });

  it('has several of each kind of condition', () => {
    const count = new Map<string, number>();
    for (const { condition } of conditionalMutants) count.set(condition, (count.get(condition) ?? 0) + 1);
    expect(count.size).toBe(11);
    expect([...count].filter(([, number]) => number < 4)).toEqual([]);
  });
});

describe('a plain walkthrough', () => {
  it('sends every operation and succeeds', async () => {
    const sent = new Set<string>();
    const seen = await walkThrough({
      wrap: (fetch, context) =>
        conditionalMutant('spy', 'ENV-01', 'value', 'Nothing.', {
          of: Object.values(operations).map(({ id }) => id),
          request: (request) => {
            sent.add(request.operation!);
          },
        }).wrap(fetch, context),
    });
    expect(Object.keys(operations).filter((id) => !sent.has(id))).toEqual([]);
    const refused = seen.filter((line) => !/^\S+ \S+ 20[02] /.test(line));
    expect(refused.map((line) => line.slice(0, 30))).toEqual([
      expect.stringContaining('GET /task/unknown 404'),
      expect.stringContaining('GET /task 422'),
    ]);
  });

  it('is the same with every mutant, as no condition is met', async () => {
    const plain = await walkThrough({});
    const wrap: Mutant['wrap'] = (fetch, context) =>
      conditionalMutants.reduce((inner, mutant) => mutant.wrap(inner, context), fetch);
    const all = await walkThrough({ wrap });
    if (isDeepStrictEqual(all, plain)) return;
    const changed: string[] = [];
    for (const mutant of conditionalMutants)
      if (!isDeepStrictEqual(await walkThrough(mutant), plain)) changed.push(mutant.id);
    expect(changed).toEqual([]);
    expect(all).toEqual(plain);
  });
});
