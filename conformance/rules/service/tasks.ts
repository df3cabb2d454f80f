import type { OperationId } from '../../../spec/generated/operations.js';
import { isTerminal, TASK_STATUSES } from '../../../spec/vocabulary.js';
import { type Fields, isOneOf, isText, isUrl, readField, show, toFields } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import { defineItemRules, defineRules, type RuleFinding, type RuleItems, type RuleResult } from '../rule.js';

/** Operations whose responses show tasks. */
export const TASK_OPERATIONS: readonly OperationId[] = ['createTask', 'getTask', 'listTasks'];
const TASKS: RuleItems<Fields> = { each: readTasks };
const POLLED_TASKS: RuleItems<Fields> = { each: ({ record }) => (record ? [record] : []) };

/** Most tasks remembered. */
const MOST_TASKS = 10_000;
const DEFAULT_L = 32;
/** A list may be eventually consistent: until this long after a poll, ms, it may show an earlier status. */
const LIST_LAG_MS = 5000;

/** The content of responses with tasks. Sections "Task", "Tasks", "Limits" and "States and transitions". */
export const taskRules = [
  ...defineItemRules('service', 'stream', TASK_OPERATIONS, TASKS, {
    'tasks/status': {
      requirements: ['TASK-02'],
      title: 'The status of a task is one of the five.',
      check: (task, exchange) => {
        // Another rule requires the status of a new task.
        if (task.status === undefined && exchange.is('createTask')) return undefined;
        if (isOneOf(TASK_STATUSES, task.status)) return 'kept';
        return `${formatTaskName(task, exchange)} has the status ${show(task.status)}: it is one of ${TASK_STATUSES.join(', ')}.`;
      },
    },
    'tasks/id': {
      requirements: ['TASK-01'],
      title: 'A task carries its id.',
      check: (task, exchange) => {
        if (exchange.is('createTask')) return undefined;
        if (!isText(task.id))
          return `${formatTaskName(task, exchange)} has ${show(task.id)} for its id: it has to be a text.`;
        const requestedId = exchange.path.get('task_id');
        if (requestedId === undefined || requestedId === task.id) return 'kept';
        return `The response to a poll for the task ${show(requestedId)} holds the task ${show(task.id)}.`;
      },
    },
    'tasks/output-while-active': {
      requirements: ['TASK-03'],
      title: 'The output is null as long as a task runs.',
      check: (task, exchange) => {
        const { status, output } = task;
        if (!isOneOf(TASK_STATUSES, status) || isTerminal(status) || output === undefined) return undefined;
        if (output === null) return 'kept';
        return `${formatTaskName(task, exchange)} is ${status} and has the output ${show(output)}: it has to be null until the task is over.`;
      },
    },
    'tasks/credits-used': {
      requirements: ['TASK-08'],
      title: 'A completed task has its cost as an integer.',
      check: (task, exchange) => {
        const { credits_used, status } = task;
        const isDone = status === 'done';
        if (Number.isInteger(credits_used)) return isDone ? 'kept' : undefined;
        // Another rule decides whether a list may omit it.
        if ((credits_used ?? null) === null && !(isDone && exchange.is('getTask'))) return undefined;
        return `${formatTaskName(task, exchange)} is ${show(status)} and has ${show(credits_used)} for its credits_used: a completed task has an integer there.`;
      },
    },
    'tasks/live-address': {
      requirements: ['TASK-06'],
      title: 'Where a task has a live_url, it is a URL.',
      check: (task, exchange) => checkUrl('live_url', task, exchange),
    },
    'tasks/recording-address': {
      requirements: ['TASK-07'],
      title: 'Where a task has a recording_url, it is a URL.',
      check: (task, exchange) => checkUrl('recording_url', task, exchange),
    },
  }),
  ...defineItemRules('service', 'stream', ['getTask'], POLLED_TASKS, {
    'tasks/http-status': {
      requirements: ['POLL-02'],
      title: 'The response to a poll is 202 while the task is active and 200 once it is over.',
      check: (_task, { status, httpStatus }) => {
        if (status === undefined) return undefined;
        const expected = isTerminal(status) ? 200 : 202;
        if (httpStatus === expected) return 'kept';
        return `A poll of a task that is "${status}" got ${httpStatus}: it has to be ${expected}.`;
      },
    },
  }),
  ...defineRules('service', 'stream', TASK_OPERATIONS, {
    'outputs/kind': {
      requirements: ['TASK-05'],
      title: 'The output of a task is text, structured data or null.',
      start: () => {
        /** True for tasks created with a response_model, which may require any output. */
        const hasModel = new Map<string, boolean>();
        return (exchange) => {
          const request = exchange.is('createTask') && exchange.ok && toFields(exchange.requestJson);
          if (request && hasModel.size < MOST_TASKS)
            hasModel.set(formatKey(exchange, exchange.task), (request.response_model ?? null) !== null);
          const done = readTasks(exchange).flatMap((task) => {
            const isModelled = hasModel.get(formatKey(exchange, exchange.task ?? task.id));
            if (task.status !== 'done' || isModelled === undefined) return [];
            const isPlain = typeof task.output !== 'number' && typeof task.output !== 'boolean';
            return isPlain || !isModelled ? [{ task, isPlain }] : [];
          });
          const wrong = done.find(({ isPlain }) => !isPlain)?.task;
          if (wrong)
            return `${formatTaskName(wrong, exchange)} has the output ${show(wrong.output)}: it has to be text, structured data or null.`;
          return done.length > 0 ? 'kept' : undefined;
        };
      },
    },
  }),
  ...defineRules('service', 'stream', ['createTask'], {
    'tasks/created': {
      requirements: ['TASK-14'],
      title: 'The response to a new task has its id, its status and its live address.',
      check: (exchange) => {
        const r = exchange.ok ? readField(exchange.responseJson, 'r') : undefined;
        if (r === undefined) return undefined;
        const { id, status, ...others } = toFields(r) ?? {};
        // A browser that is starting has no URL: null at first, or no field while the task waits.
        const hasAddress = Object.hasOwn(others, 'live_url') || status === 'waiting';
        if (isText(id) && typeof status === 'string' && hasAddress) return 'kept';
        return `The response to a new task has to hold its id, its status and its live_url, but "r" is ${show(r)}.`;
      },
    },
    'tasks/first-status': {
      requirements: ['TASK-12'],
      title: 'A task that was just accepted runs, or waits to.',
      check: ({ status }) => {
        // It may have failed before the response was sent.
        if (status === undefined || status === 'failed') return undefined;
        if (!isTerminal(status)) return 'kept';
        return `A new task has the status "${status}": one that was just accepted is running, or waiting.`;
      },
    },
  }),
  ...defineRules('service', 'stream', 'all', {
    'lists/limit': {
      requirements: ['LIMIT-01'],
      title: 'A list of tasks has at most `l` members, 32 without it.',
      only: ['createTask', 'getTask', 'listTasks'],
      start: () => {
        const known = new Set<string>();
        return (exchange) => {
          const tasks = readTasks(exchange);
          const { organisation } = exchange.exchange;
          const l = exchange.is('listTasks') ? readLimit(exchange) : undefined;
          // Full, and more tasks exist: without the limit they would be listed.
          const isFull =
            l === tasks.length && [...known].filter((key) => key.startsWith(`${organisation} `)).length > l;
          for (const { id } of tasks)
            if (isText(id) && known.size < MOST_TASKS) known.add(`${organisation} ${id}`);
          if (l === undefined || tasks.length <= l) return isFull ? 'kept' : undefined;
          const limitText = exchange.query.has('l') ? `with l=${l}` : 'without l';
          const message = `GET /task ${limitText} lists ${tasks.length} tasks: it has to be at most ${l}.`;
          return { message, about: String(l) };
        };
      },
    },
    'lists/once': {
      requirements: ['TASK-15'],
      title: 'A list names each task once.',
      only: ['listTasks'],
      check: (exchange) => {
        const ids = readTasks(exchange).map(({ id }) => id);
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
        const ended = new Map<string, ReadExchange>();
        return (exchange) => {
          const { status } = exchange;
          if (exchange.is('getTask')) {
            const key = formatKey(exchange, exchange.task);
            if (status && isTerminal(status) && !ended.has(key) && ended.size < MOST_TASKS)
              ended.set(key, exchange);
            return undefined;
          }
          const known = readTasks(exchange).flatMap((task) => {
            const end = ended.get(formatKey(exchange, task.id));
            const isKnown = end && isOneOf(TASK_STATUSES, task.status) && exchange.isAfter(end);
            return isKnown ? [{ task, end }] : [];
          });
          const wrong = known.filter(({ task, end }) => task.status !== end.status);
          if (wrong.length === 0) return known.length > 0 ? 'kept' : undefined;
          const settled = wrong.filter(({ end }) => exchange.at - end.respondedAt >= LIST_LAG_MS);
          return settled.map(({ task, end }) => ({
            message: `The task ${show(task.id)} is listed as "${task.status}" after exchange ${end.seq} had shown that it is "${end.status}".`,
            evidence: [end.seq, exchange.seq],
            about: String(task.id),
          }));
        };
      },
    },
    'lists/fields': {
      requirements: ['TASK-15'],
      title: 'A list shows a task with the fields that it has.',
      only: [...TASK_OPERATIONS, 'sendTaskEvent', 'deleteTask', 'deleteTaskData'],
      start: () => {
        const shown = new Map<string, Map<string, ReadExchange>>();
        let missing: (RuleFinding & { key: string; respondedAt: number })[] = [];
        return {
          observe(exchange) {
            if (exchange.isUnrecorded('before')) shown.clear();
            const key = formatKey(exchange, exchange.task);
            const isUnread = exchange.is('sendTaskEvent') && exchange.findGap('body') !== undefined;
            if (exchange.isStop || isUnread) {
              // A stopped or deleted task shows nothing, and a pending request may already have taken effect.
              missing = missing.filter((each) => each.key !== key || each.respondedAt < exchange.at);
              shown.delete(key);
              return undefined;
            }
            if (exchange.is('createTask', 'getTask')) {
              if (!exchange.record || shown.size >= MOST_TASKS) return undefined;
              if (exchange.is('createTask')) shown.set(key, new Map());
              const known = shown.get(key);
              if (exchange.status === 'done') known?.delete('live_url');
              for (const name of listFields(exchange.status))
                if ((exchange.record[name] ?? '') !== '' && !known?.has(name)) known?.set(name, exchange);
              return undefined;
            }
            let isKept = false;
            for (const task of readTasks(exchange)) {
              const key = formatKey(exchange, task.id);
              for (const name of listFields(task.status)) {
                const before = shown.get(key)?.get(name);
                if (!before || !exchange.isAfter(before)) continue;
                if ((task[name] ?? null) !== null) isKept = true;
                else if (missing.length < MOST_TASKS)
                  missing.push({
                    message: `${formatTaskName(task, exchange)} is ${show(task.status)} and has ${show(task[name])} for its ${name}, which exchange ${before.seq} has shown.`,
                    evidence: [before.seq, exchange.seq],
                    about: name,
                    key,
                    respondedAt: exchange.respondedAt,
                  });
              }
            }
            return isKept ? 'kept' : undefined;
          },
          conclude: () => missing,
        };
      },
    },
  }),
];

