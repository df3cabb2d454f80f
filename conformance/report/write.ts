import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ConformReport } from '../service/runner/result.js';
import { badgeReport } from './formats/badge.js';
import { ctrfReport } from './formats/ctrf.js';
import { htmlReport } from './formats/html/page.js';
import { jsonReport } from './formats/json.js';
import { junitReport } from './formats/junit.js';
import { markdownReport } from './formats/markdown.js';
import { prettyReport } from './formats/pretty.js';
import { tapReport } from './formats/tap.js';
import { type Format, ReportError, type ReportTarget } from './formats.js';
import { makeDirectory } from './make-directory.js';
import { coloured } from './palette.js';
import type { ReadingOptions } from './verdict.js';
import { ReportView } from './view.js';

export interface Output {
  write(text: string): unknown;
  isTTY?: boolean | undefined;
  columns?: number | undefined;
}

type Render = (view: ReportView, colour: boolean, path: string | undefined) => string;

const RENDER: Readonly<Record<Format, Render>> = {
  pretty: prettyReport,
  json: ({ report }) => jsonReport(report),
  junit: junitReport,
  tap: tapReport,
  html: htmlReport,
  markdown: markdownReport,
  ctrf: ctrfReport,
  badge: (view, _, path) => badgeReport(view, path),
};

/** Writes all reports asked for of a redacted report. Throws ReportError where one cannot be written, after the others were. */
export async function writeReports(
  report: ConformReport,
  targets: readonly ReportTarget[],
  stdout: Output,
  options: ReadingOptions = {},
): Promise<void> {
  const view = new ReportView(report, options);
  await writeAll(targets, stdout, ({ format, path }, colour) => RENDER[format](view, colour, path));
}

/** Renders each and puts it where it belongs. */
export async function writeAll(
  targets: readonly ReportTarget[],
  stdout: Output,
  render: (target: ReportTarget, colour: boolean) => string,
): Promise<void> {
  const failed: string[] = [];
  for (const target of targets) {
    const { path, format } = target;
    if (path === undefined) stdout.write(render(target, coloured(stdout, process.env)));
    else
      await writeWhole(path, render(target, false)).catch((error) => {
        failed.push(`--report ${format}: ${path} could not be written: ${error.message}`);
      });
  }
  if (failed.length > 0) throw new ReportError(failed.join('; '));
}

async function writeWhole(path: string, text: string): Promise<void> {
  makeDirectory(dirname(path));
  await writeFile(path, text);
}
