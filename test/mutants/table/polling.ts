import type { Mutant } from '../mutant.js';
import { isOver } from '../operators/events.js';
import { answers, mutant, polls, requests } from '../operators/make.js';
import { type Rec, Told } from '../operators/told.js';

/** What a poll is answered with while a task is at work and when it is over. */
export const pollingMutants: readonly Mutant[] = [
  mutant(
    'poll-always-200',
    'POLL-02',
    'A poll is answered with 200 while the task runs.',
    polls((_task, told) => {
      told.status = 200;
    }),
  ),
  mutant(
    'poll-always-202',
    'POLL-02',
    'A poll is answered with 202 when the task is over.',
    polls((_task, told) => {
      told.status = 202;
    }),
  ),
  mutant(
    'poll-cancelled-202',
    'POLL-02',
    'A poll of a cancelled task is answered with 202.',
    polls((task, told) => {
      if (task.status === 'cancelled') told.status = 202;
    }),
  ),
  mutant(
    'poll-200-while-events',
    'POLL-02',
    'A poll that brings events is answered with 200 though the task runs.',
    polls((task, told) => {
      if (Array.isArray(task.events) && task.events.length > 0) told.status = 200;
    }),
  ),
  mutant('poll-session-200', 'POLL-02', 'A poll of an open session is answered with 200.', () => {
    const sessions = new Set<unknown>();
    return async (asked, next) => {
      const told = await next(asked);
      if (asked.is('createTask') && asked.json.task == null) sessions.add(told.record.id);
      if (asked.is('getTask') && sessions.has(asked.task) && told.status === 202) told.status = 200;
      return told;
    };
  }),
  mutant(
    'poll-201-while-running',
    'POLL-02',
    'A poll is answered with 201 while the task runs.',
    polls((_task, told) => {
      if (told.status === 202) told.status = 201;
    }),
  ),
  mutant(
    'poll-late-200',
    'POLL-02',
    'The first poll that shows the end of a task is still answered with 202.',
    () => {
      const seen = new Set<string>();
      return async (asked, next) => {
        const told = await next(asked);
        if (!asked.is('getTask') || told.status !== 200 || seen.has(asked.task)) return told;
        seen.add(asked.task);
        told.status = 202;
        return told;
      };
    },
  ),
  mutant(
    'unknown-task-200',
    'POLL-07',
    'A poll for a task that does not exist is answered with 200 and null.',
    unknownTask(200, { r: null }),
  ),
  mutant(
    'unknown-task-400',
    'POLL-07',
    'A poll for a task that does not exist is answered with 400.',
    unknownTask(400, { detail: 'There is no such task.' }),
  ),
  mutant(
    'unknown-task-500',
    'POLL-07',
    'A poll for a task that does not exist is answered with 500.',
    unknownTask(500, { detail: 'Internal error.' }),
  ),
  mutant(
    'unknown-task-waits',
    'POLL-07',
    'A task that does not exist is said to be waiting.',
    unknownTask(202, { r: { id: 'unknown', status: 'waiting', output: null, events: [] } }),
  ),
  mutant(
    'unknown-task-401',
    'POLL-07',
    'A poll for a task that does not exist is answered with 401.',
    unknownTask(401, { detail: 'Not authenticated.' }),
  ),
  mutant('status-flaps-back', 'POLL-08', 'A task that is over is running again at its third poll.', () => {
    const times = new Map<string, number>();
    return async (asked, next) => {
      const told = await next(asked);
      if (!asked.is('getTask') || !isOver(told.record)) return told;
      const count = (times.get(asked.task) ?? 0) + 1;
      times.set(asked.task, count);
      if (count === 2) {
        Object.assign(told.record, { status: 'running', output: null });
        told.status = 202;
      }
      return told;
    };
  }),
  mutant(
    'end-turns-into-another',
    'POLL-08',
    'A task that was done has failed when it is asked for again.',
    () => {
      const seen = new Set<string>();
      return async (asked, next) => {
        const told = await next(asked);
        if (!asked.is('getTask') || told.record.status !== 'done') return told;
        if (seen.has(asked.task)) told.record.status = 'failed';
        seen.add(asked.task);
        return told;
      };
    },
  ),
  mutant('delete-cancels-the-finished', 'POLL-08', 'A task that is over is cancelled by a DELETE.', () => {
    const over = new Set<string>();
    const deleted = new Set<string>();
    return async (asked, next) => {
      if (asked.is('deleteTask') && over.has(asked.task)) {
        deleted.add(asked.task);
        return new Told(200, { r: true });
      }
      const told = await next(asked);
      if (!asked.is('getTask') || !told.ok) return told;
      if (isOver(told.record)) over.add(asked.task);
      if (deleted.has(asked.task)) told.record.status = 'cancelled';
      return told;
    };
  }),
  mutant('poll-cancels', 'POLL-08', 'The fourth poll of a session cancels it.', () => {
    const times = new Map<string, number>();
    const sessions = new Set<unknown>();
    return async (asked, next) => {
      if (asked.is('getTask') && sessions.has(asked.task)) {
        const count = (times.get(asked.task) ?? 0) + 1;
        times.set(asked.task, count);
        if (count === 4) await next(asked.other('DELETE', `/task/${asked.task}`));
      }
      const told = await next(asked);
      if (asked.is('createTask') && asked.json.task === null) sessions.add(told.record.id);
      return told;
    };
  }),
  mutant(
    'task-never-ends',
    'SERVICE-01',
    'A task with a text is said to run for ever.',
    polls((task, told) => {
      if (task.status !== 'done') return;
      Object.assign(task, { status: 'running', output: null });
      told.status = 202;
    }),
  ),
  mutant(
    'poll-downloads-refused',
    'TASK-16',
    'A poll with downloads=true is refused with 422.',
    requests('getTask', (asked) =>
      asked.query.get('downloads') === 'true'
        ? new Told(422, { detail: 'downloads is not known' })
        : undefined,
    ),
  ),
  mutant(
    'poll-event-t-required',
    'TASK-16',
    'A poll without event_t is refused with 422.',
    requests('getTask', (asked) =>
      asked.query.has('event_t') ? undefined : new Told(422, { detail: 'event_t is required' }),
    ),
  ),
  mutant(
    'poll-without-task',
    'TASK-16',
    'A poll tells the id and the events of the task and nothing else.',
    answers('getTask', (told) => {
      const { id, events } = told.record;
      told.r = { id, events } satisfies Rec;
    }),
  ),
];

function unknownTask(status: number, body: unknown) {
  return () =>
    async (...[asked, next]: Parameters<ReturnType<ReturnType<typeof answers>>>) => {
      const told = await next(asked);
      return asked.is('getTask') && told.status === 404 ? new Told(status, body) : told;
    };
}
