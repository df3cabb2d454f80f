import type { RecordingFile } from '../../mock/exchange/readers/read-recording.js';
import { groupBy } from '../../spec/lists.js';
import { type Exchange, isTerminal, NO_OPERATION } from '../../spec/vocabulary.js';
import { formatCount } from '../common/text.js';
import { Conversation } from '../conversation/conversation.js';
import { ReadExchange } from '../conversation/read-exchange.js';

/** Most exchanges or tasks named in a line. */
const MOST_SHOWN = 8;

/**
 * Describes what cannot be judged, and why. `exchanges` are the joined exchanges of the recordings, with the numbers of the
 * report.
 */
export function describeGaps(recordings: readonly RecordingFile[], exchanges: readonly Exchange[]): string[] {
  const lines = recordings.flatMap(({ file, notes }) => notes.map((note) => `${file} ${note}`));
  for (const { file, exchanges: own, others } of recordings) {
    if (own.length === 0) lines.push(`${file} has no requests to this API${describeOthers(others)}`);
  }
  const addLine = (what: string, why: string, found: readonly Exchange[]) => {
    if (found.length === 0) return;
    const shown = found.slice(0, MOST_SHOWN).map(({ seq }) => `#${seq}`);
    const more = found.length > MOST_SHOWN ? `, and ${found.length - MOST_SHOWN} more` : '';
    lines.push(`${formatCount(found.length, what)} ${why} (${shown.join(', ')}${more})`);
  };
  const isCut = (message: { left_out?: number } | undefined) => message?.left_out !== undefined;
  addLine(
    'request',
    'without the complete body: the content is not judged',
    exchanges.filter(({ request }) => isCut(request)),
  );
  addLine(
    'response',
    'without the complete body: the rules read no data from it',
    exchanges.filter(({ response }) => isCut(response)),
  );
  addLine(
    'request',
    'without a response: the service is not judged by it',
    exchanges.filter(({ response }) => !response),
  );
  addLine(
    'request',
    'to a path that the API does not have: not judged',
    exchanges.filter(({ kind }) => kind === NO_OPERATION),
  );
  return [...lines, ...describeTaskGaps(exchanges)];
}

/** ` (12 to other addresses)` */
export function describeOthers(others: number): string {
  return others === 0 ? '' : ` (${others} to other addresses)`;
}

function describeTaskGaps(exchanges: readonly Exchange[]): string[] {
  const begun: string[] = [];
  const open: string[] = [];
  for (const own of groupBy(exchanges, ({ organisation }) => organisation).values()) {
    const { tasks } = new Conversation(own.map((each) => new ReadExchange(each)));
    for (const [id, { isFromStart, latest }] of tasks) {
      if (!isFromStart) begun.push(id);
      if (latest?.status !== undefined && !isTerminal(latest.status)) open.push(id);
    }
  }
  const formatIds = (ids: string[]) =>
    ids.slice(0, MOST_SHOWN).join(', ') +
    (ids.length > MOST_SHOWN ? `, and ${ids.length - MOST_SHOWN} more` : '');
  return [
    ...(begun.length > 0
      ? [
          `${formatCount(begun.length, 'task')} whose beginning is missing: what follows from the request is not judged (${formatIds(begun)})`,
        ]
      : []),
    ...(open.length > 0
      ? [
          `${formatCount(open.length, 'task')} whose end is missing: what has to come by the end is not judged (${formatIds(open)})`,
        ]
      : []),
  ];
}

/** Describes what readers of recordings have left out. */
export function describeLeftOut(recordings: readonly RecordingFile[]): string[] {
  return recordings.flatMap(({ file, notes, others, format }) => {
    const entries = formatCount(others, `${format} entry`, `${format} entries`);
    const left = others > 0 ? [`${file}: ${entries} about anything else are left out`] : [];
    return [...notes.map((note) => `${file} ${note}`), ...left];
  });
}
