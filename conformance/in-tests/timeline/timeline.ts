import type { TaskView } from '../../../mock/control/views.js';
import type { Organisation } from '../../../mock/engine/organisation.js';
import type { Mock } from '../../../mock/mock.js';
import type { TimelineLine, TimelineReader, TimelineView } from '../../../mock/options/mock-options.js';
import { getService } from '../../../mock/service.js';
import { truncateText } from '../../../spec/show.js';
import { isTerminal } from '../../../spec/vocabulary.js';
import { readEvent } from '../../conversation/body.js';
import { Conversation } from '../../conversation/conversation.js';
import { ReadExchange } from '../../conversation/read-exchange.js';
import { formatOffset, TimelineFormatter } from './timeline-formatter.js';

/** Most lines shown of one organisation, from its start and from its end. */
const FIRST_LINES = 12;
const LAST_LINES = 36;
const LONGEST_LINE = 200;

/** A line, and whether it is a poll: polls with the same text are counted. */
export interface TimelineEntry extends TimelineLine {
  isPoll?: boolean;
}

/** The requests of clients and the steps of the service for one organisation, in order. */
export interface Timeline {
  organisation: Organisation;
  /** Time of its first request, ms. */
  start: number;
  conversation: Conversation;
  tasks: readonly TaskView[];
  lines: readonly TimelineEntry[];
}

/**
 * Formats the conversation of clients with a mock: one line per request with its response, and per step of the service, with
 * the time since the first request in seconds. Ids are shortened, keys removed, polls with the same response counted. Of a long
 * conversation only the start and the end are shown. The last lines say what each open task waits for, and what to do if a
 * client polls a manual clock that nothing advances. A closed mock has no conversation.
 *
 * @param key Shows only the organisation of this API key.
 * @param task Shows only what is about the task with this id.
 */
export function formatTimeline(mock: Mock, key?: string, task?: string): string {
  return formatTimelines(mock, selectTask(readTimelines(mock, key), task));
}

/** For the admin API. */
export function viewTimelines(mock: Mock, { key, task }: Parameters<TimelineReader>[0]) {
  const timelines = selectTask(readTimelines(mock, key), task);
  const views = timelines.map(({ organisation, start, lines }): TimelineView => {
    const shown = lines.map(({ isPoll: _, ...line }) => line);
    return { organisation: organisation.name, start, lines: shown };
  });
  return { text: formatTimelines(mock, timelines), timelines: views };
}

function selectTask(timelines: readonly Timeline[], task: string | undefined): Timeline[] {
  const isWanted = (line: TimelineEntry) => task === undefined || line.task === task;
  return timelines
    .map((timeline) => ({ ...timeline, lines: timeline.lines.filter(isWanted) }))
    .filter(({ lines }) => lines.length > 0);
}

function formatTimelines(mock: Mock, timelines: readonly Timeline[]): string {
  if (timelines.length === 0) return '  (the mock received no request)';
  const shown = timelines.flatMap(({ organisation, start, lines }) => {
    const head = timelines.length > 1 ? [`  ${organisation.name}:`] : [];
    return [...head, ...leaveOutMiddle(formatLines(start, lines))];
  });
  const { stalledClock } = getService(mock);
  const hints = timelines.flatMap(({ organisation }) => stalledClock.findHint(organisation) ?? []);
  return [...shown, ...hints.map((hint) => `  (${hint})`)].join('\n');
}

/** The timelines of all organisations that received a request, or only of the organisation with this API key. */
export function readTimelines(mock: Mock, key?: string): Timeline[] {
  const organisations = [...getService(mock).organisations.values()];
  const keys = organisations.map((organisation) => organisation.key);
  return organisations
    .filter((organisation) => key === undefined || organisation.key === key)
    .flatMap((organisation) => {
      const { journal } = organisation;
      const conversation = new Conversation(journal.read().map((exchange) => new ReadExchange(exchange)));
      const start = conversation.exchanges[0]?.at;
      if (start === undefined) return [];
      const tasks = [...organisation.tasks.keys()].map((id) => mock.task(id));
      const formatter = new TimelineFormatter(keys, tasks, start);
      const steps = tasks.flatMap((task) => collectSteps(task, formatter));
      const ends = tasks.flatMap((task) => collectOpenEnds(task, organisation.now, formatter));
      const lines = [...mergeLines(conversation, steps, formatter), ...ends];
      return [{ organisation, start, conversation, tasks, lines }];
    });
}

