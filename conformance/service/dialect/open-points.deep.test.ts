import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDialect } from '../../../mock/options/files.js';
import {
  alternatives,
  everyChoice,
  judgeDialect,
  listFailures,
} from '../../../test/support/dialect/dialects.js';
import { dialectCases } from '../all-cases.js';
import { formatDialectFile } from './dialect-file.js';

describe('the choices of a service are detected', () => {
  it.each(everyChoice)('$point: $choice', async ({ point, choice }) => {
    const report = await judgeDialect({ [point]: choice }, dialectCases);
    expect(listFailures(report)).toEqual([]);
    expect(report.dialect).toMatchObject({ [point]: choice });
  });

  it('also with a choice at every point, and a mock with the detected dialect makes the same choices', async () => {
    const dialects = fc.record(
      Object.fromEntries(
        alternatives.map(({ id, choices }) => [id, fc.constantFrom(...Object.keys(choices))]),
      ),
    );
    await fc.assert(
      fc.asyncProperty(dialects, async (dialect) => {
        const report = await judgeDialect(dialect, dialectCases);
        expect(listFailures(report)).toEqual([]);
        expect(report.dialect).toEqual(dialect);
        const choices = readDialect(formatDialectFile(report), 'observed.yaml');
        expect((await judgeDialect(choices, dialectCases)).dialect).toEqual(dialect);
      }),
      { numRuns: 20, seed: 3 },
    );
  });
});
