import { nearest } from '../../spec/nearest.js';

/** Forms a report can take. */
export const FORMATS = ['pretty', 'json', 'junit', 'tap', 'html', 'markdown', 'ctrf', 'badge'] as const;
export type Format = (typeof FORMATS)[number];

/** A report that was asked for. Without a path it goes to stdout. */
export interface ReportTarget {
  format: Format;
  path?: string;
}

/** A report that cannot be written or read as asked: told in one line, with what to do. */
export class ReportError extends Error {
  override readonly name = 'ReportError';
}

/** Reads `junit=out.xml`, or `json`. Throws ReportError. */
export function parseReportFlag(flag: string): ReportTarget {
  const mark = flag.indexOf('=');
  const name = (mark === -1 ? flag : flag.slice(0, mark)).trim();
  const format = FORMATS.find((each) => each === name);
  if (format === undefined) {
    const meant = nearest(name.toLowerCase(), FORMATS);
    const advice = meant === undefined ? '' : `; did you mean ${meant}?`;
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

/** Holds all reports asked for against each other. Throws ReportError where two would be written over each other. */
export function checkReportTargets(targets: readonly ReportTarget[]): void {
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
}

/** The reports asked for, and `pretty` on stdout where nothing else goes there. */
export function withPretty(targets: readonly ReportTarget[]): ReportTarget[] {
  return targets.some(({ path }) => path === undefined) ? [...targets] : [{ format: 'pretty' }, ...targets];
}
