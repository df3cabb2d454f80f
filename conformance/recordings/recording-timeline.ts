import { type OnProgress, readRecording } from '../../mock/exchange/readers/read-recording.js';
import { groupBy } from '../../spec/lists.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { Conversation } from '../conversation/conversation.js';
import { ReadExchange } from '../conversation/read-exchange.js';
import type { TaskConversation } from '../conversation/task-conversation.js';
import { formatLines, mergeLines, type TimelineEntry } from '../in-tests/timeline/timeline.js';
import { TimelineFormatter } from '../in-tests/timeline/timeline-formatter.js';
import { describeLeftOut } from './describe-gaps.js';
import { joinRecordings } from './join-recordings.js';

export interface RecordingTimeline {
  text: string;
  /** Number of lines that are shown. */
  lines: number;
  /** Ids of all tasks in the recordings. */
  tasks: string[];
  /** What is left out. */
  notes: string[];
}

/**
 * The conversations in journals and HAR files, as `formatTimeline` shows those with a mock: complete, or only what is about one
 * task. Throws InvalidFile.
 */
export async function readTimeline(
  files: readonly string[],
  task: string | undefined,
  onProgress?: OnProgress,
): Promise<RecordingTimeline> {
  const recordings = [];
  for (const file of files) recordings.push(await readRecording(file, onProgress));
  const groups = groupBy(joinRecordings(recordings), ({ organisation }) => organisation);
  const tasks: string[] = [];
  const shown: string[][] = [];
  for (const [organisation, exchanges] of groups) {
    const { start, lines, ids } = readConversation(exchanges);
    tasks.push(...ids);
    const wanted = lines.filter((line) => task === undefined || line.task === task);
    const head = groups.size > 1 ? [`  ${organisation}:`] : [];
    if (wanted.length > 0) shown.push([...head, ...formatLines(start, wanted)]);
  }
  const lines = shown.flat();
  return { text: lines.join('\n'), lines: lines.length, tasks, notes: describeLeftOut(recordings) };
}

/** The conversations in a list of exchanges, as lines, without what is open at their end. */
export function formatExchanges(exchanges: readonly Exchange[]): string[] {
  const { start, lines } = readConversation(exchanges);
  return formatLines(
    start,
    lines.filter(({ actor }) => actor !== 'now'),
  );
}

/** A key that is redacted already, or that is too short, is not looked for. */
const REDACTED = /^<.*>$/;

function readConversation(recorded: readonly Exchange[]): {
  start: number;
  lines: TimelineEntry[];
  ids: string[];
} {
  const conversation = new Conversation(recorded.map((exchange) => new ReadExchange(exchange)));
  const { exchanges, tasks } = conversation;
  const keys = new Set(recorded.flatMap(({ request }) => request.headers.apikey ?? []));
  const secrets = [...keys].filter((key) => !REDACTED.test(key));
  const start = exchanges[0]?.at ?? 0;
  const formatter = new TimelineFormatter(secrets, [...tasks.values()].map(nameEvents), start);
  const steps = [...tasks].flatMap(([id, task]) => collectEvents(id, task, formatter));
  const last = exchanges.at(-1)?.at ?? start;
  const ends = [...tasks].flatMap(([id, task]) => describeOpenEnd(id, task, last, formatter));
  return { start, lines: [...mergeLines(conversation, steps, formatter), ...ends], ids: [...tasks.keys()] };
}

function nameEvents({ calls, actions }: TaskConversation) {
  return {
    calls: [...calls].map(([id, { tool }]) => ({ id, tool })),
    actions: [...actions.values()].map(({ id, name }) => ({ id, name: String(name ?? 'action') })),
  };
}

function collectEvents(
  task: string,
  { events }: TaskConversation,
  formatter: TimelineFormatter,
): TimelineEntry[] {
  return [...events.values()].flatMap(({ event }): TimelineEntry[] => {
    const { id, timestamp, shape } = event;
    if (shape === 'echo') return [];
    return [{ at: timestamp, actor: 'service', text: formatter.formatEvent(event), task, events: [id] }];
  });
}

/** The status of a task whose end is not recorded, and its calls without a reply. */
function describeOpenEnd(
  id: string,
  { end, stop, latest, openCalls }: TaskConversation,
  at: number,
  formatter: TimelineFormatter,
): TimelineEntry[] {
  if (end || stop || latest?.status === undefined) return [];
  const calls = [...openCalls.keys()].map((call) => `; no reply to ${formatter.formatEventName(call)}`);
  const text = formatter.formatText(
    `task ${id} was ${latest.status} at the end of the recording${calls.join('')}`,
    240,
  );
  return [{ at, actor: 'now', text, task: id, events: [] }];
}
