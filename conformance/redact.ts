import { redactExchange, redactSecrets } from '../spec/redact.js';
import type { ConformReport } from './service/result.js';

/** A report in which the service may have repeated a key: without it. A copy. */
export function redactReport<Report extends ConformReport>(report: Report, keys: readonly string[]): Report {
  const text = (given: string) => redactSecrets(given, keys);
  const shown: Report = {
    ...report,
    checks: report.checks.map((check) => ({ ...check, message: text(check.message) })),
    exchanges: report.exchanges.map((exchange) => redactExchange(exchange, keys)),
    dialect: Object.fromEntries(
      Object.entries(report.dialect).map(([id, choice]) => [
        id,
        typeof choice === 'string' ? text(choice) : choice,
      ]),
    ),
    requirements: {
      ...report.requirements,
      untested: report.requirements.untested.map(({ id, why }) => ({ id, why: text(why) })),
    },
  };
  if (report.stopped !== undefined) shown.stopped = text(report.stopped);
  return shown;
}
