import { expect, it } from 'vitest';
import { judgeMutant } from '../../../test/mutants/judge.js';
import { mutants } from '../../../test/mutants/mutants.js';
import { loadClient } from '../../../test/support/client/fixture.js';
import { mergeParts, summarizeReport, toWritten } from '../../../test/support/report/merge-parts.js';
import { findCauses } from '../../causes/causes.js';
import { summarizeChecks } from '../../causes/check-result.js';
import { checkClient } from '../../check-client/check-client.js';
import type { Shard } from '../../common/shard.js';
import type { ConformReport } from '../../service/runner/result.js';

/** What a generated sequence shows depends on the sequences before it. */
function withoutSequences(report: ConformReport): ConformReport {
  const checks = report.checks.filter(({ suite }) => suite !== 'search');
  return {
    ...report,
    checks,
    summary: summarizeChecks(checks),
    causes: findCauses(checks, report.exchanges),
  };
}

it('the whole suite in three parts, with generated sequences, equals the run that was not divided', async () => {
  const mutant = mutants.find(({ id }) => id === 'poll-always-200')!;
  const judge = (shard?: Shard) => judgeMutant(mutant, { search: 24, ...(shard && { shard }) });
  const whole = withoutSequences(toWritten(await judge()));
  const { merged } = await mergeParts(3, judge);
  expect(merged.sequences!.sequences).toBe(24);
  expect(Object.keys(merged.dialect).length).toBeGreaterThan(20);
  expect(summarizeReport(withoutSequences(merged))).toEqual(summarizeReport(whole));
});

it('the whole library in four parts equals the run that was not divided', async () => {
  const client = await loadClient('buggy/dies-of-html');
  const whole = toWritten(await checkClient({ client }));
  const { merged } = await mergeParts(4, (shard) => checkClient({ client, shard }));
  expect(whole.summary.failed).toBeGreaterThan(0);
  expect(summarizeReport(merged)).toEqual(summarizeReport(whole));
});
