import { isTerminal, type TaskEvent, type TaskStatus } from '../../spec/vocabulary.js';
import type { Organisation } from '../engine/organisation.js';
import { settle } from '../engine/tasks/lifecycle.js';
import type { Task } from '../engine/tasks/task.js';
import type { Journal } from '../journal/journal.js';

/** One thing that happened between client and service. */
export interface Moment {
  /** ms. */
  at: number;
  by: 'client' | 'service';
  what: string;
  /** Id of the event it belongs to. */
  id?: string;
  detail?: unknown;
}

/** What a page tells of a task. Times are ms. */
export interface TaskStory {
  id: string;
  status: TaskStatus;
  kind: 'task' | 'session';
  task: unknown;
  url: unknown;
  scenario: string | null;
  created_at: number;
  finished_at: number | null;
  output: unknown;
  credits_used: number | null;
  events: readonly TaskEvent[];
  conversation: Moment[];
}

/** Events that a page tells of; a longer log is told from its end. */
const MOST_EVENTS = 1000;
/** Requests to mistyped addresses below the task's own that a page tells of, the last ones. */
const MOST_STRAYS = 100;

/** `whole`: all events, however many. */
export function tellTask({ world, journal }: Organisation, task: Task, whole = false): TaskStory {
  settle(world, task);
  const { id, status, session, request, scenario, created_at, finished_at, output, credits_used, log } = task;
  const all = log.all();
  const events = whole ? all : all.slice(-MOST_EVENTS);
  return {
    id,
    status,
    kind: session ? 'session' : 'task',
    task: request.task ?? null,
    url: request.url ?? null,
    scenario,
    created_at,
    finished_at,
    output,
    credits_used,
    events,
    conversation: inOrder([...converse(task, events), ...strayed(journal, id)]),
  };
}

/** What was sent to addresses that no operation has, though they name the task. */
function strayed(journal: Journal, id: string): Moment[] {
  const names = (url: string) => url.split('?', 1)[0]!.split('/').includes(id);
  return journal.strays(MOST_STRAYS, names).map(({ request, response }) => ({
    at: request.at,
    by: 'client',
    what: `asks for what there is not, and gets ${response?.status}: ${request.method} ${request.url.slice(0, 200)}`,
  }));
}

function converse(task: Task, events: readonly TaskEvent[]): Moment[] {
  const moments: Moment[] = [
    {
      at: task.created_at,
      by: 'client',
      what: task.session ? 'opens a session' : 'posts a task',
      detail: withoutSecrets(task.request),
    },
  ];
  for (const { id, name, payload, timestamp } of events) {
    const isCall = task.calls?.has(id) === true;
    const action = task.actions?.get(id);
    const what = isCall
      ? `calls the tool ${String(payload.name)}`
      : action
        ? `answers ${action.name} with ${String(payload.code)}`
        : `sends a ${name} event`;
    moments.push({
      at: timestamp,
      by: 'service',
      what,
      id,
      detail: isCall ? payload.input : (payload.output ?? payload),
    });
  }
  for (const [id, { reply }] of task.calls ?? []) {
    if (reply)
      moments.push({
        at: reply.at,
        by: 'client',
        what: `replies with ${reply.code}`,
        id,
        detail: reply.output,
      });
  }
  for (const [id, action] of task.actions ?? []) {
    moments.push({
      at: action.at,
      by: 'client',
      what: `sends ${action.name}`,
      id,
      detail: withoutSecrets(action.input),
    });
  }
  if (isTerminal(task.status) && task.finished_at !== null) {
    moments.push({
      at: task.finished_at,
      by: 'service',
      what: `ends the ${task.session ? 'session' : 'task'}: ${task.status}`,
      detail: task.output,
    });
  }
  return moments;
}

/** Whoever knows an id may open its pages: passwords and secrets that the client sent stay out of them. */
function withoutSecrets(value: unknown): unknown {
  const text = JSON.stringify(value, (name, each) =>
    /password|secret|token|certificates/i.test(name) ? '<redacted>' : each,
  );
  return text === undefined ? undefined : JSON.parse(text);
}

/** By time. What the client did at the instant of an answer came before it. */
function inOrder(moments: readonly Moment[]): Moment[] {
  const rank = (moment: Moment) => (moment.by === 'client' ? 0 : 1);
  return [...moments].sort((a, b) => a.at - b.at || rank(a) - rank(b));
}
