import type { Mock } from '../../../mock/mock.js';
import { serviceOf } from '../../../mock/service.js';
import { type Line, showLine, type Timeline, timelinesOf } from './lines.js';
import { cut, since } from './wording.js';

/** Lines of one organisation shown from its beginning and from its end; what is between is counted. */
const FIRST_LINES = 12;
const LAST_LINES = 36;
const LONGEST_LINE = 200;
const MOST_ORGANISATIONS = 4;

/**
 * What passed between the clients and a mock, for people: a line for each request with what came of it, and for each
 * step of the service, with the time since the first request in seconds. Ids are shortened, keys left out, polls
 * that say the same told once in a row, and of a long conversation the beginning and the end are shown. Ends with what each open task
 * waits for, and where a client polls a manual clock that nobody moves, with what to do. A mock that has been closed has forgotten its conversation.
 *
 * @param key Only what the organisation of this API key was asked.
 */
export function timelineOf(mock: Mock, key?: string): string {
  const timelines = timelinesOf(mock, key);
  if (timelines.length === 0) return '  (no request has reached the mock)';
  const shown = timelines.slice(0, MOST_ORGANISATIONS).flatMap((timeline) => {
    const head = timelines.length > 1 ? [`  ${timeline.organisation}:`] : [];
    return [...head, ...shorten(showLines(timeline, timeline.lines))];
  });
  const more = timelines.length - MOST_ORGANISATIONS;
  if (more > 0) shown.push(`  (and ${more} more organisations)`);
  for (const organisation of serviceOf(mock).organisations.all()) {
    if (key !== undefined && organisation.key !== key) continue;
    const hint = serviceOf(mock).stalledClock.hintFor(organisation);
    if (hint !== undefined) shown.push(`  (${hint})`);
  }
  return shown.join('\n');
}

/** `lines` of a conversation as text; polls that say the same as the one before once in a row. */
export function showLines({ start }: Timeline, lines: readonly Line[]): string[] {
  const shown: string[] = [];
  let again = 0;
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1];
    if (line.isPoll && before?.isPoll && before.text === line.text) {
      again++;
      const text = `${again} more ${again === 1 ? 'poll' : 'polls'} like it, the last at ${since(start, line.at)}`;
      if (again > 1) shown.pop();
      shown.push(`${''.padStart(11)}  ${''.padEnd(7)}  ${text}`);
      continue;
    }
    again = 0;
    shown.push(cut(showLine(line, start), LONGEST_LINE));
  }
  return shown;
}

function shorten(lines: readonly string[]): string[] {
  const out = lines.length - FIRST_LINES - LAST_LINES;
  if (out <= 1) return [...lines];
  return [...lines.slice(0, FIRST_LINES), `  … ${out} lines left out …`, ...lines.slice(-LAST_LINES)];
}
