import type { ExploreReport } from '../../conformance/explore/types.js';
import type { Baseline, BaselineEntry } from '../../conformance/report/baseline.js';
import { globOf } from '../../conformance/report/glob.js';
import type { CheckResult, ConformReport } from '../../conformance/service/runner/result.js';
import { today } from '../judging/inputs.js';

/** What a search passes over: the keys of entries that name one, `*#replies/outcome first`. */
export function knownKeys({ entries }: Baseline): string[] {
  return entries.filter(isCurrent).flatMap((entry) => keyIn(entry) ?? []);
}

/**
 * The report with known failures marked and those that were passed over listed. An entry that has expired is a problem; one
 * that was not met is none, as a search need not come across everything.
 */
export function withKnown(report: ConformReport, baseline: Baseline, explored: ExploreReport): ConformReport {
  const current = baseline.entries.filter(isCurrent);
  const passed_over = current.flatMap((entry): CheckResult[] => {
    const met = explored.known.find(({ key, seen }) => key === keyIn(entry) && seen > 0);
    return met ? [passedOver(entry, met.seen)] : [];
  });
  const checks = report.checks.map((check): CheckResult => {
    const entry =
      check.outcome === 'failed' ? current.find(({ check: glob }) => globOf(glob).test(check.id)) : undefined;
    return entry ? { ...check, known: knownBy(entry) } : check;
  });
  const all = [...checks, ...passed_over];
  const problems = baseline.entries
    .filter((entry) => !isCurrent(entry))
    .map(
      ({ check, line, column, expires, reason }) =>
        `${baseline.file}:${line}:${column}: the entry for ${JSON.stringify(check)} expired on ${expires} (${reason}); mend the failure, or give it another day`,
    );
  return {
    ...report,
    checks: all,
    summary: { ...report.summary, failed: report.summary.failed + passed_over.length },
    baseline: { file: baseline.file, known: all.filter(({ known }) => known).length, problems },
  };
}

function passedOver(entry: BaselineEntry, seen: number): CheckResult {
  return {
    id: entry.check,
    case: '*',
    suite: 'own',
    title: 'A failure that is known.',
    covers: [],
    outcome: 'failed',
    message: `passed over, as it is known; seen in ${seen} schedules`,
    evidence: [],
    known: knownBy(entry),
  };
}

function knownBy({ reason, expires }: BaselineEntry): { reason: string; expires: string } {
  return { reason, expires };
}

function isCurrent({ expires }: BaselineEntry): boolean {
  return expires >= today();
}

/** The key of a bucket, where the entry means one in every scenario. */
function keyIn({ check }: BaselineEntry): string | undefined {
  return /^\*#([^*]+)$/.exec(check)?.[1];
}
