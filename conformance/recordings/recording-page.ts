import { markUnrecorded } from '../../mock/exchange/readers/journal-reader.js';
import { type OnProgress, readRecording } from '../../mock/exchange/readers/read-recording.js';
import type { Exchange, Finding } from '../../spec/vocabulary.js';
import { judgeBothSides } from '../both-sides/both-sides.js';
import { KeptBodies } from '../common/kept-bodies.js';
import { formatCount } from '../common/text.js';
import { describeLeftOut } from './describe-gaps.js';
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
/** Most exchanges on a page. */
const MOST_EXCHANGES = 100_000;

/**
 * Reads journals and HAR files for a page, with findings. `notes` describe what is left out: all exchanges are judged, the first ones are
 * shown. Throws InvalidFile.
 */
export async function readRecordingPage(
  files: readonly string[],
  onProgress?: OnProgress,
  mostExchanges = MOST_EXCHANGES,
): Promise<{ page: RecordingPage; notes: string[] }> {
  const recordings = [];
  for (const file of files) recordings.push(await readRecording(file, onProgress));
  const all = joinRecordings(recordings);
  const found = judgeBothSides(all, onProgress).findings();
  const exchanges = all.slice(0, mostExchanges);
  if (exchanges.length < all.length) markUnrecorded(exchanges.at(-1), 'after');
  const shown = new Set(exchanges.map(({ seq }) => seq));
  const findings = found.filter(({ evidence }) => evidence.every((seq) => shown.has(seq)));
  const bodies = new KeptBodies(MOST_BODIES);
  for (const at of exchanges.keys()) bodies.add(exchanges, at, 'passed');
  const notes = describeLeftOut(recordings);
  if (exchanges.length < all.length)
    notes.push(
      `the first ${formatCount(exchanges.length, 'exchange')} of ${all.length} are shown, with ${findings.length} of ${formatCount(found.length, 'finding')}: split the recording to see the others`,
    );
  if (bodies.shortened > 0)
    notes.push(`long bodies of ${formatCount(bodies.shortened, 'exchange')} are shortened`);
  return { page: { kind: 'recording', title: files.join(', '), exchanges, findings }, notes };
}
