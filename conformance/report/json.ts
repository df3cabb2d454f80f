import type { Exchange } from '../../spec/vocabulary.js';
import type { CheckResult, ConformReport } from '../service/result.js';
import { shorten, toJson } from './text.js';

/** Longest body in the report, in characters. */
const LONGEST_BODY = 16 * 1024;

/** The report as JSON; its schema is report.schema.json. */
export function jsonReport(report: ConformReport): string {
  const { taskdouble, target, seed, started, duration_ms, summary, dialect, requirements } = report;
  const shown: ConformReport = {
    taskdouble,
    target: { base_url: target.base_url },
    seed,
    started,
    duration_ms,
    summary,
    ...(report.stopped === undefined ? {} : { stopped: report.stopped }),
    ...(report.baseline === undefined ? {} : { baseline: report.baseline }),
    checks: report.checks.map(checkOf),
    exchanges: report.exchanges.map(exchangeOf),
    dialect,
    requirements,
  };
  return toJson(shown);
}

function checkOf({ id, suite, title, covers, outcome, message, evidence, known }: CheckResult): CheckResult {
  return { id, suite, title, covers, outcome, message, evidence, ...(known ? { known } : {}) };
}

function exchangeOf(exchange: Exchange): Exchange {
  const { request, response } = exchange;
  const shown: Exchange = { ...exchange, request: { ...request } };
  if (request.body !== undefined) shown.request.body = shorten(request.body, LONGEST_BODY);
  if (response) shown.response = { ...response, body: shorten(response.body, LONGEST_BODY) };
  return shown;
}
