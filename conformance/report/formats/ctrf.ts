import type { CheckResult, ConformReport } from '../../service/runner/result.js';
import { exchangeLines } from '../exchange-text.js';
import { againOf, repeatOf } from '../search/about-clients.js';
import { toJson, visible } from '../text.js';
import {
  Evidence,
  fails,
  inWords,
  nameOf,
  type ReadingOptions,
  requirementOf,
  suitesOf,
  verdictOf,
} from '../view.js';

const MOST_EXCHANGES = 5;
const LONGEST_BODY = 2048;
const SPEC_VERSION = '0.0.0';

type Status = 'passed' | 'failed' | 'skipped' | 'pending' | 'other';

/** Common Test Report Format. Inconclusive checks and known failures are `other`, errors `failed` with the raw status `error`. */
export function ctrfReport(report: ConformReport, options: ReadingOptions = {}): string {
  const evidence = new Evidence(report);
  const tests = report.checks.map((check) => ({
    name: check.id,
    status: statusOf(check, options),
    duration: 0,
    suite: [check.suite],
    message: visible(
      check.known
        ? `known until ${check.known.expires}: ${check.known.reason}; ${check.message}`
        : check.message,
    ),
    rawStatus: check.outcome as string,
    tags: [...check.covers] as string[],
    ...(check.outcome === 'failed' ? { trace: traceOf(check, report, evidence) } : {}),
    extra: { title: check.title, evidence: check.evidence },
  }));
  const more = [
    ...(report.baseline?.problems ?? []).map((problem) => ({ name: problem, suite: ['baseline'] })),
    ...(report.stopped === undefined ? [] : [{ name: report.stopped, suite: ['run'] }]),
  ].map((each) => ({ ...each, status: 'failed' as Status, duration: 0, message: visible(each.name) }));
  const all = [...tests, ...more];
  const statuses = (status: Status) => all.filter((test) => test.status === status).length;
  const start = Math.max(0, Date.parse(report.started) || 0);
  const document = {
    reportFormat: 'CTRF',
    specVersion: SPEC_VERSION,
    ...(start > 0 ? { timestamp: report.started } : {}),
    generatedBy: 'taskdouble',
    results: {
      tool: { name: 'taskdouble', version: report.taskdouble },
      summary: {
        tests: all.length,
        passed: statuses('passed'),
        failed: statuses('failed'),
        skipped: statuses('skipped'),
        pending: statuses('pending'),
        other: statuses('other'),
        suites: suitesOf(report).length,
        start,
        stop: start + Math.round(report.duration_ms),
        duration: Math.round(report.duration_ms),
      },
      tests: all,
      environment: {
        testEnvironment: nameOf(report),
        healthy: verdictOf(report, options) === 'conforms',
        extra: {
          seed: report.seed,
          dialect: report.dialect,
          ...(report.target.time === undefined ? {} : { time: report.target.time }),
        },
      },
      extra: {
        requirements: report.requirements,
        ...(report.advice ? { advice: report.advice } : {}),
        ...(report.searched ? { searched: report.searched } : {}),
      },
    },
  };
  return toJson(document);
}

function statusOf(check: CheckResult, options: ReadingOptions): Status {
  if (fails(check, options)) return 'failed';
  return check.outcome === 'passed' || check.outcome === 'skipped' ? check.outcome : 'other';
}

function traceOf(check: CheckResult, report: ConformReport, evidence: Evidence): string {
  const requirement = requirementOf(check);
  const lines = requirement ? [inWords(requirement)] : [];
  for (const exchange of evidence.of(check, MOST_EXCHANGES)) {
    lines.push('', ...exchangeLines(exchange, LONGEST_BODY), ...repeatOf(exchange, report));
  }
  lines.push(...againOf(check));
  return lines.join('\n').trim();
}
