import { redactExchange, redactSecrets, redactText } from '../../spec/redact.js';
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

/** Copies plain data, and replaces the values of the fields with these names at any depth. */
export function mapFields<T>(value: T, names: ReadonlySet<string>, map: (value: unknown) => unknown): T;
export function mapFields(
  value: unknown,
  names: ReadonlySet<string>,
  map: (value: unknown) => unknown,
): unknown {
  if (Array.isArray(value)) return value.map((each) => mapFields(each, names, map));
  if (!isPlainObject(value)) return value;
  const fields = Object.entries(value).map(([name, each]) => {
    const copy: unknown = mapFields(each, names, map);
    return [name, names.has(name) ? map(copy) : copy];
  });
  return Object.fromEntries(fields);
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
