import { type OnProgress, readRecording } from '../../mock/exchange/readers/read-recording.js';
import type { Exchange, Finding } from '../../spec/vocabulary.js';
import { judgeBothSides } from '../both-sides/both-sides.js';
import { KeptBodies } from '../common/kept-bodies.js';
import { formatCount } from '../common/text.js';
import { joinRecordings } from './join-recordings.js';

/** Exchanges of journals or HAR files, or of one conversation that was taken from studio: data of a page of studio. */
export interface RecordingPage {
  kind: 'recording';
  title: string;
  exchanges: Exchange[];
  findings: Finding[];
}

/** Characters of long bodies that a page has, all together: a browser has to hold them. */
const MOST_BODIES = 64 * 1024 * 1024;

/**
 * The page of these journals and HAR files, with what the rules find in them. `notes`: what is not shown, in sentences. Throws
 * InvalidFile.
 */
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
  const notes = recordings.flatMap(({ file, notes: its, others, format }) => [
    ...its.map((note) => `${file} ${note}`),
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
