import { isTerminal, TASK_STATUSES, type TerminalStatus } from '../../../spec/vocabulary.js';
import { isOneOf, isText, show } from '../../conversation/json.js';
import type { Moment, ReadExchange } from '../../conversation/read-exchange.js';
import { defineRules } from '../rule.js';
import { tasksIn } from './tasks.js';

/** Tasks remembered. */
const MOST_TASKS = 10_000;
const DEFAULT_L = 32;

/** Lists of tasks. Sections "Tasks" and "Limits". */
export const listRules = defineRules('service', 'stream', 'all', {
  'lists/limit': {
    requirements: ['LIMIT-01'],
    title: 'A list of tasks has at most `l` members, 32 without it.',
    only: ['createTask', 'getTask', 'listTasks'],
    start: () => {
      const known = new Set<string>();
      return (exchange) => {
        const tasks = tasksIn(exchange);
        const { organisation } = exchange.exchange;
        const l = exchange.is('listTasks') ? limitOf(exchange) : undefined;
        // Full, and there are more: without the limit they would have been there.
        const isFull =
          l === tasks.length && [...known].filter((key) => key.startsWith(`${organisation} `)).length > l;
        for (const { id } of tasks)
          if (isText(id) && known.size < MOST_TASKS) known.add(`${organisation} ${id}`);
        if (l === undefined || tasks.length <= l) return isFull ? 'kept' : undefined;
        const asked = exchange.query.has('l') ? `with l=${l}` : 'without l';
        const message = `GET /task ${asked} was answered with ${tasks.length} tasks: it has to be at most ${l}.`;
        return { message, about: String(l) };
      };
    },
  },
  'lists/once': {
    requirements: ['TASK-15'],
    title: 'A list names each task once.',
    only: ['listTasks'],
    check: (exchange) => {
      const ids = tasksIn(exchange).map(({ id }) => id);
      const twice = ids.find((id, at) => typeof id === 'string' && ids.includes(id, at + 1));
      if (twice !== undefined) return `A list of tasks names ${show(twice)} twice.`;
      return ids.length > 1 ? 'kept' : undefined;
    },
  },
  'lists/status': {
    requirements: ['TASK-15'],
    title: 'A list shows the status that a task has.',
    only: ['getTask', 'listTasks'],
    start: () => {
      const ended = new Map<string, Moment & { status: TerminalStatus }>();
      return (exchange) => {
        const { status, moment } = exchange;
        const keyOf = (id: unknown) => JSON.stringify([exchange.exchange.organisation, id]);
        if (exchange.is('getTask')) {
          const key = keyOf(exchange.task);
          if (status && isTerminal(status) && !ended.has(key) && ended.size < MOST_TASKS)
            ended.set(key, { ...moment, status });
          return undefined;
        }
        const known = tasksIn(exchange).flatMap((task) => {
          const end = ended.get(keyOf(task.id));
          const isKnown = end && isOneOf(TASK_STATUSES, task.status) && exchange.couldKnow(end);
          return isKnown ? [{ task, end }] : [];
        });
        const wrong = known.filter(({ task, end }) => task.status !== end.status);
        if (wrong.length === 0) return known.length > 0 ? 'kept' : undefined;
        return wrong.map(({ task, end }) => ({
          message: `The task ${show(task.id)} is listed as "${task.status}" after exchange ${end.seq} had shown that it is "${end.status}".`,
          evidence: [end.seq, exchange.seq],
          about: String(task.id),
        }));
      };
    },
  },
});

/** Undefined for one that has to be refused. */
function limitOf({ query }: ReadExchange): number | undefined {
  const text = query.get('l') ?? String(DEFAULT_L);
  const l = /^\d+$/.test(text) ? Number(text) : 0;
  return l >= 1 && l <= 128 ? l : undefined;
}
