import { formatSuggestion } from '../../spec/nearest.js';

export const FORMATS = [
  'pretty',
  'json',
  'junit',
  'tap',
  'html',
  'markdown',
  'ctrf',
  'badge',
  'brief',
  'codequality',
  'sarif',
] as const;
export type Format = (typeof FORMATS)[number];

/** A requested report. Without a path it is written to stdout. */
export interface ReportTarget {
  format: Format;
  path?: string;
}

/** An error when writing or reading a report; the message is one line that says what to do. */
export class ReportError extends Error {
  override readonly name = 'ReportError';
}

/**
 * Parses `junit=out.xml` or `json`, and adds `pretty` if no other format goes to stdout. Throws ReportError, also if two
 * reports have the same path.
 */
export function parseReportFlags(flags: readonly string[]): ReportTarget[] {
  const targets = flags.map(parseReportFlag);
  const onStdout = targets.filter(({ path }) => path === undefined).map(({ format }) => format);
  if (onStdout.length > 1) {
    throw new ReportError(
      `--report: ${onStdout.join(' and ')} would be mixed on stdout; give all but one a path, as in ${onStdout[1]}=FILE`,
    );
  }
  const paths = targets.flatMap(({ path }) => path ?? []);
  const twice = paths.find((path, index) => paths.indexOf(path) !== index);
  if (twice !== undefined) {
    throw new ReportError(`--report: two reports would be written to ${twice}; give each a path of its own`);
  }
  return onStdout.length > 0 ? targets : [{ format: 'pretty' }, ...targets];
}

function parseReportFlag(flag: string): ReportTarget {
  const mark = flag.indexOf('=');
  const name = (mark === -1 ? flag : flag.slice(0, mark)).trim();
  const format = FORMATS.find((each) => each === name);
  if (format === undefined) {
    const advice = formatSuggestion(name.toLowerCase(), FORMATS);
    const found = JSON.stringify(name);
    throw new ReportError(
      `--report: expected one of ${FORMATS.join(', ')}, with =PATH or without; found ${found}${advice}`,
    );
  }
  if (mark === -1) return { format };
  const path = flag.slice(mark + 1).trim();
  if (path === '') {
    throw new ReportError(
      `--report ${format}=: expected a path after "="; write ${format}=FILE, or ${format} for stdout`,
    );
  }
  return { format, path };
}
