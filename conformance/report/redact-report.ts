import { redactExchange, redactSecrets, redactText } from '../../spec/redact.js';
import type { ConformReport } from '../service/result.js';

/** The report without keys, cookies, passwords and the given secrets. A copy; doing it twice changes nothing more. */
export function redactReport(report: ConformReport, secrets: readonly string[] = []): ConformReport {
  const text = (given: string) => redactSecrets(redactText(given), secrets);
  const shown: ConformReport = {
    ...report,
    target: { ...report.target, base_url: text(report.target.base_url) },
    checks: report.checks.map((check) => ({ ...check, message: text(check.message) })),
    exchanges: report.exchanges.map((exchange) => redactExchange(exchange, secrets)),
    requirements: {
      ...report.requirements,
      untested: report.requirements.untested.map((each) => ({ ...each, why: text(each.why) })),
    },
  };
  if (report.stopped !== undefined) shown.stopped = text(report.stopped);
  return shown;
}
