import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { allCases } from '../../conformance/service/all-cases.js';
import { formatCoverageLines, formatCoveragePage, listCoverage, type RuleCoverage } from './coverage.js';
import { mutants } from './mutants.js';

const all = listCoverage();
const observable = all.filter(({ requirement }) => requirement.unobservable === undefined);

describe('every rule that binds a service and can be observed', () => {
  it.each(observable.map((covered) => [covered.requirement.id, covered] as const))(
    '%s has a check and a mutant',
    (_, covered) => {
      expect(covered.checks).not.toEqual([]);
      expect(covered.mutants).not.toEqual([]);
    },
  );

  it('is in the table', () => {
    expect(observable.length).toBeGreaterThan(100);
    expect(all.length - observable.length).toBeLessThan(12);
  });
});

describe('docs/requirements-coverage.md', () => {
  const page = readFileSync(new URL('../../docs/requirements-coverage.md', import.meta.url), 'utf8');
  const rows = new Map(
    page
      .split('\n')
      .filter((line) => /^\| [A-Z]+-\d+ \|/.test(line))
      .map((line) => [line.slice(2, line.indexOf(' |', 2)), line]),
  );

  it('has a row for each rule', () => {
    expect([...rows.keys()].sort(), 'npm run coverage:requirements').toEqual(
      all.map(({ requirement }) => requirement.id).sort(),
    );
  });

  it('names only checks and mutants that there are, and at least one of each in a row', () => {
    const cases = new Map(
      allCases.map((testCase) => [testCase.id as string, testCase.covers as readonly string[]]),
    );
    const known = new Map(mutants.map(({ id, requirement }) => [id, requirement as string]));
    for (const { requirement } of observable) {
      expect([...rows.keys()], 'npm run coverage:requirements').toContain(requirement.id);
      const [checks, broken] = rows.get(requirement.id)!.split(' | ').slice(-2).map(names);
      expect(checks!.length, requirement.id).toBeGreaterThan(0);
      expect(broken!.length, requirement.id).toBeGreaterThan(0);
      for (const name of checks!) expect(cases.get(name), name).toContain(requirement.id);
      for (const name of broken!) expect(known.get(name), name).toBe(requirement.id);
    }
  });
});

function names(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
}

describe('the printed table', () => {
  it('counts what is whole', () => {
    const [first] = observable as [RuleCoverage, ...RuleCoverage[]];
    const lines = formatCoverageLines([first, { ...first, mutants: [] }]);
    expect(lines.at(-1)).toBe('1 of 2 rules that can be observed have a check and a mutant.');
    expect(lines[0]).toContain(first.requirement.id);
  });

  it('gives the reason of what cannot be observed', () => {
    const unseen = all.find(({ requirement }) => requirement.unobservable !== undefined)!;
    expect(formatCoveragePage([unseen])).toContain(unseen.requirement.unobservable!.trim().slice(0, 20));
  });
});
