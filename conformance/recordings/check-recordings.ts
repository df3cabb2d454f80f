import {
  type OnProgress,
  type RecordingFile,
  readRecording,
} from '../../mock/exchange/readers/read-recording.js';
import type { Side } from '../../spec/requirement-types.js';
import { judgeBothSides } from '../both-sides/both-sides.js';
import { parseGlob } from '../common/text.js';
import type { ConformReport } from '../service/runner/result.js';
import { describeGaps, describeOthers } from './describe-gaps.js';
import { joinRecordings } from './join-recordings.js';

export interface CheckRecordingsOptions {
  /** Judged sides. Default: both. */
  sides?: readonly Side[] | undefined;
  /** Globs over ids of checks. Default: all. */
  only?: readonly string[] | undefined;
  /** Globs over ids of checks to leave out. */
  exclude?: readonly string[] | undefined;
  /** What the sides do not have, as `--lacks` names it: its checks are skipped. */
  lacks?: readonly string[] | undefined;
  onProgress?: OnProgress | undefined;
}

/** Judges both sides of the conversations in journals and HAR files, in one report. Throws InvalidFile. */
export async function checkRecordings(
  files: readonly string[],
  { sides, only, exclude = [], lacks, onProgress }: CheckRecordingsOptions = {},
): Promise<ConformReport> {
  const started = new Date();
  const startMs = performance.now();
  const recordings: RecordingFile[] = [];
  for (const file of files) recordings.push(await readRecording(file, onProgress));
  const exchanges = joinRecordings(recordings);
  const isSelected = only && createGlobMatcher(only);
  const isExcluded = createGlobMatcher(exclude);
  const judged = judgeBothSides(exchanges, onProgress);
  const report = judged.createReport({
    baseUrl: formatTargetName(recordings),
    started,
    duration_ms: Math.round(performance.now() - startMs),
    sides,
    isWanted:
      only === undefined && exclude.length === 0
        ? undefined
        : ({ id }) => (isSelected?.(id) ?? true) && !isExcluded(id),
    lacks,
    ...(judged.exchangeCount === 0 && { stopped: explainNoRequests(recordings) }),
  });
  const gaps = describeGaps(recordings, exchanges);
  return { ...report, ...(gaps.length > 0 && { gaps }) };
}

function createGlobMatcher(globs: readonly string[]): (id: string) => boolean {
  const all = globs.map(parseGlob);
  return (id) => all.some((glob) => glob.test(id));
}

/** The service if it is known and the only one, else the files. */
function formatTargetName(recordings: readonly RecordingFile[]): string {
  const bases = new Set(recordings.flatMap((each) => each.bases));
  const isKnown = recordings.every((each) => each.bases.length > 0);
  const [base] = bases;
  if (isKnown && bases.size === 1) return base!;
  const [first, ...others] = recordings.map(({ file }) => file);
  return others.length === 0 ? first! : `${first} and ${others.length} more`;
}

function explainNoRequests(recordings: readonly RecordingFile[]): string {
  const others = recordings.reduce((sum, each) => sum + each.others, 0);
  const lines = recordings.flatMap(({ file, notes }) => notes.map((note) => `; ${file} ${note}`));
  return `there is no request to this API below /api/v1${describeOthers(others)}${lines.join('')}`;
}
