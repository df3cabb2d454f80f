import { count } from '../../conformance/common/text.js';
import {
  applyBaseline,
  type Baseline,
  type BaselineOptions,
  loadBaseline,
  unneededEntries,
} from '../../conformance/report/baseline.js';
import { baselineText, withoutEntries } from '../../conformance/report/baseline-file.js';
import { ReportError } from '../../conformance/report/formats.js';
import { redactReport } from '../../conformance/report/redact-report.js';
import { type ReportVerdict, verdictLine, verdictOf } from '../../conformance/report/verdict.js';
import { writeReports } from '../../conformance/report/write.js';
import { dialectFile } from '../../conformance/service/dialect/dialect-file.js';
import type { ConformReport } from '../../conformance/service/runner/result.js';
import { toHar } from '../../mock/exchange/readers/har-writer.js';
import { readFile } from '../../mock/options/files.js';
import { InvalidFile } from '../../scenarios/format/invalid-file.js';
import { redactSecrets } from '../../spec/redact.js';
import { EXIT, UsageError } from '../exit-codes.js';
import { print, printError, printWarning } from '../print.js';
import { type Interrupt, interruptible, NO_INTERRUPT } from './interrupt.js';
import { checkWritable, reportTargets, writeOutput } from './outputs.js';

/** The files that a run reads and writes, as its flags name them. */
export interface RunFiles {
  /** FORMAT or FORMAT=PATH. */
  report?: string[] | undefined;
  baseline?: string | undefined;
  writeBaseline?: string | undefined;
  updateBaseline?: boolean | undefined;
  har?: string | undefined;
  dialectOut?: string | undefined;
  lacksOut?: string | undefined;
  /** What was said to be lacking. */
  lacks?: readonly string[] | undefined;
  strict?: boolean | undefined;
  all?: boolean | undefined;
}

/** A run's report; `faults`: test cases that failed themselves, where the run has not said so. */
export type Judged = ConformReport & { faults?: readonly string[] };

export interface ReportedRun {
  files: RunFiles;
  secrets?: readonly string[];
  /** What happens after Ctrl-C before the command exits: `ending the client`. Undefined: it exits at once, without a report. */
  cleanUp: string | undefined;
  run: (interrupt: Interrupt, baseline: Baseline | undefined) => Promise<Judged>;
  /** Ids of checks that this run was not asked for; undefined for a search, which need not come across everything. */
  outside: (() => readonly string[] | Promise<readonly string[]>) | undefined;
  /** Called once the report is written. */
  finish?: () => void;
}

/**
 * Runs `conform`, `client` or `explore`, writes the reports and sets the exit code to the verdict. Checks every file before the run
 * begins. Throws UsageError and InvalidFile.
 */
export async function reportRun(reported: ReportedRun): Promise<void> {
  const { files, secrets = [], cleanUp, run, outside, finish } = reported;
  const { strict = false, all, dialectOut, lacksOut, lacks = [], har, writeBaseline, updateBaseline } = files;
  const targets = reportTargets(files.report ?? []);
  if (updateBaseline && files.baseline === undefined)
    throw new UsageError('--update-baseline: which file? Name it with --baseline FILE.');
  const baseline = files.baseline === undefined ? undefined : readBaseline(files.baseline);
  if (updateBaseline) checkWritable('--update-baseline', files.baseline!);
  if (writeBaseline !== undefined) checkWritable('--write-baseline', writeBaseline);
  if (dialectOut !== undefined) checkWritable('--dialect-out', dialectOut);
  if (lacksOut !== undefined) checkWritable('--lacks-out', lacksOut);
  if (har !== undefined) checkWritable('--har', har);
  const interrupt = cleanUp === undefined ? NO_INTERRUPT : interruptible(printWarning, cleanUp);
  try {
    const result = await run(interrupt, baseline);
    for (const fault of result.faults ?? [])
      printError(redactSecrets(`a fault of taskdouble itself in ${fault}`, secrets));
    const redacted = redactReport(result, secrets);
    const judged = { today: today(), outside: await outside?.(), isPartial: outside === undefined };
    const kept = baseline && updateBaseline ? updated(redacted, baseline, judged) : baseline;
    const report: Judged = kept ? applyBaseline(redacted, kept, judged) : redacted;
    // Set before the output is written: a reader that stops reading ends the process.
    process.exitCode = exitCodeOf(report, { strict, interrupted: interrupt.code });
    if (dialectOut !== undefined) writeOutput('--dialect-out', dialectOut, dialectFile(report));
    if (lacksOut !== undefined)
      writeOutput('--lacks-out', lacksOut, lacksText([...lacks, ...(report.operations?.lacks ?? [])]));
    if (har !== undefined) writeOutput('--har', har, harText(report, secrets));
    if (writeBaseline !== undefined) writeKnown(writeBaseline, report);
    let printed = Promise.resolve(true);
    const stdout = {
      isTTY: process.stdout.isTTY,
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
    if (!(await printed)) printWarning(verdictLine(report, { strict }));
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

/** Removes from the file the entries that nothing needs any more, and gives the others. */
function updated(report: ConformReport, baseline: Baseline, judged: BaselineOptions): Baseline {
  const { file, entries } = baseline;
  const unneeded = unneededEntries(report, baseline, judged);
  if (unneeded.length === 0) return baseline;
  const text = withoutEntries(readFile(file), baseline, unneeded);
  if (!writeOutput('--update-baseline', file, text)) return baseline;
  printWarning(
    `${file}: ${count(unneeded.length, 'entry', 'entries')} removed, which nothing needs any more`,
  );
  return { file, entries: entries.filter((_, at) => !unneeded.includes(at)) };
}

function writeKnown(file: string, report: ConformReport): void {
  if (!writeOutput('--write-baseline', file, baselineText(report))) return;
  const failures = count(report.summary.failed, 'failure');
  printWarning(`${file}: ${failures} by cause; fill in each reason and expiry, then use it with --baseline`);
}

/** The day as a baseline writes it: YYYY-MM-DD. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** In the form of the configuration. */
function lacksText(lacks: readonly string[]): string {
  return `# What the service lacks, as the configuration of taskdouble names it.\nlacks: [${lacks.join(', ')}]\n`;
}

function harText({ exchanges, target, taskdouble }: ConformReport, secrets: readonly string[]): string {
  const har = toHar(exchanges, { base_url: target.base_url, secrets, version: taskdouble });
  return `${JSON.stringify(har, null, 2)}\n`;
}

/** What is beside the checks and decides too. */
interface Circumstances {
  strict: boolean;
  /** The exit code of the signal that ended it. */
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
export function exitCodeOf(report: Judged, { strict, interrupted }: Circumstances): number {
  if (interrupted !== undefined) return interrupted;
  // What a check that crashed would have shown is not known: the verdict on the target is not whole.
  if (report.faults?.length || report.checks.some(({ outcome }) => outcome === 'error')) return EXIT.fault;
  // Of a run that ended early, what is inconclusive says nothing, strictly or not.
  return EXIT_CODES[verdictOf(report, { strict: strict && report.stopped === undefined })];
}
