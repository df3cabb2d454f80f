import { readCommandName } from '../../conformance/common/command-name.js';
import { formatCommandLine } from '../../conformance/common/shell.js';
import { readRacePage } from '../../conformance/explore/reproduce/race-page.js';
import { readRecordingPage } from '../../conformance/recordings/recording-page.js';
import { formatHtmlReport } from '../../conformance/report/formats/html/page.js';
import { readReports } from '../../conformance/report/merge/read-report.js';
import { ReportView } from '../../conformance/report/view.js';
import { renderSelfContainedPage } from '../../mock/pages/self-contained-page.js';
import { EXIT, UsageError } from '../exit-codes.js';
import { runWithProgress } from '../run-with-progress.js';
import { detectFileKind, type FileKind } from './file-kind.js';

interface ViewPage {
  html: string;
  /** What the page leaves out. */
  notes: string[];
}

/** How the page of files of each kind is made. */
const READ: Readonly<Record<FileKind, (files: readonly string[]) => ViewPage | Promise<ViewPage>>> = {
  recording: readRecordings,
  race: readRace,
  report: readReport,
};

/** The page that shows these files. Throws UsageError, InvalidFile and ReportError. */
export async function readPage(files: readonly string[]): Promise<ViewPage> {
  const kinds = files.map(detectFileKind);
  const other = kinds.findIndex((kind) => kind !== kinds[0]);
  if (other !== -1)
    throw new UsageError(
      `view: ${files[0]} is a ${kinds[0]} and ${files[other]} a ${kinds[other]}; look at one kind at a time.`,
    );
  return READ[kinds[0]!](files);
}

async function readRace(files: readonly string[]): Promise<ViewPage> {
  if (files.length > 1) throw new UsageError('view: look at one race at a time.');
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
