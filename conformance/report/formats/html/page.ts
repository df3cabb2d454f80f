import { renderSelfContainedPage } from '../../../../mock/pages/self-contained-page.js';
import { toOneLine } from '../../../../spec/visible.js';
import type { ReportView } from '../../view.js';
import { createReportPage, formatTitle } from './report-page.js';
import { formatStaticReport } from './static-report.js';

/**
 * One file that needs nothing else: causes, checks, exchanges in studio's viewer; a summary for printing and for readers without
 * JavaScript.
 */
export function formatHtmlReport(view: ReportView): string {
  return renderSelfContainedPage(
    toOneLine(formatTitle(view)),
    createReportPage(view),
    formatStaticReport(view),
  );
}
