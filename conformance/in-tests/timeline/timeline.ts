import type { TaskView } from '../../../mock/control/views.js';
import type { Mock } from '../../../mock/mock.js';
import { serviceOf } from '../../../mock/service.js';
import { isTerminal, type TaskEvent } from '../../../spec/vocabulary.js';
import { Conversation } from '../../conversation/conversation.js';
import { field } from '../../conversation/json.js';
import { ReadExchange } from '../../conversation/read-exchange.js';
import { cut, showOffset, Wording } from './wording.js';

/** Lines of one organisation shown from its beginning and from its end. */
const FIRST_LINES = 12;
const LAST_LINES = 36;
const LONGEST_LINE = 200;
const MOST_ORGANISATIONS = 4;

/** A request and its response, or a step of the service. */
export interface Line {
  /** ms. */
  at: number;
  who: 'client' | 'service' | 'now';
  text: string;
  /** Id of the task it is about. */
  task?: string | undefined;
  /** Of the exchange. */
  seq?: number;
  /** Ids of the events it is about. */
  events: readonly string[];
  isPoll?: boolean;
}

/** What passed between the clients and one organisation, in the order in which it happened. */
export interface Timeline {
  organisation: string;
  /** Time of its first request, ms. */
  start: number;
  conversation: Conversation;
  tasks: readonly TaskView[];
  lines: readonly Line[];
}

/**
 * What passed between the clients and a mock, for people: a line for each request with its response, and for each step of
 * the service, with the time since the first request in seconds. Ids are shortened, keys left out, polls with the same
 * response counted, and of a long conversation the beginning and the end are shown. Ends with what each open task waits
 * for, and what to do where a client polls a manual clock that nothing moves. A closed mock has no conversation any more.
 *
 * @param key Shows only the organisation of this API key.
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
  const { organisations, stalledClock } = serviceOf(mock);
  for (const organisation of organisations.all()) {
    const hint =
      key === undefined || organisation.key === key ? stalledClock.hintFor(organisation) : undefined;
    if (hint !== undefined) shown.push(`  (${hint})`);
  }
  return shown.join('\n');
}

/** Those of all organisations that received a request; of the one that `key` opens where it is given. */
export function timelinesOf(mock: Mock, key?: string): Timeline[] {
  const organisations = [...serviceOf(mock).organisations.all()];
  const keys = organisations.map((organisation) => organisation.key);
  return organisations
    .filter((organisation) => key === undefined || organisation.key === key)
    .flatMap((organisation) => {
      const { name, journal } = organisation;
      const conversation = new Conversation(journal.read().map((exchange) => new ReadExchange(exchange)));
      const start = conversation.exchanges[0]?.at;
      if (start === undefined) return [];
      const tasks = [...organisation.tasks.keys()].map((id) => mock.task(id));
      const lines = linesOf(conversation, tasks, organisation.now, new Wording(keys, tasks, start));
      return [{ organisation: name, start, conversation, tasks, lines }];
    });
}

/** Lines as text: `  +1.300 s  service  task d394c682 is done: "Nine degrees."`. */
export function showLines({ start }: Timeline, lines: readonly Line[]): string[] {
  const shown: string[] = [];
  let again = 0;
  for (const [index, { at, who, text, isPoll }] of lines.entries()) {
    const before = lines[index - 1];
    const isRepeated = isPoll && before?.isPoll && before.text === text;
    if (isRepeated && again > 0) shown.pop();
    again = isRepeated ? again + 1 : 0;
    const line = isRepeated
      ? `${''.padStart(11)}  ${''.padEnd(7)}  ${again} more ${again === 1 ? 'poll' : 'polls'} like it, the last at ${showOffset(start, at)}`
      : `${showOffset(start, at).padStart(11)}  ${who.padEnd(7)}  ${text}`;
    shown.push(cut(line, LONGEST_LINE));
  }
  return shown;
}

function shorten(lines: readonly string[]): string[] {
  const out = lines.length - FIRST_LINES - LAST_LINES;
  if (out <= 1) return [...lines];
  return [...lines.slice(0, FIRST_LINES), `  … ${out} lines left out …`, ...lines.slice(-LAST_LINES)];
}

function linesOf(
  { exchanges }: Conversation,
  tasks: readonly TaskView[],
  now: number,
  wording: Wording,
): Line[] {
  const steps = tasks.flatMap((task) => stepsOf(task, wording)).sort((one, other) => one.at - other.at);
  const lines: Line[] = [];
  for (const exchange of exchanges) {
    const { at, task, seq } = exchange;
    // At the same instant, the steps that a response lists come before it, and all others after it.
    while (steps[0] && (steps[0].at < at || isListed(steps[0], exchange))) lines.push(steps.shift()!);
    const sent = exchange.reply?.id ?? exchange.sent?.id;
    const events = [...exchange.events.map(({ id }) => id), sent].filter((id) => typeof id === 'string');
    const text = wording.exchange(exchange);
    lines.push({ at, who: 'client', text, task, seq, events, isPoll: exchange.is('getTask') });
  }
  return [...lines, ...steps, ...tasks.flatMap((task) => openEndOf(task, now, wording))];
}

/** The steps of the service: each event that it sent, and the end of the task, which has no event. */
function stepsOf(task: TaskView, wording: Wording): Line[] {
  const { id: taskId, finishedAt, status, output } = task;
  const lines: Line[] = [];
  for (const { id, name, payload, timestamp } of task.events.filter((event) => isFromService(event, task))) {
    const [kind, code, value] =
      'code' in payload
        ? ['result', `${wording.json(payload.code)} `, payload.output]
        : [name, '', payload.input];
    const text = `${kind} ${wording.eventName(id)} ${code}${wording.json(value)}`.trimEnd();
    lines.push({ at: timestamp, who: 'service', text, task: taskId, events: [id] });
  }
  if (finishedAt !== null) {
    const shown = output === null || output === undefined ? '' : `: ${wording.json(output)}`;
    const text = `task ${wording.text(taskId)} is ${status}${shown}`;
    lines.push({ at: finishedAt, who: 'service', text, task: taskId, events: [] });
  }
  return lines;
}

/** Some services echo what the client has sent: the requests show that already. */
function isFromService({ id, payload }: TaskEvent, { calls, actions }: TaskView): boolean {
  const isReply = field(payload, 'code') !== undefined;
  if (calls.some((call) => call.id === id)) return !isReply;
  return isReply || !actions.some((action) => action.id === id);
}

/** The response shows this step. */
function isListed({ task, events: [event] }: Line, exchange: ReadExchange): boolean {
  if (exchange.task !== task || !exchange.is('getTask')) return false;
  if (event !== undefined) return exchange.events.some(({ id }) => id === event);
  return exchange.status !== undefined && isTerminal(exchange.status);
}

/** What a task that is not over waits for. */
function openEndOf({ id, status, runs }: TaskView, now: number, wording: Wording): Line[] {
  if (isTerminal(status)) return [];
  const waits = runs.flatMap(({ next }) => {
    if (!next) return [];
    return next.waitsFor.length > 0
      ? `; ${next.step} waits for ${next.waitsFor.join(' and ')}`
      : `; ${next.step} comes next`;
  });
  const text = wording.text(`task ${id} is ${status}${waits.join('')}`, 240);
  return [{ at: now, who: 'now', text, task: id, events: [] }];
}
