import { describe, expect, it } from 'vitest';
import { FAULTS } from '../../../test/support/from-openapi/faults.js';
import { runWithoutRules } from '../../../test/support/from-openapi/run-cases.js';
import { generatedCases } from '../all-cases.js';

describe('generated cases find it when a service', () => {
  it.each(FAULTS)('$what', async ({ fails, ...bend }) => {
    const wanted = new Set(fails.map((each) => each.split('#')[0]!));
    const { checks, faults } = await runWithoutRules(
      generatedCases.filter(({ id }) => wanted.has(id)),
      bend,
    );
    expect(faults).toEqual([]);
    const failed = checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
    expect(failed).toEqual(expect.arrayContaining(fails));
  });
});
