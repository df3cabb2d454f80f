import { isTerminal, TASK_STATUSES, type TaskStatus } from '../../../spec/vocabulary.js';
import { asFields, type Fields, field, show } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import { defineRules, type Judgement } from '../rule.js';

/** What one answer with tasks has to hold. Sections "Task" and "States and transitions". */
export const taskRules = defineRules({ side: 'service', level: 'must', scope: 'stream' }, [
  {
    id: 'tasks/status',
    requirements: ['TASK-02'],
    title: 'The status of a task is one of the five.',
    check: (exchange) =>
      everyTask(exchange, (task, where) => {
        // That a new task comes with a status is another rule's matter.
        if (task.status === undefined && exchange.is('createTask')) return undefined;
        if (TASK_STATUSES.some((known) => known === task.status)) return 'kept';
        return {
          message: `${where} has the status ${show(task.status)}: it is one of ${TASK_STATUSES.join(', ')}.`,
        };
      }),
  },
  {
    id: 'tasks/id',
    requirements: ['TASK-01'],
    title: 'A task carries its id.',
    check: (exchange) =>
      everyTask(exchange, (task, where) => {
        if (exchange.is('createTask')) return undefined;
        const asked = exchange.is('getTask') ? exchange.path.get('task_id') : undefined;
        if (typeof task.id !== 'string' || task.id === '')
          return { message: `${where} has ${show(task.id)} for its id: it has to be a text.` };
        if (asked === undefined || asked === task.id) return 'kept';
        return { message: `A poll for the task ${show(asked)} was answered with the task ${show(task.id)}.` };
      }),
  },
  {
    id: 'tasks/output-while-active',
    requirements: ['TASK-03'],
    title: 'The output is null as long as a task runs.',
    check: (exchange) =>
      everyTask(exchange, (task, where) => {
        const status = statusOf(task);
        if (status === undefined || isTerminal(status) || task.output === undefined) return undefined;
        if (task.output === null) return 'kept';
        return {
          message: `${where} is ${status} and has the output ${show(task.output)}: it has to be null until the task is over.`,
        };
      }),
  },
  {
    id: 'tasks/credits-used',
    requirements: ['TASK-08'],
    title: 'A completed task has its cost as an integer.',
    check: (exchange) =>
      polled(exchange, (task) => {
        const { credits_used, status } = task;
        if (Number.isInteger(credits_used)) return status === 'done' ? 'kept' : undefined;
        const isNone = credits_used === null || credits_used === undefined;
        if (isNone && status !== 'done') return undefined;
        return {
          message: `A task that is ${show(status)} has ${show(credits_used)} for its credits_used: a completed task has an integer there.`,
        };
      }),
  },
  {
    id: 'tasks/created',
    requirements: ['TASK-14'],
    title: 'The answer to a new task has its id, its status and its live address.',
    check: (exchange) => {
      if (!exchange.is('createTask') || !exchange.ok) return undefined;
      const r = field(exchange.responseJson, 'r');
      if (r === undefined) return undefined;
      const lacking = lackOf(asFields(r));
      if (lacking === undefined) return 'kept';
      return {
        message: `The answer to a new task has to hold its id, its status and its live_url, and ${lacking}.`,
      };
    },
  },
  {
    id: 'tasks/first-status',
    requirements: ['TASK-12'],
    title: 'A task that was just accepted runs, or waits to.',
    check: (exchange) => {
      if (!exchange.is('createTask') || exchange.status === undefined) return undefined;
      if (!isTerminal(exchange.status)) return 'kept';
      // It may have failed by the time the answer leaves.
      if (exchange.status === 'failed') return undefined;
      return {
        message: `A new task has the status "${exchange.status}": one that was just accepted is running.`,
      };
    },
  },
  {
    id: 'tasks/http-status',
    requirements: ['POLL-02'],
    title: 'A poll is answered with 202 while the task is active and with 200 once it is over.',
    check: (exchange) =>
      polled(exchange, ({ status: given }) => {
        const { status } = exchange;
        const http = exchange.httpStatus;
        if (status === undefined) return undefined;
        const expected = isTerminal(status) ? 200 : 202;
        if (http === expected) return 'kept';
        return {
          message: `A poll of a task that is ${show(given)} was answered with ${http}: it has to be ${expected}.`,
        };
      }),
  },
]);

/** The tasks in an answer: one of a creation or a poll, or those of a list. */
export function tasksIn(exchange: ReadExchange): readonly Fields[] {
  if (!exchange.ok || !exchange.is('createTask', 'getTask', 'listTasks')) return [];
  const r = field(exchange.responseJson, 'r');
  const all = exchange.is('listTasks') ? (Array.isArray(r) ? r : []) : [r];
  return all.map(asFields).filter((task) => task !== undefined);
}

export function statusOf({ status }: Fields): TaskStatus | undefined {
  return TASK_STATUSES.find((known) => known === status);
}

/** The first that is broken decides. */
function everyTask(exchange: ReadExchange, look: (task: Fields, where: string) => Judgement): Judgement {
  let all: Judgement;
  for (const task of tasksIn(exchange)) {
    const where = exchange.is('listTasks')
      ? `The listed task ${show(task.id)}`
      : `The task ${show(exchange.task)}`;
    const shown = look(task, where);
    if (typeof shown === 'object') return shown;
    all ??= shown;
  }
  return all;
}

function polled(exchange: ReadExchange, look: (task: Fields) => Judgement): Judgement {
  const task = exchange.is('getTask') ? exchange.record : undefined;
  return task && look(task);
}

function lackOf(task: Fields | undefined): string | undefined {
  if (task === undefined) return 'there is no task in "r"';
  if (typeof task.id !== 'string' || task.id === '') return `its id is ${show(task.id)}`;
  if (typeof task.status !== 'string') return `its status is ${show(task.status)}`;
  // A browser that is not there yet has no address: null at first, or none at all while the task waits.
  const isLate = Object.hasOwn(task, 'live_url') || task.status === 'waiting';
  return isLate ? undefined : 'it has no live_url';
}
