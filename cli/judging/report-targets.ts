import {
  checkReportTargets,
  parseReportFlag,
  ReportError,
  type ReportTarget,
  withPretty,
} from '../../conformance/report/formats.js';
import { Mistake } from '../usage-error.js';
import { checkWritable } from './outputs.js';

/**
 * The reports asked for, those to files first, and `pretty` on stdout where nothing else goes there. Throws Mistake for what
 * is no report, and for a file that cannot be written.
 */
export function reportTargets(flags: readonly string[]): ReportTarget[] {
  const targets = orMistake(() => {
    const all = withPretty(flags.map(parseReportFlag));
    checkReportTargets(all);
    return all;
  });
  for (const { format, path } of targets) if (path !== undefined) checkWritable(`--report ${format}`, path);
  return targets.sort((one, other) => Number(one.path === undefined) - Number(other.path === undefined));
}

/** What reports complain about is a mistake of whoever asked for them. */
export function orMistake<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw error instanceof ReportError ? new Mistake(error.message) : error;
  }
}
