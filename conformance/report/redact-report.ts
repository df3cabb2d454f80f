import { redactExchange, redactSecrets, redactText } from '../../spec/redact.js';
import type { ConformReport } from '../service/runner/result.js';

/** The report without keys, cookies, passwords and the given secrets. A copy; doing it twice changes nothing more. */
export function redactReport(report: ConformReport, secrets: readonly string[] = []): ConformReport {
  const text = (given: string) => redactSecrets(redactText(given), secrets);
  const shown: ConformReport = {
    ...report,
    target: targetOf(report, text),
    checks: report.checks.map((check) => ({
      ...check,
      message: text(check.message),
      ...(check.again === undefined ? {} : { again: text(check.again) }),
    })),
    exchanges: report.exchanges.map((exchange) => redactExchange(exchange, secrets)),
    requirements: {
      ...report.requirements,
      untested: report.requirements.untested.map((each) => ({ ...each, why: text(each.why) })),
    },
  };
  if (report.stopped !== undefined) shown.stopped = text(report.stopped);
  if (report.advice) shown.advice = report.advice.map((each) => ({ ...each, message: text(each.message) }));
  if (report.searched) {
    const { statement, unsteady } = report.searched;
    shown.searched = { ...report.searched, statement: text(statement), unsteady: unsteady.map(text) };
  }
  return shown;
}

function targetOf({ target }: ConformReport, text: (given: string) => string): ConformReport['target'] {
  const { base_url, client } = target;
  return { ...target, base_url: text(base_url), ...(client === undefined ? {} : { client: text(client) }) };
}
