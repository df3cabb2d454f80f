import { describe, expect, it } from 'vitest';
import { requirements } from '../../spec/generated/documents.js';
import { mutants } from './mutants.js';
import { testMutants } from './test-mutants.js';

describe('the table of mutants', () => {
  it('has many, each with an id of its own', () => {
    expect(mutants.length).toBeGreaterThanOrEqual(700);
    expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
    for (const { id } of mutants) expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9_]+)*$/);
  });

  it('breaks rules that bind a service and can be observed', () => {
    const breakable = requirements.filter(
      ({ level, side, unobservable }) => level === 'must' && side === 'service' && !unobservable,
    );
    const ids: readonly string[] = breakable.map(({ id }) => id);
    expect(mutants.filter(({ requirement }) => !ids.includes(requirement))).toEqual([]);
  });

  it('says in one sentence what each breaks', () => {
    const sentences = mutants.map(({ breaks }) => breaks);
    for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z][^.]* .*\.$|^[a-z]+[A-Z]\w+,? .*\.$/);
    expect(new Set(sentences).size).toBe(sentences.length);
  });
});

const familyOf = ({ requirement }: { requirement: string }) => requirement.split('-')[0];

// The deep suite holds the suite against all of them.
const oneOfEachFamily = mutants.filter(
  (mutant, n) => mutants.findIndex((other) => familyOf(other) === familyOf(mutant)) === n,
);

testMutants('each family of requirements', oneOfEachFamily);
