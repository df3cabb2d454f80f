import { beforeAll, describe, expect, it } from 'vitest';
import { requirements } from '../../spec/generated/documents.js';
import { mutants } from './mutants.js';
import { mutant } from './operators/make.js';
import { tour } from './support/tour.js';

let plain: string[];

beforeAll(async () => {
  plain = await tour();
});

describe('the table of mutants', () => {
  it('has many, each under a name of its own', () => {
    expect(mutants.length).toBeGreaterThanOrEqual(130);
    expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
    for (const { id } of mutants) expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  });

  it('breaks rules that bind a service and can be seen', () => {
    const breakable = requirements.filter(
      ({ level, side, unobservable }) => level === 'must' && side === 'service' && !unobservable,
    );
    for (const { id, requirement } of mutants) {
      expect(
        breakable.map((each) => each.id),
        id,
      ).toContain(requirement);
    }
  });

  it('says in one sentence what each breaks', () => {
    const said = mutants.map(({ breaks }) => breaks);
    for (const sentence of said) expect(sentence).toMatch(/^[A-Z][^.]* .*\.$|^[a-z]+[A-Z]\w+,? .*\.$/);
    expect(new Set(said).size).toBe(said.length);
  });
});

describe('the conversation', () => {
  it('is the same each time', async () => {
    expect(await tour()).toEqual(plain);
    expect(plain.length).toBeGreaterThan(300);
  });

  it('is the same through a wrapper that breaks nothing', async () => {
    const harmless = mutant('none', 'ENV-01', 'Nothing.', () => (asked, next) => next(asked));
    expect(await tour(harmless)).toEqual(plain);
  });
});

describe('a mutant', () => {
  it.each(mutants.map((mutant) => [mutant.id, mutant] as const))(
    '%s changes an answer',
    async (_, mutant) => {
      const lines = await tour(mutant, plain);
      expect(lines.at(-1)).not.toBe(plain[lines.length - 1]);
    },
  );
});
