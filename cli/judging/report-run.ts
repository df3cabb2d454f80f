import { writeFile } from 'node:fs/promises';
import { toHar } from '../../conformance/har/har.js';
import type { Baseline } from '../../conformance/report/baseline.js';
import { ReportError, type ReportTarget } from '../../conformance/report/formats.js';
import { verdictLine } from '../../conformance/report/verdict.js';
import { type Output, writeReports } from '../../conformance/report/write.js';
import { dialectFile } from '../../conformance/service/dialect/dialect-file.js';
import type { ConformReport } from '../../conformance/service/runner/result.js';
import { EXIT } from '../exit-codes.js';
import { print, printError, printWarning } from '../print.js';
import { readBaseline } from './inputs.js';
import { type Interrupt, interruptible } from './interrupt.js';
import { checkWritable, reportTargets } from './outputs.js';
import { exitCodeOf, type Judged } from './verdict.js';

/** The files that a run reads and writes, as its flags name them. */
export interface RunFiles {
  report?: string[] | undefined;
  baseline?: string | undefined;
  har?: string | undefined;
  dialect_out?: string | undefined;
  strict?: boolean | undefined;
}

export interface ReportedRun {
  files: RunFiles;
  secrets?: readonly string[];
  /** What happens after Ctrl-C before the command exits: `ending the client`. */
  cleanUp: string;
  run: (interrupt: Interrupt, baseline: Baseline | undefined) => Promise<Judged>;
  /** Called once the report is written. */
  finish?: () => void;
}

/**
 * Runs `conform`, `client` or `explore`, writes the reports and sets the exit code to the verdict. Checks every file before the run
 * begins. Throws UsageError and InvalidFile.
 */
export async function reportRun({ files, secrets = [], cleanUp, run, finish }: ReportedRun): Promise<void> {
  const targets = reportTargets(files.report ?? []);
  const baseline = files.baseline === undefined ? undefined : readBaseline(files.baseline);
  if (files.dialect_out !== undefined) checkWritable('--dialect-out', files.dialect_out);
  if (files.har !== undefined) checkWritable('--har', files.har);
  const interrupt = interruptible(printWarning, cleanUp);
  try {
    const report = await run(interrupt, baseline);
    const code = exitCodeOf(report, { strict: files.strict === true, interrupted: interrupt.code });
    // Set before the output is written: a reader that stops reading ends the process.
    process.exitCode = code;
    const isWritten = await writeResults(report, targets, files, secrets);
    if (!isWritten && code === EXIT.ok) process.exitCode = EXIT.usage;
    finish?.();
  } finally {
    interrupt.release();
  }
}

/**
 * Writes all outputs, stdout last; false when an output could not be written, which is reported. The verdict of a report that did not
 * reach stdout is printed on stderr.
 */
async function writeResults(
  report: ConformReport,
  targets: readonly ReportTarget[],
  { dialect_out, har, strict = false }: RunFiles,
  secrets: readonly string[],
): Promise<boolean> {
  let printed = Promise.resolve(true);
  const stdout: Output = {
    isTTY: process.stdout.isTTY,
    write(text) {
      printed = print(text);
    },
  };
  const problems = [
    dialect_out && (await write('--dialect-out', dialect_out, dialectFile(report))),
    har && (await write('--har', har, harText(report, secrets))),
    await writeReports(report, targets, stdout, { strict, secrets }).then(() => '', messageOf),
  ].flatMap((problem) => problem || []);
  for (const problem of problems) printError(problem);
  const isPrinted = await printed;
  if (!isPrinted) printWarning(verdictLine(report, { strict }));
  return problems.length === 0 && isPrinted;
}

async function write(option: string, path: string, text: string): Promise<string> {
  const failed = (error: Error) => `${option}: ${path} could not be written: ${error.message}`;
  return writeFile(path, text).then(() => '', failed);
}

function harText({ exchanges, target, taskdouble }: ConformReport, secrets: readonly string[]): string {
  const har = toHar(exchanges, { base_url: target.base_url, secrets, version: taskdouble });
  return `${JSON.stringify(har, null, 2)}\n`;
}

function messageOf(error: unknown): string {
  if (error instanceof ReportError) return error.message;
  throw error;
}
