import { numberRuns } from '../../mock/exchange/journal-file.js';
import type { RecordingFile } from '../../mock/exchange/readers/read-recording.js';
import type { Exchange } from '../../spec/vocabulary.js';

/**
 * Joins the exchanges of recordings in the order of their times, with new `seq`s. Organisations of different files, and of
 * different runs in one file, stay separate.
 */
export function joinRecordings(recordings: readonly Pick<RecordingFile, 'file' | 'exchanges'>[]): Exchange[] {
  const all = recordings.flatMap(({ file, exchanges }) => {
    const runs = numberRuns(exchanges);
    return exchanges.map((exchange, at): Exchange => {
      const { organisation } = exchange;
      const run = runs[at] === 0 ? organisation : `${organisation}, run ${runs[at]! + 1}`;
      return { ...exchange, organisation: recordings.length === 1 ? run : `${file}: ${run}` };
    });
  });
  all.sort((one, other) => one.request.at - other.request.at || one.seq - other.seq);
  return all.map((exchange, at) => ({ ...exchange, seq: at + 1 }));
}
