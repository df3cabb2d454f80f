import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ConformReport } from '../service/runner/result.js';
import { formatBadgeReport } from './formats/badge.js';
import { formatBriefReport } from './formats/brief.js';
import { formatCodeQualityReport } from './formats/code-quality.js';
import { formatCtrfReport } from './formats/ctrf.js';
import { formatHtmlReport } from './formats/html/page.js';
import { formatJsonReport } from './formats/json.js';
import { formatJunitReport } from './formats/junit.js';
import { formatMarkdownReport } from './formats/markdown.js';
import { formatPrettyReport } from './formats/pretty.js';
import { formatSarifReport } from './formats/sarif.js';
import { formatTapReport } from './formats/tap.js';
import { type Format, ReportError, type ReportTarget } from './formats.js';
import { makeDirectory } from './make-directory.js';
import { type Display, type Output, PLAIN_DISPLAY, readDisplay } from './terminal.js';
import type { ReadingOptions } from './verdict.js';
import { ReportView } from './view.js';

type Renderer = (view: ReportView, display: Display, path: string | undefined) => string;

const RENDERERS: Readonly<Record<Format, Renderer>> = {
  pretty: formatPrettyReport,
  json: formatJsonReport,
  brief: formatBriefReport,
  junit: formatJunitReport,
  tap: formatTapReport,
  html: formatHtmlReport,
  markdown: formatMarkdownReport,
  ctrf: formatCtrfReport,
  badge: (view, _, path) => formatBadgeReport(view, path),
  codequality: formatCodeQualityReport,
  sarif: formatSarifReport,
};

/** Writes the requested reports of a redacted report. Throws ReportError if one cannot be written, after writing the others. */
export async function writeReports(
  report: ConformReport,
  targets: readonly ReportTarget[],
  stdout: Output,
  options: ReadingOptions = {},
): Promise<void> {
  const view = new ReportView(report, options);
  await writeAll(targets, stdout, ({ format, path }, display) => RENDERERS[format](view, display, path));
}

export async function writeAll(
  targets: readonly ReportTarget[],
  stdout: Output,
  render: (target: ReportTarget, display: Display) => string,
): Promise<void> {
  const failed: string[] = [];
  for (const target of targets) {
    const { path, format } = target;
    if (path === undefined) stdout.write(render(target, readDisplay(stdout)));
    else
      await writeReportFile(path, render(target, PLAIN_DISPLAY)).catch((error) => {
        failed.push(`--report ${format}: ${path} could not be written: ${error.message}`);
      });
  }
  if (failed.length > 0) throw new ReportError(failed.join('; '));
}

async function writeReportFile(path: string, text: string): Promise<void> {
  makeDirectory(dirname(path));
  await writeFile(path, text);
}
