import { operations } from '../../spec/generated/operations.js';
import { isTooDeep, readJson } from '../../spec/json.js';
import { truncateText } from '../../spec/show.js';
import { isTerminal } from '../../spec/vocabulary.js';
import { skipIdleTime } from '../clock/skip-idle-time.js';
import type { Organisation } from '../engine/organisation.js';
import { enforceDeadlines } from '../engine/tasks/agent.js';
import { recordPoll } from '../engine/tasks/client-events.js';
import { cancel, removeTask, settle } from '../engine/tasks/lifecycle.js';
import type { Task } from '../engine/tasks/task.js';
import { addEnvelope, describeMisfits, formatPollResponse, formatTask } from '../engine/tasks/view.js';
import { createNotFoundError, InvalidInput, refuseByDialect } from '../exchange/errors.js';
import { HandlerResponse, type Handlers } from '../pipeline/context.js';
import { createEmptyBody } from '../pipeline/responses.js';
import { handleReply } from './events.js';
import { startTask } from './start-task.js';

export function requireTask(organisation: Organisation, id: string): Task {
  const task = organisation.tasks.get(id);
  if (!task) throw createNotFoundError('task', id);
  enforceTimeouts(task);
  return task;
}

/** If the clock jumps, no work is planned for time-outs. */
function enforceTimeouts(task: Task): void {
  if (task.organisation.clock.jumps) enforceDeadlines(task);
}

/** Section "Endpoints", Tasks; the event endpoint is in events.ts. */
export const taskHandlers = {
  createTask(context) {
    const { organisation, body } = context;
    if (organisation.dialect['task.unknown-fields'] === 'refused') refuseUnknownFields(body);
    // The client may have sent the task text under another field name.
    if (context.exchange.notes && !Object.hasOwn(body, 'task'))
      context.note('no "task": this opened a session');
    const task = startTask(context, body);
    const misfit = describeMisfits(task);
    const headers = misfit && { 'x-taskdouble-misfit': toHeaderText(`${task.scenario} ${misfit}`) };
    return new HandlerResponse(200, addEnvelope(formatTask(task, '[]')), headers || undefined);
  },

  listTasks({ organisation, query }) {
    const { dialect } = organisation;
    let tasks = [...organisation.tasks.values()];
    const { t } = query;
    if (t !== undefined) {
      const after = dialect['task.list-t'] === 'created-after';
      // The unit is that of `created_at`; `t` in the other unit is accepted as well.
      const shown_ms = dialect['task.created-at'] === 'seconds' ? 1000 : 1;
      const t_ms = t < SECONDS_BELOW ? 1000 : 1;
      tasks = tasks.filter(({ shown_created_at }) => {
        const created = Math.floor((shown_created_at * shown_ms) / t_ms);
        return after ? created > t : created < t;
      });
    }
    if (dialect['task.list-order'] !== 'oldest-first') tasks.reverse();
    const page = tasks.slice(0, query.l);
    const texts = page.map((task) => {
      enforceTimeouts(task);
      settle(task);
      return formatTask(task, 'null');
    });
    return new HandlerResponse(200, addEnvelope(`[${texts.join(',')}]`));
  },

  getTask(context) {
    const { organisation, query } = context;
    const task = requireTask(organisation, context.path.task_id);
    // The client of a HEAD gets no events, so it is not a poll.
    const isPoll = context.request.method !== 'HEAD';
    if (isPoll && organisation.clock.jumps) skipIdleTime(task, query.event_t);
    const respond = (isRead = isPoll) => {
      const status = isTerminal(task.status) ? 200 : 202;
      const { text, shown } = formatPollResponse(task, query.event_t, query.downloads);
      if (isRead) recordPoll(task, query.event_t, shown);
      return new HandlerResponse(status, text);
    };
    if (!isPoll || organisation.dialect['poll.long-poll'] !== 'on' || isTerminal(task.status))
      return respond();
    const { status } = task;
    const hasNews = () =>
      task.status !== status || task.log.last > query.event_t || !organisation.tasks.has(task.id);
    if (hasNews()) return respond();
    return context.waitFor(hasNews, Number(organisation.dialect['poll.long-poll-max'])).then((isThere) => {
      requireTask(organisation, task.id);
      // A response that the client never reads must not count as seen.
      return respond(isThere);
    });
  },

  deleteTask({ organisation, path }) {
    const task = requireTask(organisation, path.task_id);
    if (isTerminal(task.status)) {
      const detail = `Task "${task.id}" is ${task.status} already: there is nothing to stop.`;
      refuseByDialect(organisation, 'task.delete-finished', detail);
    }
    cancel(task);
    return createEmptyBody(organisation);
  },

  updateTask({ organisation, path, body, note }) {
    const task = requireTask(organisation, path.task_id);
    if (!body.tool_response) {
      note('an update without a tool_response: nothing was updated');
      return { r: false };
    }
    const { id, code, output } = body.tool_response;
    const reply = { id, code, output: readOutput(output), codeAt: ['tool_response', 'code'] } as const;
    handleReply(task, reply, note);
    return { r: true };
  },

  getTaskVisibility({ organisation, path }) {
    return { r: requireTask(organisation, path.task_id).visible };
  },

  setTaskVisibility({ organisation, path, query }) {
    const task = requireTask(organisation, path.task_id);
    task.visible = query.visibility;
    return { r: task.visible };
  },

  deleteTaskData({ organisation, path }) {
    const task = requireTask(organisation, path.task_id);
    if (!isTerminal(task.status)) {
      const detail = `Task "${task.id}" is ${task.status}: its data can be deleted once it has finished.`;
      refuseByDialect(organisation, 'task.delete-data-active', detail);
    }
    removeTask(task);
    return { r: true };
  },
} satisfies Partial<Handlers>;

const LONGEST_HEADER = 1000;

/** A header may contain only printable ASCII. */
function toHeaderText(text: string): string {
  return truncateText(text, LONGEST_HEADER).replace(/[^ -~]/g, '?');
}

const KNOWN_FIELDS = new Set(operations.createTask.body?.fields);

/** Section "Task creation request"; unknown fields are accepted unless the dialect refuses them (`task.unknown-fields`). */
function refuseUnknownFields(body: Readonly<Record<string, unknown>>): void {
  const unknown = Object.keys(body).filter((field) => !KNOWN_FIELDS.has(field));
  if (unknown.length === 0) return;
  const msg = 'A task request has no such field.';
  throw new InvalidInput(
    unknown.slice(0, 20).map((field) => ({ loc: ['body', field], msg, type: 'extra_forbidden' })),
  );
}

/** A smaller `t` must be in seconds (up to the year 5138), a larger one in ms (from 1973). */
const SECONDS_BELOW = 100_000_000_000;

/** The deprecated form sends the output as JSON text; text that is not JSON is used unchanged. */
function readOutput(output: unknown): unknown {
  if (typeof output !== 'string') return output;
  const value = readJson(output);
  // Deeper than a body may be: it could not be written into a response.
  return value === undefined || isTooDeep(value) ? output : value;
}
