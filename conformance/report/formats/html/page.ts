import { selfContainedPage } from '../../../../mock/pages/self-contained-page.js';
import { oneLine } from '../../../../spec/visible.js';
import type { ReportView } from '../../view.js';
import { reportPage, titleOf } from './report-page.js';
import { staticReport } from './static-report.js';

/**
 * One file that needs nothing else: causes, checks, exchanges in studio's viewer; a summary for printing and for readers without
 * JavaScript.
 */
export function htmlReport(view: ReportView): string {
  return selfContainedPage(oneLine(titleOf(view)), reportPage(view), staticReport(view));
}
