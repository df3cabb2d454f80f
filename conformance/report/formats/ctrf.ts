import { toVisible } from '../../../spec/visible.js';
import { toJson } from '../../common/text.js';
import { formatTargetName } from '../verdict.js';
import type { ReportView, TestPoint } from '../view.js';

const BOUNDS = { exchanges: 5, body: 2048 };
const SPEC_VERSION = '0.0.0';

type CtrfStatus = 'passed' | 'failed' | 'skipped' | 'pending' | 'other';

/** Common Test Report Format. Inconclusive checks and known failures are `other`, errors `failed` with the raw status `error`. */
export function formatCtrfReport(view: ReportView): string {
  const { report, suites, verdict } = view;
  const tests = view.points.map((point) => toTest(point, view));
  const countTests = (status: CtrfStatus) => tests.filter((test) => test.status === status).length;
  const start = Math.max(0, Date.parse(report.started) || 0);
  const duration = Math.round(report.duration_ms);
  const { seed, dialect, requirements, advice, searched } = report;
  return toJson({
    reportFormat: 'CTRF',
    specVersion: SPEC_VERSION,
    timestamp: start > 0 ? report.started : undefined,
    generatedBy: 'taskdouble',
    results: {
      tool: { name: 'taskdouble', version: report.taskdouble },
      summary: {
        tests: tests.length,
        passed: countTests('passed'),
        failed: countTests('failed'),
        skipped: countTests('skipped'),
        pending: countTests('pending'),
        other: countTests('other'),
        flaky: tests.filter(({ flaky }) => flaky).length || undefined,
        suites: suites.length,
        start,
        stop: start + duration,
        duration,
      },
      tests,
      environment: {
        testEnvironment: formatTargetName(report),
        healthy: verdict === 'conforms',
        extra: { seed, dialect, time: report.target.time },
      },
      extra: { requirements, advice, searched: searched && { ...searched, state: undefined } },
    },
  });
}

function toTest(point: TestPoint, view: ReportView) {
  const { name, suite, title, message, check } = point;
  return {
    name,
    status: toStatus(point),
    duration: 0,
    suite: [suite],
    message: toVisible(message),
    rawStatus: check?.outcome ?? point.outcome,
    tags: check?.covers ?? [],
    ...(point.outcome === 'flaky' && !point.fails && { flaky: true, retries: check?.retries }),
    trace:
      check && (check.outcome === 'failed' || check.outcome === 'flaky')
        ? view.formatEvidence(check, BOUNDS).trim()
        : undefined,
    extra: { title, evidence: check?.evidence },
  };
}

function toStatus({ fails, outcome }: TestPoint): CtrfStatus {
  if (fails) return 'failed';
  if (outcome === 'flaky') return 'passed';
  return outcome === 'passed' || outcome === 'skipped' ? outcome : 'other';
}
