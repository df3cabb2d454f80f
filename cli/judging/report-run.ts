import { formatCount } from '../../conformance/common/text.js';
import {
  applyBaseline,
  type Baseline,
  type BaselineOptions,
  listUnneededEntries,
  loadBaseline,
} from '../../conformance/report/baseline.js';
import { formatBaseline, removeEntries } from '../../conformance/report/baseline-file.js';
import { ReportError } from '../../conformance/report/formats.js';
import { redactReport } from '../../conformance/report/redact-report.js';
import { decideVerdict, formatVerdict, type ReportVerdict } from '../../conformance/report/verdict.js';
import { writeReports } from '../../conformance/report/write.js';
import { formatDialectFile } from '../../conformance/service/dialect/dialect-file.js';
import type { ConformReport } from '../../conformance/service/runner/result.js';
import { toHar } from '../../mock/exchange/readers/har-writer.js';
import { readFile } from '../../mock/options/files.js';
import { InvalidFile } from '../../scenarios/format/invalid-file.js';
import { redactSecrets } from '../../spec/redact.js';
import { EXIT, UsageError } from '../exit-codes.js';
import { print, printError, printWarning } from '../print.js';
import { createInterrupt, type Interrupt, NO_INTERRUPT } from './interrupt.js';
import { checkWritable, parseReportTargets, writeOutput } from './outputs.js';

/** The flags about files that a run reads and writes. */
export interface RunFiles {
  /** FORMAT or FORMAT=PATH. */
  report?: string[] | undefined;
  baseline?: string | undefined;
  writeBaseline?: string | undefined;
  updateBaseline?: boolean | undefined;
  har?: string | undefined;
  dialectOut?: string | undefined;
  lacksOut?: string | undefined;
  /** Capabilities that are declared as lacking. */
  lacks?: readonly string[] | undefined;
  strict?: boolean | undefined;
  all?: boolean | undefined;
}

/** `faults`: test cases that crashed. */
export type JudgedReport = ConformReport & { faults?: readonly string[] };

export interface ReportedRun {
  files: RunFiles;
  secrets?: readonly string[];
  /** Describes the work between Ctrl-C and the exit: `ending the client`. Undefined: the command exits at once, without a report. */
  cleanUp: string | undefined;
  run: (interrupt: Interrupt, baseline: Baseline | undefined) => Promise<JudgedReport>;
  /** Ids of the checks that the selection excludes; undefined for a search, which does not run every check. */
  listUnselected: (() => readonly string[] | Promise<readonly string[]>) | undefined;
  /** Called after the report is written. */
  finish?: () => void;
}

/**
 * Runs `conform`, `client` or `explore`, writes the reports and sets the exit code to the verdict. Checks every file before the run
 * begins. Throws UsageError and InvalidFile.
 */
export async function reportRun(reported: ReportedRun): Promise<void> {
  const { files, secrets = [], cleanUp, run, listUnselected, finish } = reported;
  const { strict = false, all, dialectOut, lacksOut, lacks = [], har, writeBaseline, updateBaseline } = files;
  const targets = parseReportTargets(files.report ?? []);
  if (updateBaseline && files.baseline === undefined)
    throw new UsageError('--update-baseline: which file? Name it with --baseline FILE.');
  const baseline = files.baseline === undefined ? undefined : readBaseline(files.baseline);
  if (updateBaseline) checkWritable('--update-baseline', files.baseline!);
  if (writeBaseline !== undefined) checkWritable('--write-baseline', writeBaseline);
  if (dialectOut !== undefined) checkWritable('--dialect-out', dialectOut);
  if (lacksOut !== undefined) checkWritable('--lacks-out', lacksOut);
  if (har !== undefined) checkWritable('--har', har);
  const interrupt = cleanUp === undefined ? NO_INTERRUPT : createInterrupt(printWarning, cleanUp);
  try {
    const result = await run(interrupt, baseline);
    for (const fault of result.faults ?? [])
      printError(redactSecrets(`a fault of taskdouble itself in ${fault}`, secrets));
    const redacted = redactReport(result, secrets);
    const judged = {
      today: formatToday(),
      unselected: await listUnselected?.(),
      isPartial: listUnselected === undefined,
    };
    const kept = baseline && updateBaseline ? pruneBaseline(redacted, baseline, judged) : baseline;
    const report: JudgedReport = kept ? applyBaseline(redacted, kept, judged) : redacted;
    // Set before the output is written: a reader that stops reading ends the process.
    process.exitCode = computeExitCode(report, { strict, interrupted: interrupt.code });
    if (dialectOut !== undefined) writeOutput('--dialect-out', dialectOut, formatDialectFile(report));
    if (lacksOut !== undefined)
      writeOutput('--lacks-out', lacksOut, formatLacks([...lacks, ...(report.operations?.lacks ?? [])]));
    if (har !== undefined) writeOutput('--har', har, formatHar(report, secrets));
    if (writeBaseline !== undefined) writeKnownFailures(writeBaseline, report);
    let printed = Promise.resolve(true);
    const stdout = {
      isTTY: process.stdout.isTTY,
      columns: process.stdout.columns,
      write(text: string) {
        printed = print(text);
      },
    };
    await writeReports(report, targets, stdout, { strict, all }).catch((error) => {
      if (!(error instanceof ReportError)) throw error;
      printError(error.message);
      process.exitCode ||= EXIT.usage;
    });
    // The verdict of a report that did not reach stdout.
    if (!(await printed)) printWarning(formatVerdict(report, { strict }));
    finish?.();
  } finally {
    interrupt.release();
  }
}

