import { type OnProgress, readRecording } from '../../mock/exchange/readers/read-recording.js';
import type { Exchange, Finding } from '../../spec/vocabulary.js';
import { judgeBothSides } from '../both-sides/both-sides.js';
import { KeptBodies } from '../common/kept-bodies.js';
import { formatCount } from '../common/text.js';
import { joinRecordings } from './join-recordings.js';

/** Data of a studio page: exchanges of journals or HAR files, or of one conversation saved from studio. */
export interface RecordingPage {
  kind: 'recording';
  title: string;
  exchanges: Exchange[];
  findings: Finding[];
}

/** Most characters of long bodies on a page, in total: a browser has to load them. */
const MOST_BODIES = 64 * 1024 * 1024;

/** Reads journals and HAR files for a page, with findings. `notes` describe what is left out. Throws InvalidFile. */
export async function readRecordingPage(
  files: readonly string[],
  onProgress?: OnProgress,
): Promise<{ page: RecordingPage; notes: string[] }> {
  const recordings = [];
  for (const file of files) recordings.push(await readRecording(file, onProgress));
  const exchanges = joinRecordings(recordings);
  const findings = judgeBothSides(exchanges, onProgress).findings();
  const bodies = new KeptBodies(MOST_BODIES);
  for (const at of exchanges.keys()) bodies.add(exchanges, at, 'passed');
  const notes = recordings.flatMap(({ file, notes: own, others, format }) => [
    ...own.map((note) => `${file} ${note}`),
    ...(others > 0
      ? [
          `${file}: ${formatCount(others, `${format} entry`, `${format} entries`)} about anything else are left out`,
        ]
      : []),
  ]);
  if (bodies.shortened > 0)
    notes.push(`long bodies of ${formatCount(bodies.shortened, 'exchange')} are shortened`);
  return { page: { kind: 'recording', title: files.join(', '), exchanges, findings }, notes };
}
