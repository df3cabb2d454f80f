import { mkdir, writeFile } from 'node:fs/promises';
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
import { checkReportTargets, type Format, ReportError, type ReportTarget } from './formats.js';
import { coloured } from './palette.js';
import { redactReport } from './redact-report.js';
import type { ReadingOptions } from './view.js';

export interface Output {
  write(text: string): unknown;
  isTTY?: boolean | undefined;
  columns?: number | undefined;
}

/** Where reports go. */
export interface ReportIo {
  stdout: Output;
  /** NO_COLOR, FORCE_COLOR and TERM are read. Default: those of the process. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Default: writes the file, making the directories above it. */
  writeFile?(path: string, text: string): Promise<void>;
}

export interface ReportOptions extends ReadingOptions {
  /** Values that must not be in any report, keys above all. What is told by its name is left out anyway. */
  secrets?: readonly string[];
}

type Render = (report: ConformReport, options: ReadingOptions & { path?: string | undefined }) => string;

const RENDER: Readonly<Record<Exclude<Format, 'pretty'>, Render>> = {
  json: jsonReport,
  junit: junitReport,
  tap: tapReport,
  html: htmlReport,
  markdown: markdownReport,
  ctrf: ctrfReport,
  badge: badgeReport,
};

/** Writes all reports asked for. Throws ReportError where one cannot be written, after the others were. */
export async function writeReports(
  report: ConformReport,
  targets: readonly ReportTarget[],
  io: ReportIo,
  options: ReportOptions = {},
): Promise<void> {
  checkReportTargets(targets);
  const { secrets = [], strict } = options;
  const shown = redactReport(report, secrets);
  await writeAll(targets, io, ({ format, path }, colour) =>
    format === 'pretty' ? prettyReport(shown, { strict, colour }) : RENDER[format](shown, { strict, path }),
  );
}

/** Renders each and puts it where it belongs. */
export async function writeAll(
  targets: readonly ReportTarget[],
  io: ReportIo,
  render: (target: ReportTarget, colour: boolean) => string,
): Promise<void> {
  const failed: string[] = [];
  for (const target of targets) {
    const { path, format } = target;
    if (path === undefined) {
      io.stdout.write(render(target, coloured(io.stdout, io.env ?? process.env)));
      continue;
    }
    const text = render(target, false);
    await (io.writeFile ?? writeWhole)(path, text).catch((error) => {
      failed.push(`--report ${format}: ${path} could not be written: ${reasonOf(error)}`);
    });
  }
  if (failed.length > 0) throw new ReportError(failed.join('; '));
}

async function writeWhole(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EISDIR') return 'it is a directory; name a file';
  if (code === 'EACCES' || code === 'EROFS') return 'not allowed to write there';
  if (code === 'ENOTDIR' || code === 'EEXIST') return 'what stands above it is no directory';
  return message;
}
