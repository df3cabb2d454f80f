import type { ConditionalMutant } from '../mutant.js';
import { type ConditionalFault, conditionalMutant } from '../operators/conditional.js';
import { isOver, listEvents } from '../operators/events.js';
import { createRefusal } from '../operators/mutant-response.js';

/** Polls and lists of tasks. */
export const conditionalPollingMutants: readonly ConditionalMutant[] = [
  conditionalMutant(
    'ended-with-downloads-202',
    'POLL-02',
    'parameters together',
    'A poll with downloads=true of a task that is over gets 202.',
    {
      of: 'getTask',
      when: ({ query }) => query.get('downloads') === 'true',
      response: (response) => {
        if (isOver(response.record)) response.status = 202;
      },
    },
  ),
  conditionalMutant(
    'running-with-downloads-400',
    'TASK-16',
    'parameters together',
    'A poll with downloads=true of a task that runs gets 400.',
    {
      of: 'getTask',
      when: ({ query }) => query.get('downloads') === 'true',
      response: ({ record }) =>
        isOver(record) ? undefined : createRefusal(400, 'There are no downloads yet.'),
    },
  ),
  conditionalMutant(
    'event-t-inclusive-with-downloads',
    'POLL-03',
    'parameters together',
    'With downloads=true a poll lists the event of the time event_t as well.',
    {
      of: 'getTask',
      when: ({ query, since }) => query.get('downloads') === 'true' && since > 0,
      request: ({ query, since }) => query.set('event_t', String(since - 1)),
    },
  ),
  conditionalMutant(
    'future-event-t-is-0',
    'POLL-03',
    'bound',
    'A poll whose event_t lies ahead of the time lists all events.',
    {
      of: 'getTask',
      when: ({ since }, past) => since > past.now(),
      request: ({ query }) => query.set('event_t', '0'),
    },
  ),
  conditionalMutant(
    'poll-without-t-continues',
    'POLL-04',
    'n-th request',
    'A later poll without event_t lists only what no poll before it has listed.',
    {
      of: 'getTask',
      when: ({ query }) => !query.has('event_t'),
      request: (request, past) => {
        const last = Math.max(0, ...past.readTask(request).events.map(({ timestamp }) => timestamp));
        request.query.set('event_t', String(last));
      },
    },
  ),
  conditionalMutant(
    'history-of-three-events',
    'POLL-04',
    'bound',
    'A poll with event_t 0 lists the newest three events at most.',
    {
      of: 'getTask',
      when: ({ since }) => since === 0,
      response: (response) => {
        if (Array.isArray(response.record.events)) response.record.events = listEvents(response).slice(-3);
      },
    },
  ),
  conditionalMutant(
    'second-poll-of-ended-202',
    'POLL-02',
    'n-th request',
    'From the second poll on a task that is over gets 202.',
    {
      of: 'getTask',
      when: (request, past) => past.readTask(request).end !== undefined,
      response: (response) => {
        response.status = 202;
      },
    },
  ),
  conditionalMutant(
    'polls-at-once-second-empty',
    'POLL-04',
    'requests at once',
    'Of two polls of a task at once the second lists no events.',
    {
      of: 'getTask',
      when: (request, past) =>
        [...past.pending].some((other) => other.is('getTask') && other.task === request.task),
      response: (response) => {
        if (Array.isArray(response.record.events)) response.record.events = [];
      },
    },
  ),
  conditionalMutant(
    'first-poll-beside-other-404',
    'TASK-01',
    'several things',
    'The first poll of a task that was created while another ran gets 404.',
    {
      of: 'getTask',
      when: (request, past) => {
        const { creation, polls } = past.readTask(request);
        return creation !== undefined && polls.length === 0 && past.listRunning(request).length > 1;
      },
      response: () => createRefusal(404, 'There is no such task.'),
    },
  ),
  conditionalMutant(
    'task-found-by-longer-id',
    'POLL-07',
    'similar id',
    'A poll of an id that begins with that of a task finds this task.',
    serveMatchingTask((id, wanted) => wanted.startsWith(id)),
  ),
  conditionalMutant(
    'task-found-in-other-case',
    'POLL-07',
    'similar id',
    'A poll finds a task whatever the case of the letters in its id.',
    serveMatchingTask((id, wanted) => id.toLowerCase() === wanted.toLowerCase()),
  ),
  conditionalMutant(
    'task-found-by-prefix',
    'POLL-07',
    'similar id',
    'A poll finds a task by the first characters of its id, six or more.',
    serveMatchingTask((id, wanted) => wanted.length > 5 && id.startsWith(wanted)),
  ),
  conditionalMutant(
    'list-l-lost-beside-t',
    'LIMIT-01',
    'parameters together',
    'A list of tasks with a t ignores l.',
    {
      of: 'listTasks',
      when: ({ query }) => query.has('t') && isLimit(query.get('l')),
      request: ({ query }) => query.delete('l'),
    },
  ),
  conditionalMutant(
    'list-128-beside-t-422',
    'LIMIT-02',
    'parameters together',
    'An l of 128 is refused beside a t.',
    {
      of: 'listTasks',
      when: ({ query }) => query.has('t') && query.get('l') === '128',
      request: () => createRefusal(422, 'l: expected less'),
    },
  ),
  conditionalMutant('list-l-1-gives-2', 'LIMIT-01', 'bound', 'A list of tasks with l=1 has two members.', {
    of: 'listTasks',
    when: ({ query }) => query.get('l') === '1',
    request: ({ query }) => query.set('l', '2'),
  }),
  conditionalMutant(
    'list-lacks-old',
    'TASK-15',
    'later',
    'The list of tasks lacks those that are older than a minute.',
    {
      of: 'listTasks',
      response: (response, request, past) => {
        const old = past.listSucceeded(request, 'createTask').filter(({ at }) => past.now() - at > 60_000);
        const ids = new Set(old.map((each) => each.response.record.id));
        response.r = response.list.filter(({ id }) => !ids.has(id));
      },
    },
  ),
  conditionalMutant(
    'lists-at-once-second-empty',
    'TASK-15',
    'requests at once',
    'Of two lists of tasks at once the second is empty.',
    {
      of: 'listTasks',
      when: (_, past) => past.isPending('listTasks'),
      response: (response) => {
        response.r = [];
      },
    },
  ),
  conditionalMutant(
    'list-l-3abc-is-3',
    'ERROR-01',
    'value',
    'An l that begins with digits is taken for these.',
    {
      of: 'listTasks',
      when: ({ query }) => /^\d+[^\d]/.test(query.get('l') ?? ''),
      request: ({ query }) => query.set('l', String(Number.parseInt(query.get('l')!, 10))),
    },
  ),
  conditionalMutant(
    'event-t-5abc-is-5',
    'ERROR-01',
    'value',
    'An event_t that begins with digits is taken for these.',
    {
      of: 'getTask',
      when: ({ query }) => /^\d+[^\d]/.test(query.get('event_t') ?? ''),
      request: ({ query }) => query.set('event_t', String(Number.parseInt(query.get('event_t')!, 10))),
    },
  ),
];

/** A poll that gets 404 is answered with a task whose id fits. */
function serveMatchingTask(fits: (id: string, wanted: string) => boolean): ConditionalFault {
  return {
    of: 'getTask',
    error: (response, request, past, forward) => {
      const ids = past.listSucceeded(request, 'createTask').map((each) => String(each.response.record.id));
      const id = ids.find((each) => each !== request.task && fits(each, request.task));
      if (response.status !== 404 || id === undefined) return undefined;
      return forward(request.derive('GET', `/task/${encodeURIComponent(id)}`));
    },
  };
}

function isLimit(l: string | null): boolean {
  return l !== null && /^\d+$/.test(l) && Number(l) >= 1 && Number(l) <= 128;
}
