/** One stream of results, many forms. */

export {
  applyBaseline,
  type Baseline,
  type BaselineEntry,
  type BaselineOptions,
  loadBaseline,
} from './baseline.js';
export { type Cell, type ComparedTarget, type Comparison, compareReports } from './compare/compare.js';
export { writeComparison } from './compare/formats.js';
export {
  checkReportTargets,
  FORMATS,
  type Format,
  parseReportFlag,
  ReportError,
  type ReportTarget,
  withPretty,
} from './formats.js';
export { globOf } from './glob.js';
export { showProgress } from './progress.js';
export { readReport } from './read-report.js';
export { redactReport } from './redact-report.js';
export {
  fails,
  failuresOf,
  knownOf,
  type ReadingOptions,
  type ReportVerdict as Verdict,
  summaryLine,
  verdictOf,
} from './view.js';
export { type Output, type ReportIo, type ReportOptions, writeReports } from './write.js';