function listFields(status: unknown): readonly string[] {
  if (status === 'running') return ['live_url'];
  return status === 'done' ? ['credits_used', 'recording_url'] : [];
}

/** It may be null, or empty if there is none. */
function checkUrl(name: 'live_url' | 'recording_url', task: Fields, exchange: ReadExchange): RuleResult {
  const url = task[name] ?? '';
  // Most tasks have none yet, and the failure to parse a text is slow.
  if (url === '') return undefined;
  if (isUrl(url)) return listFields(task.status).includes(name) ? 'kept' : undefined;
  return `${formatTaskName(task, exchange)} has ${show(url)} for its ${name}: it has to be a URL.`;
}

function formatKey({ exchange }: ReadExchange, id: unknown): string {
  return JSON.stringify([exchange.organisation, id]);
}

export function readTasks(exchange: ReadExchange): readonly Fields[] {
  if (!exchange.is('listTasks')) return exchange.record ? [exchange.record] : [];
  const r = exchange.ok ? readField(exchange.responseJson, 'r') : undefined;
  return (Array.isArray(r) ? r : []).map(toFields).filter((task) => task !== undefined);
}

function formatTaskName({ id }: Fields, exchange: ReadExchange): string {
  return exchange.is('listTasks') ? `The listed task ${show(id)}` : `The task ${show(exchange.task)}`;
}

/** Undefined for a limit that has to be refused. */
function readLimit({ query }: ReadExchange): number | undefined {
  const text = query.get('l') ?? String(DEFAULT_L);
  const l = /^\d+$/.test(text) ? Number(text) : 0;
  return l >= 1 && l <= 128 ? l : undefined;
}