function readBaseline(path: string): Baseline {
  const { baseline, problems } = loadBaseline(readFile(path), path);
  if (baseline === undefined) throw new InvalidFile(problems);
  return baseline;
}

/** Removes the unneeded entries from the file, and returns the others. */
function pruneBaseline(report: ConformReport, baseline: Baseline, judged: BaselineOptions): Baseline {
  const { file, entries } = baseline;
  const unneeded = listUnneededEntries(report, baseline, judged);
  if (unneeded.length === 0) return baseline;
  const text = removeEntries(readFile(file), baseline, unneeded);
  if (text === undefined) {
    const listed = unneeded.map((at) => entries[at]!.check).join(', ');
    printWarning(
      `${file}: not changed, because other entries use anchors of these: remove ${listed} by hand`,
    );
    return baseline;
  }
  if (!writeOutput('--update-baseline', file, text)) return baseline;
  printWarning(
    `${file}: ${formatCount(unneeded.length, 'entry', 'entries')} removed, which nothing needs any more`,
  );
  return { file, entries: entries.filter((_, at) => !unneeded.includes(at)) };
}

function writeKnownFailures(file: string, report: ConformReport): void {
  if (!writeOutput('--write-baseline', file, formatBaseline(report))) return;
  const failures = formatCount(report.summary.failed, 'failure');
  printWarning(`${file}: ${failures} by cause; fill in each reason and expiry, then use it with --baseline`);
}

/** YYYY-MM-DD, in UTC. */
export function formatToday(): string {
  return new Date().toISOString().slice(0, 10);
}

/** In the format of the configuration. */
function formatLacks(lacks: readonly string[]): string {
  return `# What the service lacks, as the configuration of taskdouble names it.\nlacks: [${lacks.join(', ')}]\n`;
}

function formatHar({ exchanges, target, taskdouble }: ConformReport, secrets: readonly string[]): string {
  const har = toHar(exchanges, { base_url: target.base_url, secrets, version: taskdouble });
  return `${JSON.stringify(har, null, 2)}\n`;
}

interface ExitContext {
  strict: boolean;
  /** The exit code of the signal that ended the run. */
  interrupted?: number | undefined;
}

const EXIT_CODES: Readonly<Record<ReportVerdict, number>> = {
  conforms: EXIT.ok,
  incomplete: EXIT.unreachable,
  violations: EXIT.violation,
  untested: EXIT.unreachable,
  crashed: EXIT.fault,
};

/** The exit code of a run. It is 0 only if a check passed or is a known failure. */
export function computeExitCode(report: JudgedReport, { strict, interrupted }: ExitContext): number {
  if (interrupted !== undefined) return interrupted;
  // The result of a crashed check is unknown, so the verdict is incomplete.
  if (report.faults?.length || report.checks.some(({ outcome }) => outcome === 'error')) return EXIT.fault;
  // In a run that ended early, inconclusive checks do not count.
  return EXIT_CODES[decideVerdict(report, { strict: strict && report.stopped === undefined })];
}
