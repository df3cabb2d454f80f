import {
  checkReportTargets,
  parseReportFlag,
  ReportError,
  type ReportTarget,
  withPretty,
} from '../../conformance/report/formats.js';
import { UsageError } from '../usage-error.js';
import { checkWritable } from './outputs.js';

/**
 * The reports asked for, those to files first, and `pretty` on stdout where nothing else goes there. Throws UsageError for what
 * is no report, and for a file that cannot be written.
 */
export function reportTargets(flags: readonly string[]): ReportTarget[] {
  const targets = asUsageError(() => {
    const all = withPretty(flags.map(parseReportFlag));
    checkReportTargets(all);
    return all;
  });
  for (const { format, path } of targets) if (path !== undefined) checkWritable(`--report ${format}`, path);
  return targets.sort((one, other) => Number(one.path === undefined) - Number(other.path === undefined));
}

/** A report that cannot be written as asked for is a usage error. */
export function asUsageError<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw error instanceof ReportError ? new UsageError(error.message) : error;
  }
}
