import type { Exchange } from '../../../spec/vocabulary.js';
import type { Advice, CheckResult, ConformReport } from '../../service/runner/result.js';
import { shorten, toJson } from '../text.js';

/** Longest body in the report, in characters. */
const LONGEST_BODY = 16 * 1024;

/** The report as JSON; its schema is report.schema.json. */
export function jsonReport(report: ConformReport): string {
  const { taskdouble, target, seed, started, duration_ms, summary, dialect, requirements } = report;
  const shown: ConformReport = {
    taskdouble,
    target: targetOf(target),
    seed,
    started,
    duration_ms,
    summary,
    ...(report.stopped === undefined ? {} : { stopped: report.stopped }),
    ...(report.baseline === undefined ? {} : { baseline: report.baseline }),
    ...(report.searched === undefined ? {} : { searched: report.searched }),
    checks: report.checks.map(checkOf),
    ...(report.advice === undefined ? {} : { advice: report.advice.map(adviceOf) }),
    exchanges: report.exchanges.map(exchangeOf),
    ...(report.shortened === undefined ? {} : { shortened: report.shortened }),
    dialect,
    requirements,
  };
  return toJson(shown);
}

function targetOf({ base_url, client, time }: ConformReport['target']): ConformReport['target'] {
  return { base_url, ...(client === undefined ? {} : { client }), ...(time === undefined ? {} : { time }) };
}

function checkOf(check: CheckResult): CheckResult {
  const { id, case: name, suite, title, covers, outcome, message, evidence, again, known } = check;
  const more = { ...(again === undefined ? {} : { again }), ...(known ? { known } : {}) };
  return { id, case: name, suite, title, covers, outcome, message, evidence, ...more };
}

function adviceOf({ id, scenario, rule, message, evidence }: Advice): Advice {
  return { id, scenario, rule, message, evidence };
}

function exchangeOf(exchange: Exchange): Exchange {
  const { request, response } = exchange;
  const shown: Exchange = { ...exchange, request: { ...request } };
  if (request.body !== undefined) shown.request.body = shorten(request.body, LONGEST_BODY);
  if (response) shown.response = { ...response, body: shorten(response.body, LONGEST_BODY) };
  return shown;
}