/** Lines as text: `  +1.300 s  service  task d394c682 is done: "Nine degrees."`. */
export function formatLines(start: number, lines: readonly TimelineEntry[]): string[] {
  const shown: string[] = [];
  let again = 0;
  for (const [index, { at, actor, text, isPoll }] of lines.entries()) {
    const before = lines[index - 1];
    const isRepeated = isPoll && before?.isPoll && before.text === text;
    if (isRepeated && again > 0) shown.pop();
    again = isRepeated ? again + 1 : 0;
    const line = isRepeated
      ? `${' '.repeat(20)}  ${again} more ${again === 1 ? 'poll' : 'polls'} like it, the last at ${formatOffset(start, at)}`
      : `${formatOffset(start, at).padStart(11)}  ${actor.padEnd(7)}  ${text}`;
    shown.push(truncateText(line, LONGEST_LINE));
  }
  return shown;
}

function leaveOutMiddle(lines: readonly string[]): string[] {
  const out = lines.length - FIRST_LINES - LAST_LINES;
  if (out <= 1) return [...lines];
  return [...lines.slice(0, FIRST_LINES), `  … ${out} lines left out …`, ...lines.slice(-LAST_LINES)];
}

/** The exchanges, and the steps of the service between them. */
export function mergeLines(
  { exchanges }: Conversation,
  unsorted: readonly TimelineEntry[],
  formatter: TimelineFormatter,
): TimelineEntry[] {
  const steps = unsorted.toSorted((one, other) => one.at - other.at);
  const lines: TimelineEntry[] = [];
  let next = 0;
  for (const exchange of exchanges) {
    const { at, task, seq } = exchange;
    // At the same time, the steps that a response lists come before it, all others after it.
    for (; steps[next] && (steps[next]!.at < at || isListed(steps[next]!, exchange)); next++)
      lines.push(steps[next]!);
    const sent = exchange.reply?.id ?? exchange.sent?.id;
    const events = [...exchange.events.map(({ id }) => id), sent].filter((id) => typeof id === 'string');
    const text = formatter.formatExchange(exchange);
    lines.push({ at, actor: 'client', text, task, seq, events, isPoll: exchange.is('getTask') });
  }
  return [...lines, ...steps.slice(next)];
}

/** The steps of the service: each event that it sent, and the end of the task, which has no event. */
function collectSteps(task: TaskView, formatter: TimelineFormatter): TimelineEntry[] {
  const { id: taskId, finishedAt, status, output } = task;
  const lines: TimelineEntry[] = [];
  for (const event of task.events) {
    const { shape } = readEvent(event);
    const { id, timestamp } = event;
    // Some services list the events of the client too: the requests show them already.
    if (shape === 'echo') continue;
    const text = formatter.formatEvent({ ...event, shape });
    lines.push({ at: timestamp, actor: 'service', text, task: taskId, events: [id] });
  }
  if (finishedAt !== null) {
    const shown = output === null || output === undefined ? '' : `: ${formatter.formatJson(output)}`;
    const text = `task ${formatter.formatText(taskId)} is ${status}${shown}`;
    lines.push({ at: finishedAt, actor: 'service', text, task: taskId, events: [] });
  }
  return lines;
}

/** True if the response shows this step. */
function isListed({ task, events: [event] }: TimelineEntry, exchange: ReadExchange): boolean {
  if (exchange.task !== task || !exchange.is('getTask')) return false;
  if (event !== undefined) return exchange.events.some(({ id }) => id === event);
  return exchange.status !== undefined && isTerminal(exchange.status);
}

/** The steps that a running task waits for. */
function collectOpenEnds(
  { id, status, runs }: TaskView,
  now: number,
  formatter: TimelineFormatter,
): TimelineEntry[] {
  if (isTerminal(status)) return [];
  const waits = runs.flatMap(({ next }) => {
    if (!next) return [];
    const { step, waitsFor } = next;
    return `; ${step} ${waitsFor.length > 0 ? `waits for ${waitsFor.join(' and ')}` : 'comes next'}`;
  });
  const text = formatter.formatText(`task ${id} is ${status}${waits.join('')}`, 240);
  return [{ at: now, actor: 'now', text, task: id, events: [] }];
}
