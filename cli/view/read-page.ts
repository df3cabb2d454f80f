import { readRacePage } from '../../conformance/explore/reproduce/race-page.js';
import { readRecordingPage } from '../../conformance/recordings/recording-page.js';
import { EXIT, UsageError } from '../exit-codes.js';
import { type FileKind, kindOf } from './file-kind.js';

type ReadPage = { page: { kind: string; title: string }; notes: string[] };

/** How the page of files of each kind is made. */
const READ: Readonly<Record<FileKind, (files: readonly string[]) => ReadPage | Promise<ReadPage>>> = {
  recording: readRecordings,
  race: readRace,
};

/** The page that shows these files. `notes`: what it leaves out. Throws UsageError, InvalidFile and ReportError. */
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
  return readRacePage(files[0]!);
}

async function readRecordings(files: readonly string[]): Promise<ReadPage> {
  const read = await readRecordingPage(files);
  if (read.page.exchanges.length === 0)
    throw new UsageError(
      `${files.join(', ')}: there is no request to this API below /api/v1.`,
      EXIT.unreachable,
    );
  return read;
}
