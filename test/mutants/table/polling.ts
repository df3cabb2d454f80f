import type { Mutant } from '../mutant.js';
import { isOver } from '../operators/events.js';
import { changePolls, changeRequests, changeResponses, mutant } from '../operators/make.js';
import { type LooseRecord, MutantResponse } from '../operators/mutant-response.js';

/** What a poll is answered with while a task is at work and when it is over. */
export const pollingMutants: readonly Mutant[] = [
  mutant(
    'poll-always-200',
    'POLL-02',
    'A poll is answered with 200 while the task runs.',
    changePolls((_task, response) => {
      response.status = 200;
    }),
  ),
  mutant(
    'poll-always-202',
    'POLL-02',
    'A poll is answered with 202 when the task is over.',
    changePolls((_task, response) => {
      response.status = 202;
    }),
  ),
  mutant(
    'poll-cancelled-202',
    'POLL-02',
    'A poll of a cancelled task is answered with 202.',
    changePolls((task, response) => {
      if (task.status === 'cancelled') response.status = 202;
    }),
  ),
  mutant(
    'poll-200-while-events',
    'POLL-02',
    'A poll that brings events is answered with 200 though the task runs.',
    changePolls((task, response) => {
      if (Array.isArray(task.events) && task.events.length > 0) response.status = 200;
    }),
  ),
  mutant('poll-session-200', 'POLL-02', 'A poll of an open session is answered with 200.', () => {
    const sessions = new Set<unknown>();
    return async (request, next) => {
      const response = await next(request);
      if (request.is('createTask') && request.json.task == null) sessions.add(response.record.id);
      if (request.is('getTask') && sessions.has(request.task) && response.status === 202)
        response.status = 200;
      return response;
    };
  }),
  mutant(
    'poll-201-while-running',
    'POLL-02',
    'A poll is answered with 201 while the task runs.',
    changePolls((_task, response) => {
      if (response.status === 202) response.status = 201;
    }),
  ),
  mutant(
    'poll-late-200',
    'POLL-02',
    'The first poll that shows the end of a task is still answered with 202.',
    () => {
      const seen = new Set<string>();
      return async (request, next) => {
        const response = await next(request);
        if (!request.is('getTask') || response.status !== 200 || seen.has(request.task)) return response;
        seen.add(request.task);
        response.status = 202;
        return response;
      };
    },
  ),
  mutant(
    'unknown-task-200',
    'POLL-07',
    'A poll for a task that does not exist is answered with 200 and null.',
    respondToUnknownTask(200, { r: null }),
  ),
  mutant(
    'unknown-task-400',
    'POLL-07',
    'A poll for a task that does not exist is answered with 400.',
    respondToUnknownTask(400, { detail: 'There is no such task.' }),
  ),
  mutant(
    'unknown-task-500',
    'POLL-07',
    'A poll for a task that does not exist is answered with 500.',
    respondToUnknownTask(500, { detail: 'Internal error.' }),
  ),
  mutant(
    'unknown-task-waits',
    'POLL-07',
    'A task that does not exist is said to be waiting.',
    respondToUnknownTask(202, { r: { id: 'unknown', status: 'waiting', output: null, events: [] } }),
  ),
  mutant(
    'unknown-task-401',
    'POLL-07',
    'A poll for a task that does not exist is answered with 401.',
    respondToUnknownTask(401, { detail: 'Not authenticated.' }),
  ),
  mutant('status-flaps-back', 'POLL-08', 'A task that is over is running again at its third poll.', () => {
    const times = new Map<string, number>();
    return async (request, next) => {
      const response = await next(request);
      if (!request.is('getTask') || !isOver(response.record)) return response;
      const count = (times.get(request.task) ?? 0) + 1;
      times.set(request.task, count);
      if (count === 2) {
        Object.assign(response.record, { status: 'running', output: null });
        response.status = 202;
      }
      return response;
    };
  }),
  mutant(
    'end-turns-into-another',
    'POLL-08',
    'A task that was done has failed when it is asked for again.',
    () => {
      const seen = new Set<string>();
      return async (request, next) => {
        const response = await next(request);
        if (!request.is('getTask') || response.record.status !== 'done') return response;
        if (seen.has(request.task)) response.record.status = 'failed';
        seen.add(request.task);
        return response;
      };
    },
  ),
  mutant('delete-cancels-the-finished', 'POLL-08', 'A task that is over is cancelled by a DELETE.', () => {
    const over = new Set<string>();
    const deleted = new Set<string>();
    return async (request, next) => {
      if (request.is('deleteTask') && over.has(request.task)) {
        deleted.add(request.task);
        return new MutantResponse(200, { r: true });
      }
      const response = await next(request);
      if (!request.is('getTask') || !response.ok) return response;
      if (isOver(response.record)) over.add(request.task);
      if (deleted.has(request.task)) response.record.status = 'cancelled';
      return response;
    };
  }),
  mutant('poll-cancels', 'POLL-08', 'The fourth poll of a session cancels it.', () => {
    const times = new Map<string, number>();
    const sessions = new Set<unknown>();
    return async (request, next) => {
      if (request.is('getTask') && sessions.has(request.task)) {
        const count = (times.get(request.task) ?? 0) + 1;
        times.set(request.task, count);
        if (count === 4) await next(request.derive('DELETE', `/task/${request.task}`));
      }
      const response = await next(request);
      if (request.is('createTask') && request.json.task === null) sessions.add(response.record.id);
      return response;
    };
  }),
  mutant(
    'task-never-ends',
    'SERVICE-01',
    'A task with a text is said to run for ever.',
    changePolls((task, response) => {
      if (task.status !== 'done') return;
      Object.assign(task, { status: 'running', output: null });
      response.status = 202;
    }),
  ),
  mutant(
    'poll-downloads-refused',
    'TASK-16',
    'A poll with downloads=true is refused with 422.',
    changeRequests('getTask', (request) =>
      request.query.get('downloads') === 'true'
        ? new MutantResponse(422, { detail: 'downloads is not known' })
        : undefined,
    ),
  ),
  mutant(
    'poll-event-t-required',
    'TASK-16',
    'A poll without event_t is refused with 422.',
    changeRequests('getTask', (request) =>
      request.query.has('event_t') ? undefined : new MutantResponse(422, { detail: 'event_t is required' }),
    ),
  ),
  mutant(
    'poll-without-task',
    'TASK-16',
    'A poll tells the id and the events of the task and nothing else.',
    changeResponses('getTask', (response) => {
      const { id, events } = response.record;
      response.r = { id, events } satisfies LooseRecord;
    }),
  ),
];

function respondToUnknownTask(status: number, body: unknown) {
  return () =>
    async (...[request, next]: Parameters<ReturnType<ReturnType<typeof changeResponses>>>) => {
      const response = await next(request);
      return request.is('getTask') && response.status === 404 ? new MutantResponse(status, body) : response;
    };
}
