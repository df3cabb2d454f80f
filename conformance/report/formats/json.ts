import type { Exchange } from '../../../spec/vocabulary.js';
import { shorten, toJson } from '../../common/text.js';
import type { ConformReport } from '../../service/runner/result.js';
import type { ReportView } from '../view.js';

/** Longest body in the report, in characters. */
const LONGEST_BODY = 16 * 1024;

/**
 * The report as JSON by report.schema.json, without other data of the run. Exchanges that only concern passed checks are left
 * out and counted, unless `all` is given.
 */
export function formatJsonReport(view: ReportView): string {
  const { report, options } = view;
  const shown = options.all ? report.exchanges : view.listRelevantExchanges();
  const leftOut = (report.left_out ?? 0) + report.exchanges.length - shown.length;
  return toJson({
    ...Object.fromEntries(FIELDS.map((name) => [name, report[name]])),
    exchanges: shown.map(shortenExchange),
    ...(leftOut > 0 && { left_out: leftOut }),
  });
}

/** In reading order. */
const FIELDS = Object.keys({
  taskdouble: true,
  target: true,
  seed: true,
  shard: true,
  started: true,
  duration_ms: true,
  summary: true,
  stopped: true,
  baseline: true,
  searched: true,
  sequences: true,
  needs: true,
  operations: true,
  checks: true,
  causes: true,
  failures: true,
  advice: true,
  gaps: true,
  exchanges: true,
  shortened: true,
  left_out: true,
  dialect: true,
  requirements: true,
} satisfies Record<keyof ConformReport, true>) as (keyof ConformReport)[];

function shortenExchange(exchange: Exchange): Exchange {
  const { request, response, upstream } = exchange;
  const shown: Exchange = { ...exchange, request: shortenBody(request) };
  if (response) shown.response = shortenBody(response);
  if (upstream)
    shown.upstream = upstream.map((each) => ({
      ...each,
      ...(each.response && { response: shortenBody(each.response) }),
    }));
  return shown;
}

/** Omits the bytes of a binary body, which the body describes. */
function shortenBody<T extends { body?: string; body_base64?: string }>(message: T): T {
  const { body_base64: _, ...shown } = message;
  return (shown.body === undefined ? shown : { ...shown, body: shorten(shown.body, LONGEST_BODY) }) as T;
}
