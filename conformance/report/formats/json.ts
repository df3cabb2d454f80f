import type { Exchange } from '../../../spec/vocabulary.js';
import type { ConformReport } from '../../service/runner/result.js';
import { shorten, toJson } from '../text.js';

/** Longest body in the report, in characters. */
const LONGEST_BODY = 16 * 1024;

/** The report as JSON; its schema is report.schema.json. What a run knows beyond that is left out. */
export function jsonReport(report: ConformReport): string {
  const { taskdouble, target, seed, started, duration_ms, summary, stopped, baseline, searched, sequences } =
    report;
  const { checks, causes, failures, advice, gaps, exchanges, shortened, dialect, requirements } = report;
  return toJson({
    taskdouble,
    target,
    seed,
    started,
    duration_ms,
    summary,
    stopped,
    baseline,
    searched,
    sequences,
    checks,
    causes,
    failures,
    advice,
    gaps,
    exchanges: exchanges.map(exchangeOf),
    shortened,
    dialect,
    requirements,
  });
}

function exchangeOf(exchange: Exchange): Exchange {
  const { request, response } = exchange;
  const shown: Exchange = { ...exchange, request: { ...request } };
  if (request.body !== undefined) shown.request.body = shorten(request.body, LONGEST_BODY);
  if (response) shown.response = { ...response, body: shorten(response.body, LONGEST_BODY) };
  return shown;
}
