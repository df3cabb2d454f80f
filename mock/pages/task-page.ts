import { isTerminal, type TaskEvent, type TaskStatus } from '../../spec/vocabulary.js';
import type { Organisation } from '../engine/organisation.js';
import { settle } from '../engine/tasks/lifecycle.js';
import type { Task } from '../engine/tasks/task.js';
import type { Journal } from '../journal/journal.js';

/** One action of the client or the service. */
export interface Activity {
  /** ms. */
  at: number;
  by: 'client' | 'service';
  what: string;
  /** Id of the event it belongs to. */
  id?: string;
  detail?: unknown;
}

/** The data on the pages of a task. Times are ms. */
export interface TaskPage {
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
  conversation: Activity[];
}

/** Events on a page: the last ones. */
const MOST_EVENTS = 1000;
/** Requests to unknown addresses that name the task on a page: the last ones. */
const MOST_STRAYS = 100;

/** `isWhole`: with all events, however many. */
export function describeTask({ world, journal }: Organisation, task: Task, isWhole = false): TaskPage {
  settle(world, task);
  const { id, status, session, request, scenario, created_at, finished_at, output, credits_used, log } = task;
  const events = isWhole ? log.all() : log.all().slice(-MOST_EVENTS);
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
    conversation: byTime([
      ...byClient(task),
      ...straysOf(journal, id),
      ...events.map((event) => byService(event, task)),
      ...endOf(task),
    ]),
  };
}

function byClient({ session, created_at, request, calls, actions }: Task): Activity[] {
  const client = (at: number, what: string, id?: string, detail?: unknown): Activity => ({
    at,
    by: 'client',
    what,
    ...(id === undefined ? {} : { id }),
    detail,
  });
  const created = session ? 'opens a session' : 'posts a task';
  return [
    client(created_at, created, undefined, withoutSecrets(request)),
    ...[...(calls ?? [])].flatMap(([id, { reply }]) =>
      reply ? [client(reply.at, `replies with ${reply.code}`, id, reply.output)] : [],
    ),
    ...[...(actions ?? [])].map(([id, { at, name, input }]) =>
      client(at, `sends ${name}`, id, withoutSecrets(input)),
    ),
  ];
}

function byService({ id, name, payload, timestamp }: TaskEvent, { calls, actions }: Task): Activity {
  const action = actions?.get(id);
  const of = { at: timestamp, by: 'service', id } as const;
  if (calls?.has(id)) return { ...of, what: `calls the tool ${String(payload.name)}`, detail: payload.input };
  const what = action ? `responds to ${action.name} with ${String(payload.code)}` : `sends a ${name} event`;
  return { ...of, what, detail: payload.output ?? payload };
}

function endOf({ status, finished_at, session, output }: Task): Activity[] {
  if (!isTerminal(status) || finished_at === null) return [];
  const what = `ends the ${session ? 'session' : 'task'}: ${status}`;
  return [{ at: finished_at, by: 'service', what, detail: output }];
}

/** Requests to unknown addresses that name the task. */
function straysOf(journal: Journal, id: string): Activity[] {
  const isAbout = (url: string) => url.split('?', 1)[0]!.split('/').includes(id);
  return journal.strays(MOST_STRAYS, isAbout).map(({ request, response }) => ({
    at: request.at,
    by: 'client',
    what: `sends a request to an unknown address (${response?.status}): ${request.method} ${request.url.slice(0, 200)}`,
  }));
}

/** Anyone who knows the id may open the page: it shows no passwords and secrets of the request. */
function withoutSecrets(value: unknown): unknown {
  const text = JSON.stringify(value, (name, each) =>
    /password|secret|token|certificates/i.test(name) ? '<redacted>' : each,
  );
  return text === undefined ? undefined : JSON.parse(text);
}

/** At the same time, an action of the client precedes one of the service. */
function byTime(activities: readonly Activity[]): Activity[] {
  const rank = ({ by }: Activity) => (by === 'client' ? 0 : 1);
  return [...activities].sort((one, other) => one.at - other.at || rank(one) - rank(other));
}
