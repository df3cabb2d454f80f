import { redactExchange, redactSecrets, redactText } from '../../spec/redact.js';
import { mapFields } from '../common/map-fields.js';
import type { ConformReport } from '../service/runner/result.js';

/** Fields with running text. Ids and names stay: other fields refer to them. */
const TEXTS: ReadonlySet<string> = new Set([
  ...['base_url', 'client', 'title', 'message', 'again', 'timeline', 'reported', 'why', 'stopped', 'gaps'],
  ...['statement', 'nondeterministic', 'likely_source', 'expected', 'actual'],
]);

/** Returns a copy without keys, cookies, passwords and the given secrets. Idempotent. */
export function redactReport(report: ConformReport, secrets: readonly string[] = []): ConformReport {
  const { exchanges, ...others } = report;
  const redact = (value: unknown): unknown => {
    if (typeof value === 'string') return redactSecrets(redactText(value), secrets);
    return Array.isArray(value) ? value.map(redact) : value;
  };
  return {
    ...mapFields(others, TEXTS, redact),
    exchanges: exchanges.map((exchange) => redactExchange(exchange, secrets)),
  };
}
