import type { TaskView } from '../../../mock/control/task-view.js';
import type { Mock } from '../../../mock/mock.js';
import { serviceOf } from '../../../mock/service.js';
import { isTerminal, type TaskEvent } from '../../../spec/vocabulary.js';
import { Conversation } from '../../conversation/conversation.js';
import { field } from '../../conversation/json.js';
import { ReadExchange } from '../../conversation/read-exchange.js';
import { since, Wording } from './wording.js';

/** One thing that happened: a request and its answer, or a step of the service. */
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
  /** Polls that say the same as the one before are told once in a row. */
  isPoll: boolean;
}

/** What passed between a client and one organisation, in the order in which it happened. */
export interface Timeline {
  organisation: string;
  /** Time of its first request, ms. */
  start: number;
  conversation: Conversation;
  tasks: readonly TaskView[];
  lines: readonly Line[];
}

/** Those of all organisations that received a request; of the one that `key` opens where it is given. */
export function timelinesOf(mock: Mock, key?: string): Timeline[] {
  const organisations = [...serviceOf(mock).organisations.all()];
  const keys = organisations.map((organisation) => organisation.key);
  return organisations
    .filter((organisation) => key === undefined || organisation.key === key)
    .flatMap(({ name, journal, world }) => {
      const conversation = new Conversation(journal.read().map((exchange) => new ReadExchange(exchange)));
      const start = conversation.exchanges[0]?.at;
      if (start === undefined) return [];
      const tasks = [...world.tasks.keys()].map((id) => mock.task(id));
      const lines = linesOf(conversation, tasks, world.now, new Wording(keys, tasks, start));
      return [{ organisation: name, start, conversation, tasks, lines }];
    });
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
    const line = lineOf(exchange, wording);
    // At the same instant what the answer shows came before it, and everything else may have come of it.
    while (steps[0] && (steps[0].at < line.at || isShown(steps[0], exchange))) lines.push(steps.shift()!);
    lines.push(line);
  }
  return [...lines, ...steps, ...tasks.flatMap((task) => openEndOf(task, now, wording))];
}

function lineOf(exchange: ReadExchange, wording: Wording): Line {
  const { at, task, seq } = exchange;
  const sent = exchange.reply?.id ?? exchange.sent?.id;
  const events = [...exchange.events.map(({ id }) => id), sent].filter((id) => typeof id === 'string');
  const text = wording.exchange(exchange);
  return { at, who: 'client', text, task, seq, events, isPoll: exchange.is('getTask') };
}

/** A step of the service, told by what it left behind. */
interface ServiceLine extends Line {
  /** Undefined for the end of the task. */
  event?: string;
}

function stepsOf(task: TaskView, wording: Wording): ServiceLine[] {
  const { id, finishedAt, status, output } = task;
  const sent = task.events.filter((event) => isFromService(event, task));
  const lines: ServiceLine[] = sent.map((event) => {
    const { payload } = event;
    const told = 'code' in payload ? `${wording.json(payload.code)} ` : '';
    const value = 'code' in payload ? payload.output : payload.input;
    const kind = 'code' in payload ? 'result' : event.name;
    const text = `${kind} ${wording.eventName(event.id)} ${told}${wording.json(value)}`.trimEnd();
    return {
      at: event.timestamp,
      who: 'service',
      text,
      task: id,
      events: [event.id],
      event: event.id,
      isPoll: false,
    };
  });
  if (finishedAt !== null) {
    const said = output === null || output === undefined ? '' : `: ${wording.json(output)}`;
    const text = `task ${wording.text(id)} is ${status}${said}`;
    lines.push({ at: finishedAt, who: 'service', text, task: id, events: [], isPoll: false });
  }
  return lines;
}

/** Some services echo what the client has sent: that is in the requests already. */
function isFromService({ id, payload }: TaskEvent, { calls, actions }: TaskView): boolean {
  const isReply = field(payload, 'code') !== undefined;
  if (calls.some((call) => call.id === id)) return !isReply;
  return isReply || !actions.some((action) => action.id === id);
}

function isShown({ task, event }: ServiceLine, exchange: ReadExchange): boolean {
  if (exchange.task !== task || !exchange.is('getTask')) return false;
  if (event !== undefined) return exchange.events.some(({ id }) => id === event);
  return exchange.status !== undefined && isTerminal(exchange.status);
}

/** Where a task stands that is not over, and what its timeline waits for. */
function openEndOf({ id, status, runs }: TaskView, now: number, wording: Wording): Line[] {
  if (isTerminal(status)) return [];
  const next = runs.flatMap((run) => (run.next ? [run.next] : []));
  const waits = next.map(
    ({ step, waitsFor }) =>
      `${step}${waitsFor.length > 0 ? ` waits for ${waitsFor.join(' and ')}` : ' comes next'}`,
  );
  const text = wording.text(`task ${id} is ${status}${waits.length > 0 ? `; ${waits.join('; ')}` : ''}`, 240);
  return [{ at: now, who: 'now', text, task: id, events: [], isPoll: false }];
}

/** `  +1.300 s  service  task d394c682 is done: "Nine degrees."`. */
export function showLine({ at, who, text }: Line, start: number): string {
  return `${since(start, at).padStart(11)}  ${who.padEnd(7)}  ${text}`;
}
