import type { Mutant } from '../mutant.js';
import {
  changeEventLists,
  changeEvents,
  isOver,
  isResult,
  type LooseEvent,
  listEvents,
} from '../operators/events.js';
import { mutant } from '../operators/make.js';

/** How events are read: which of them a poll lists, and what they look like. */
export const eventMutants: readonly Mutant[] = [
  mutant(
    'event-t-inclusive',
    'POLL-03',
    'A poll lists the events at event_t too.',
    changeEventLists((all, _due, request) => all.filter(({ timestamp }) => timestamp >= request.since)),
  ),
  mutant(
    'event-t-ignored',
    'POLL-03',
    'A poll lists every event, whatever its event_t.',
    changeEventLists((all) => all),
  ),
  mutant(
    'event-t-by-the-second',
    'POLL-03',
    'A poll takes its event_t down to the whole second.',
    changeEventLists((all, _due, { since }) =>
      all.filter(({ timestamp }) => timestamp > Math.floor(since / 1000) * 1000),
    ),
  ),
  mutant(
    'event-t-before',
    'POLL-03',
    'A poll with an event_t lists the events up to it in place of those after it.',
    changeEventLists((all, due, { since }) =>
      since > 0 ? all.filter(({ timestamp }) => timestamp <= since) : due,
    ),
  ),
  mutant(
    'event-t-zero-news-only',
    'POLL-04',
    'A poll with event_t 0 lists only events that no poll has listed.',
    () => {
      const listed = new Map<string, Set<LooseEvent['id']>>();
      return async (request, next) => {
        const response = await next(request);
        if (!request.is('getTask') || !response.ok) return response;
        const known = listed.get(request.task) ?? new Set();
        listed.set(request.task, known);
        const news = listEvents(response).filter(({ id }) => !known.has(id));
        for (const { id } of news) known.add(id);
        if (request.since === 0) response.record.events = news;
        return response;
      };
    },
  ),
  mutant(
    'event-t-missing-none',
    'POLL-04',
    'A poll without event_t lists no events.',
    changeEventLists((_all, due, request) => (request.query.has('event_t') ? due : [])),
  ),
  mutant(
    'only-the-last-event',
    'POLL-04',
    'A poll with event_t 0 that has no news lists the newest event alone.',
    () => {
      const response = new Set<string>();
      return async (request, next) => {
        const answer = await next(request);
        if (!request.is('getTask') || !answer.ok) return answer;
        const events = listEvents(answer);
        const news = events.filter(({ id }) => !response.has(`${request.task} ${id}`));
        for (const { id } of news) response.add(`${request.task} ${id}`);
        if (request.since === 0 && news.length === 0) answer.record.events = events.slice(-1);
        return answer;
      };
    },
  ),
  mutant(
    'events-gone-at-the-end',
    'POLL-04',
    'A task that is over lists no events any more.',
    changeEventLists((_all, due, _asked, task) => (isOver(task) ? [] : due)),
  ),
  mutant(
    'newest-25-events',
    'POLL-04',
    'A poll lists at most the newest 25 events.',
    changeEventLists((_all, due) => due.slice(-25)),
  ),
  mutant(
    'zero-event-t-lists-none',
    'POLL-04',
    'A poll with event_t 0 lists nothing, unlike one without event_t.',
    changeEventLists((_all, due, request) => (request.query.get('event_t') === '0' ? [] : due)),
  ),
  mutant(
    'second-event-lost',
    'POLL-04',
    'The second event of a task is listed only by polls with event_t 0.',
    changeEventLists((all, due, request) =>
      request.since === 0 ? due : due.filter(({ id }) => id !== all[1]?.id),
    ),
  ),
  mutant(
    'event-too-late',
    'EVENT-08',
    'The first event of a task stays hidden until there is a newer one.',
    () => {
      const hidden = new Map<string, LooseEvent>();
      return async (request, next) => {
        const response = await next(request);
        if (!request.is('getTask') || !response.ok) return response;
        const events = listEvents(response);
        const held = hidden.get(request.task);
        if (!held && events.length > 0) hidden.set(request.task, events[0]!);
        const first = hidden.get(request.task);
        const newer = events.some(({ id }) => id !== first?.id) || request.since > (first?.timestamp ?? 0);
        response.record.events =
          newer || isOver(response.record) ? events : events.filter(({ id }) => id !== first?.id);
        return response;
      };
    },
  ),
  mutant(
    'event-with-an-old-time',
    'POLL-04',
    'Each event after the first bears a time just before the one that was read last.',
    () => {
      const read = new Map<string, number>();
      const moved = new Map<string, number>();
      return async (request, next) => {
        const response = await next(request);
        if (!request.is('getTask') || !response.ok) return response;
        const before = read.get(request.task) ?? 0;
        for (const event of listEvents(response)) {
          const key = `${request.task} ${event.id} ${isResult(event)}`;
          if (before > 0 && event.timestamp > before && !moved.has(key)) moved.set(key, before - 1);
          read.set(request.task, Math.max(read.get(request.task) ?? 0, event.timestamp));
          event.timestamp = moved.get(key) ?? event.timestamp;
        }
        return response;
      };
    },
  ),
  mutant(
    'event-at-the-same-ms',
    'POLL-04',
    'A later event bears the same millisecond as the one read before, and is not listed after it.',
    () => {
      const times = new Map<string, number>();
      return async (request, next) => {
        const response = await next(request);
        if (!request.is('getTask') || !response.ok) return response;
        for (const event of listEvents(response)) {
          const first = times.get(request.task) ?? event.timestamp;
          times.set(request.task, first);
          event.timestamp = first;
        }
        response.record.events = listEvents(response).filter(({ timestamp }) => timestamp > request.since);
        return response;
      };
    },
  ),
  mutant(
    'events-newest-first',
    'POLL-04',
    'Events are listed newest first.',
    changeEventLists((_all, due) => [...due].reverse()),
  ),
  mutant(
    'events-of-another-task',
    'EVENT-02',
    'A poll lists the newest event of another task among its own.',
    () => {
      const others = new Map<string, LooseEvent>();
      return async (request, next) => {
        const response = await next(request);
        if (!request.is('getTask') || !response.ok) return response;
        const events = listEvents(response);
        const foreign = [...others].find(([task]) => task !== request.task)?.[1];
        if (events.length > 0) others.set(request.task, { ...events.at(-1)! });
        if (foreign && events.length > 0)
          response.record.events = [{ ...foreign, timestamp: events[0]!.timestamp - 1 }, ...events];
        return response;
      };
    },
  ),
  mutant(
    'event-id-number',
    'EVENT-01',
    'The ids of events are numbers.',
    changeEvents((event) => {
      Object.assign(event, { id: event.timestamp % 1_000_000 });
    }),
  ),
  mutant(
    'event-payload-text',
    'EVENT-01',
    'The payload of an event is a text that holds JSON.',
    changeEvents((event) => {
      Object.assign(event, { payload: JSON.stringify(event.payload) });
    }),
  ),
  mutant(
    'event-without-name',
    'EVENT-09',
    'Events have a type in place of a name.',
    changeEvents((event) => {
      const { name, ...rest } = event;
      for (const key of Object.keys(event)) delete event[key];
      Object.assign(event, rest, { type: name });
    }),
  ),
  mutant(
    'event-without-timestamp',
    'EVENT-01',
    'Events have no timestamp.',
    changeEvents((event) => {
      Object.assign(event, { timestamp: undefined });
    }),
  ),
  mutant('event-ids-repeat', 'EVENT-02', 'Every tool call of a task bears the id of its first one.', () => {
    const first = new Map<string, string>();
    const real = new Map<string, string>();
    return async (request, next) => {
      if (request.is('sendTaskEvent')) {
        const { id } = request.json;
        if (id === first.get(request.task)) request.json = { ...request.json, id: real.get(request.task) };
      }
      const response = await next(request);
      if (!request.is('getTask')) return response;
      for (const event of listEvents(response)) {
        if (event.name !== 'tool_call') continue;
        real.set(request.task, event.id);
        if (!first.has(request.task)) first.set(request.task, event.id);
        event.id = first.get(request.task)!;
      }
      return response;
    };
  }),
  mutant('event-id-changes', 'POLL-04', 'An event gets another id with every poll that lists it.', () => {
    let polls = 0;
    const real = new Map<unknown, string>();
    return async (request, next) => {
      if (request.is('sendTaskEvent') && real.has(request.json.id))
        request.json = { ...request.json, id: real.get(request.json.id) };
      const response = await next(request);
      if (!request.is('getTask')) return response;
      polls++;
      for (const event of listEvents(response)) {
        if (event.name !== 'tool_call') continue;
        const id = `${event.id}-${polls}`;
        real.set(id, event.id);
        event.id = id;
      }
      return response;
    };
  }),
  mutant(
    'event-name-tool-request',
    'EVENT-09',
    'Tool calls are named tool_request.',
    changeEvents((event) => {
      if (event.name === 'tool_call') event.name = 'tool_request';
    }),
  ),
  mutant(
    'event-name-of-action',
    'EVENT-09',
    'Results of actions are named action_result.',
    changeEvents((event) => {
      if (event.name !== 'tool_call') event.name = 'action_result';
    }),
  ),
  mutant(
    'log-events-too',
    'EVENT-09',
    'Polls that bring events bring a log event under the name log before them.',
    changeEventLists((_all, due) =>
      due.length === 0
        ? due
        : [
            {
              id: `log-${due[0]!.id}`,
              name: 'log',
              payload: { text: 'thinking' },
              timestamp: due[0]!.timestamp - 1,
            },
            ...due,
          ],
    ),
  ),
  mutant(
    'timestamps-in-seconds',
    'EVENT-10',
    'Timestamps of events count seconds.',
    scaleTimestamps(
      (ms) => Math.floor(ms / 1000),
      (s) => s * 1000 + 999,
    ),
  ),
  mutant(
    'timestamps-with-fraction',
    'EVENT-10',
    'Timestamps of events have a fraction.',
    changeEvents((event) => {
      event.timestamp += 0.5;
    }),
  ),
  mutant(
    'timestamps-as-text',
    'EVENT-10',
    'Timestamps of events are texts.',
    changeEvents((event) => {
      Object.assign(event, { timestamp: new Date(event.timestamp).toISOString() });
    }),
  ),
  mutant(
    'timestamps-in-microseconds',
    'EVENT-10',
    'Timestamps of events count microseconds.',
    scaleTimestamps(
      (ms) => ms * 1000,
      (us) => Math.floor(us / 1000),
    ),
  ),
];

/** Timestamps in another unit; `back` is for an `event_t` in that unit. */
function scaleTimestamps(
  there: (ms: number) => number,
  back: (value: number) => number,
): ReturnType<typeof changeEvents> {
  return () => async (request, next) => {
    if (request.is('getTask') && request.since > 0) request.query.set('event_t', String(back(request.since)));
    const response = await next(request);
    if (request.is('getTask'))
      for (const event of listEvents(response)) event.timestamp = there(event.timestamp);
    return response;
  };
}
