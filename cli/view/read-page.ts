import { commandName } from '../../conformance/common/command-name.js';
import { commandLine } from '../../conformance/common/shell.js';
import { readRacePage } from '../../conformance/explore/reproduce/race-page.js';
import { readRecordingPage } from '../../conformance/recordings/recording-page.js';
import { htmlReport } from '../../conformance/report/formats/html/page.js';
import { readReports } from '../../conformance/report/merge/read-report.js';
import { ReportView } from '../../conformance/report/view.js';
import { selfContainedPage } from '../../mock/pages/self-contained-page.js';
import { EXIT, UsageError } from '../exit-codes.js';
import { withSteps } from '../with-steps.js';
import { type FileKind, kindOf } from './file-kind.js';

interface ReadPage {
  html: string;
  /** What the page leaves out. */
  notes: string[];
}

/** How the page of files of each kind is made. */
const READ: Readonly<Record<FileKind, (files: readonly string[]) => ReadPage | Promise<ReadPage>>> = {
  recording: readRecordings,
  race: readRace,
  report: readReport,
};

/** The page that shows these files. Throws UsageError, InvalidFile and ReportError. */
export async function readPage(files: readonly string[]): Promise<ReadPage> {
  const kinds = files.map(kindOf);
  const other = kinds.findIndex((kind) => kind !== kinds[0]);
  if (other !== -1)
    throw new UsageError(
      `view: ${files[0]} is a ${kinds[0]} and ${files[other]} a ${kinds[other]}; look at one kind at a time.`,
    );
  return READ[kinds[0]!](files);
}

async function readRace(files: readonly string[]): Promise<ReadPage> {
  if (files.length > 1) throw new UsageError('view: look at one race at a time.');
  const { page, notes } = await readRacePage(files[0]!);
  return { html: selfContainedPage(`${page.title} · taskdouble`, page), notes };
}

async function readRecordings(files: readonly string[]): Promise<ReadPage> {
  const { page, notes } = await withSteps((onProgress) => readRecordingPage(files, onProgress));
  if (page.exchanges.length === 0)
    throw new UsageError(
      `${[`${files.join(', ')}: there is no request to this API below /api/v1`, ...notes].join('; ')}.`,
      EXIT.unreachable,
    );
  return { html: selfContainedPage(`${page.title} · taskdouble`, page), notes };
}

function readReport(files: readonly string[]): ReadPage {
  if (files.length > 1)
    throw new UsageError(
      `view: ${files.length} reports; merge them first: ${commandName()} merge-reports ${commandLine(files)} --report json=FILE`,
    );
  const [named] = readReports(files).reports;
  return { html: htmlReport(new ReportView(named!.report)), notes: [] };
}
