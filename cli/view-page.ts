import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { readCommandName } from '../conformance/common/command-name.js';
import { formatCommandLine } from '../conformance/common/shell.js';
import {
  type RacePage,
  type RaceScenarioPage,
  readRacePage,
} from '../conformance/explore/reproduce/race-page.js';
import { type RecordingPage, readRecordingPage } from '../conformance/recordings/recording-page.js';
import { formatHtmlReport } from '../conformance/report/formats/html/page.js';
import { createReportPage, type ReportPage } from '../conformance/report/formats/html/report-page.js';
import { readReports } from '../conformance/report/read-report.js';
import { ReportView } from '../conformance/report/view.js';
import { renderSelfContainedPage } from '../mock/pages/studio-files.js';
import { explainReadError } from '../scenarios/format/load/read-file.js';
import { EXIT, UsageError } from './exit-codes.js';
import { printWarning } from './print.js';
import { runWithProgress } from './progress.js';

interface ViewPage {
  html: string;
  /** Notes about what the page leaves out. */
  notes: string[];
}

const READ: Readonly<Record<FileKind, (files: readonly string[]) => ViewPage | Promise<ViewPage>>> = {
  recording: readRecordings,
  race: readRace,
  report: readReport,
};

/** Builds the page that shows these files, and prints what it leaves out. Throws UsageError, InvalidFile and ReportError. */
export async function readPage(files: readonly string[]): Promise<string> {
  const kinds = files.map(detectFileKind);
  const other = kinds.findIndex((kind) => kind !== kinds[0]);
  if (other !== -1)
    throw new UsageError(
      `view: ${files[0]} is a ${kinds[0]} and ${files[other]} a ${kinds[other]}; view one kind at a time.`,
    );
  const { html, notes } = await READ[kinds[0]!](files);
  for (const note of notes) printWarning(note);
  return html;
}

async function readRace(files: readonly string[]): Promise<ViewPage> {
  if (files.length > 1) throw new UsageError('view: one race at a time.');
  const { page, notes } = await readRacePage(files[0]!);
  return { html: renderSelfContainedPage(`${page.title} · taskdouble`, page), notes };
}

async function readRecordings(files: readonly string[]): Promise<ViewPage> {
  const { page, notes } = await runWithProgress((onProgress) => readRecordingPage(files, onProgress));
  if (page.exchanges.length === 0)
    throw new UsageError(
      `${[`${files.join(', ')}: there is no request to this API below /api/v1`, ...notes].join('; ')}.`,
      EXIT.unreachable,
    );
  return { html: renderSelfContainedPage(`${page.title} · taskdouble`, page), notes };
}

function readReport(files: readonly string[]): ViewPage {
  if (files.length > 1)
    throw new UsageError(
      `view: ${files.length} reports; merge them first: ${readCommandName()} merge-reports ${formatCommandLine(files)} --report json=FILE`,
    );
  const [named] = readReports(files).reports;
  return { html: formatHtmlReport(new ReportView(named!.report)), notes: [] };
}

/** A recording is a journal or a HAR file; a race is a file that `explore` writes. */
type FileKind = 'recording' | 'report' | 'race';

/** Reads a file that was sent, for a page of studio. Throws UsageError, InvalidFile and ReportError, with the given name in the message. */
export async function readPageOfContent(
  name: string,
  content: string | Uint8Array,
): Promise<RecordingPage | RacePage | RaceScenarioPage | ReportPage> {
  const directory = mkdtempSync(join(tmpdir(), 'taskdouble-view-'));
  // The readers tell formats by the end of the name.
  const file = join(
    directory,
    basename(name)
      .replace(/[^\w.-]/g, '_')
      .slice(-80) || 'file',
  );
  try {
    writeFileSync(file, content);
    const page = await readPageData(file);
    return 'title' in page ? { ...page, title: page.title.replaceAll(file, name) } : page;
  } catch (error) {
    throw new UsageError((error as Error).message.replaceAll(file, name));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The data of the page of a file. Throws UsageError, InvalidFile and ReportError. */
export async function readPageData(file: string) {
  switch (detectFileKind(file)) {
    case 'recording': {
      const { page } = await readRecordingPage([file]);
      if (page.exchanges.length > 0) return page;
      throw new UsageError(`${file}: there is no request to this API below /api/v1.`);
    }
    case 'race':
      return (await readRacePage(file)).page;
    case 'report':
      return createReportPage(new ReportView(readReports([file]).reports[0]!.report));
  }
}

/** Bytes that are read to detect the kind. */
const MOST_SNIFFED = 4096;
const EXPECTED = 'expected a journal (.jsonl), a HAR (.har), a JSON report or a race file of explore (.yaml)';
/** Beginnings of the runs of a race, and of a report. */
const RACE = '{"kind":"race",';
const REPORT = /^\{\s*"taskdouble"\s*:/;

/** Detects the kind by the first bytes. Throws UsageError for any other file. */
function detectFileKind(file: string): FileKind {
  const start = readStart(file);
  if (start.length === 0) throw new UsageError(`${file}: ${EXPECTED}; the file is empty.`);
  const isPacked = start[0] === 0x1f && start[1] === 0x8b;
  const text = start.toString().replace(/^\ufeff?\s*/, '');
  if (/\.ya?ml$/i.test(file) || text.startsWith(RACE)) return 'race';
  if (REPORT.test(text)) return 'report';
  if (isPacked || text.startsWith('{') || /\.har$/i.test(file)) return 'recording';
  throw new UsageError(`${file}: ${EXPECTED}; the file begins as none of them.`);
}

function readStart(file: string): Buffer {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const start = Buffer.alloc(MOST_SNIFFED);
      return start.subarray(0, readSync(descriptor, start));
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw new UsageError(`${file}: ${explainReadError(error as NodeJS.ErrnoException)}`);
  }
}
