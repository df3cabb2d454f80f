import type { TaskView } from '../../../mock/admin/task-view.js';
import type { Mock } from '../../../mock/interface.js';
import { isTerminal, type TaskEvent } from '../../../spec/vocabulary.js';
import { field } from '../../conversation/json.js';
import { ReadExchange } from '../../conversation/read-exchange.js';
import { replyOf } from '../../conversation/reply.js';
import { Brief, since } from './brief.js';
import { type Wording, wordsOf } from './exchange-words.js';
import { Names } from './names.js';

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
export interface Conversation {
  organisation: string;
  /** Time of its first request, ms. */
  start: number;
  exchanges: readonly ReadExchange[];
  tasks: readonly TaskView[];
  lines: readonly Line[];
}

/** Those of all organisations that received a request; of the one that `key` opens where it is given. */
export function conversationsOf(mock: Mock, key?: string): Conversation[] {
  const organisations = [...mock.service.organisations.all()];
  const brief = new Brief(organisations.map((organisation) => organisation.key));
  return organisations
    .filter((organisation) => key === undefined || organisation.key === key)
    .flatMap((organisation) => {
      const exchanges = organisation.journal.read().map((exchange) => new ReadExchange(exchange));
      const tasks = [...organisation.world.tasks.keys()].map((id) => mock.admin.task(id));
      const start = exchanges[0]?.at;
      if (start === undefined) return [];
      const wording = { brief, names: new Names(tasks, brief), start };
      const lines = linesOf(exchanges, tasks, organisation.world.now, wording);
      return [{ organisation: organisation.name, start, exchanges, tasks, lines }];
    });
}

function linesOf(
  exchanges: readonly ReadExchange[],
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

function lineOf(seen: ReadExchange, wording: Wording): Line {
  const reply = replyOf(seen)?.id ?? seen.sent?.id;
  const events = [...seen.events.map(({ id }) => id), reply].filter((id) => typeof id === 'string');
  const text = wordsOf(seen, wording);
  return {
    at: seen.at,
    who: 'client',
    text,
    task: seen.task,
    seq: seen.seq,
    events,
    isPoll: seen.is('getTask'),
  };
}

/** A step of the service, told by what it left behind. */
interface ServiceLine extends Line {
  /** Undefined for the end of the task. */
  event?: string;
}

function stepsOf(task: TaskView, { brief, names }: Wording): ServiceLine[] {
  const { id, finished_at, status, output } = task;
  const sent = task.events.filter((event) => isFromService(event, task));
  const lines: ServiceLine[] = sent.map((event) => {
    const { payload } = event;
    const told = 'code' in payload ? `${brief.json(payload.code)} ` : '';
    const value = 'code' in payload ? payload.output : payload.input;
    const kind = 'code' in payload ? 'result' : event.name;
    const text = `${kind} ${names.of(event.id)} ${told}${brief.json(value)}`.trimEnd();
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
  if (finished_at !== null) {
    const said = output === null || output === undefined ? '' : `: ${brief.json(output)}`;
    const text = `task ${brief.text(id)} is ${status}${said}`;
    lines.push({ at: finished_at, who: 'service', text, task: id, events: [], isPoll: false });
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
function openEndOf({ id, status, runs }: TaskView, now: number, { brief }: Wording): Line[] {
  if (isTerminal(status)) return [];
  const next = runs.flatMap((run) => (run.next ? [run.next] : []));
  const waits = next.map(
    ({ step, waits_for }) =>
      `${step}${waits_for.length > 0 ? ` waits for ${waits_for.join(' and ')}` : ' comes next'}`,
  );
  const text = brief.text(`task ${id} is ${status}${waits.length > 0 ? `; ${waits.join('; ')}` : ''}`, 240);
  return [{ at: now, who: 'now', text, task: id, events: [], isPoll: false }];
}

/** `  +1.300 s  service  task d394c682 is done: "Nine degrees."`. */
export function showLine({ at, who, text }: Line, start: number): string {
  return `${since(start, at).padStart(11)}  ${who.padEnd(7)}  ${text}`;
}
