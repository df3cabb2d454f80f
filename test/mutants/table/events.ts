import type { Mutant } from '../mutant.js';
import { type Event, eachEvent, eventsOf, isOver, isResult, listing } from '../operators/events.js';
import { mutant } from '../operators/make.js';

/** How events are read: which of them a poll lists, and what they look like. */
export const eventMutants: readonly Mutant[] = [
  mutant(
    'event-t-inclusive',
    'POLL-03',
    'A poll lists the events at event_t too.',
    listing((all, _due, asked) => all.filter(({ timestamp }) => timestamp >= asked.since)),
  ),
  mutant(
    'event-t-ignored',
    'POLL-03',
    'A poll lists every event, whatever its event_t.',
    listing((all) => all),
  ),
  mutant(
    'event-t-by-the-second',
    'POLL-03',
    'A poll takes its event_t down to the whole second.',
    listing((all, _due, { since }) =>
      all.filter(({ timestamp }) => timestamp > Math.floor(since / 1000) * 1000),
    ),
  ),
  mutant(
    'event-t-before',
    'POLL-03',
    'A poll with an event_t lists the events up to it in place of those after it.',
    listing((all, due, { since }) => (since > 0 ? all.filter(({ timestamp }) => timestamp <= since) : due)),
  ),
  mutant(
    'event-t-zero-news-only',
    'POLL-04',
    'A poll with event_t 0 lists only events that no poll has listed.',
    () => {
      const listed = new Map<string, Set<Event['id']>>();
      return async (asked, next) => {
        const told = await next(asked);
        if (!asked.is('getTask') || !told.ok) return told;
        const known = listed.get(asked.task) ?? new Set();
        listed.set(asked.task, known);
        const news = eventsOf(told).filter(({ id }) => !known.has(id));
        for (const { id } of news) known.add(id);
        if (asked.since === 0) told.record.events = news;
        return told;
      };
    },
  ),
  mutant(
    'event-t-missing-none',
    'POLL-04',
    'A poll without event_t lists no events.',
    listing((_all, due, asked) => (asked.query.has('event_t') ? due : [])),
  ),
  mutant(
    'only-the-last-event',
    'POLL-04',
    'A poll with event_t 0 that has no news lists the newest event alone.',
    () => {
      const told = new Set<string>();
      return async (asked, next) => {
        const answer = await next(asked);
        if (!asked.is('getTask') || !answer.ok) return answer;
        const events = eventsOf(answer);
        const news = events.filter(({ id }) => !told.has(`${asked.task} ${id}`));
        for (const { id } of news) told.add(`${asked.task} ${id}`);
        if (asked.since === 0 && news.length === 0) answer.record.events = events.slice(-1);
        return answer;
      };
    },
  ),
  mutant(
    'events-gone-at-the-end',
    'POLL-04',
    'A task that is over lists no events any more.',
    listing((_all, due, _asked, task) => (isOver(task) ? [] : due)),
  ),
  mutant(
    'second-event-lost',
    'POLL-04',
    'The second event of a task is listed only by polls with event_t 0.',
    listing((all, due, asked) => (asked.since === 0 ? due : due.filter(({ id }) => id !== all[1]?.id))),
  ),
  mutant(
    'event-too-late',
    'EVENT-08',
    'The first event of a task stays hidden until there is a newer one.',
    () => {
      const hidden = new Map<string, Event>();
      return async (asked, next) => {
        const told = await next(asked);
        if (!asked.is('getTask') || !told.ok) return told;
        const events = eventsOf(told);
        const held = hidden.get(asked.task);
        if (!held && events.length > 0) hidden.set(asked.task, events[0]!);
        const first = hidden.get(asked.task);
        const newer = events.some(({ id }) => id !== first?.id) || asked.since > (first?.timestamp ?? 0);
        told.record.events =
          newer || isOver(told.record) ? events : events.filter(({ id }) => id !== first?.id);
        return told;
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
      return async (asked, next) => {
        const told = await next(asked);
        if (!asked.is('getTask') || !told.ok) return told;
        const before = read.get(asked.task) ?? 0;
        for (const event of eventsOf(told)) {
          const key = `${asked.task} ${event.id} ${isResult(event)}`;
          if (before > 0 && event.timestamp > before && !moved.has(key)) moved.set(key, before - 1);
          read.set(asked.task, Math.max(read.get(asked.task) ?? 0, event.timestamp));
          event.timestamp = moved.get(key) ?? event.timestamp;
        }
        return told;
      };
    },
  ),
  mutant(
    'event-at-the-same-ms',
    'POLL-04',
    'A later event bears the same millisecond as the one read before, and is not listed after it.',
    () => {
      const times = new Map<string, number>();
      return async (asked, next) => {
        const told = await next(asked);
        if (!asked.is('getTask') || !told.ok) return told;
        for (const event of eventsOf(told)) {
          const first = times.get(asked.task) ?? event.timestamp;
          times.set(asked.task, first);
          event.timestamp = first;
        }
        told.record.events = eventsOf(told).filter(({ timestamp }) => timestamp > asked.since);
        return told;
      };
    },
  ),
  mutant(
    'events-newest-first',
    'POLL-04',
    'Events are listed newest first.',
    listing((_all, due) => [...due].reverse()),
  ),
  mutant(
    'events-of-another-task',
    'EVENT-02',
    'A poll lists the newest event of another task among its own.',
    () => {
      const others = new Map<string, Event>();
      return async (asked, next) => {
        const told = await next(asked);
        if (!asked.is('getTask') || !told.ok) return told;
        const events = eventsOf(told);
        const foreign = [...others].find(([task]) => task !== asked.task)?.[1];
        if (events.length > 0) others.set(asked.task, { ...events.at(-1)! });
        if (foreign && events.length > 0)
          told.record.events = [{ ...foreign, timestamp: events[0]!.timestamp - 1 }, ...events];
        return told;
      };
    },
  ),
  mutant(
    'event-id-number',
    'EVENT-01',
    'The ids of events are numbers.',
    eachEvent((event) => {
      Object.assign(event, { id: event.timestamp % 1_000_000 });
    }),
  ),
  mutant(
    'event-payload-text',
    'EVENT-01',
    'The payload of an event is a text that holds JSON.',
    eachEvent((event) => {
      Object.assign(event, { payload: JSON.stringify(event.payload) });
    }),
  ),
  mutant(
    'event-without-name',
    'EVENT-09',
    'Events have a type in place of a name.',
    eachEvent((event) => {
      const { name, ...rest } = event;
      for (const key of Object.keys(event)) delete event[key];
      Object.assign(event, rest, { type: name });
    }),
  ),
  mutant(
    'event-without-timestamp',
    'EVENT-01',
    'Events have no timestamp.',
    eachEvent((event) => {
      Object.assign(event, { timestamp: undefined });
    }),
  ),
  mutant('event-ids-repeat', 'EVENT-02', 'Every tool call of a task bears the id of its first one.', () => {
    const first = new Map<string, string>();
    const real = new Map<string, string>();
    return async (asked, next) => {
      if (asked.is('sendTaskEvent')) {
        const { id } = asked.json;
        if (id === first.get(asked.task)) asked.json = { ...asked.json, id: real.get(asked.task) };
      }
      const told = await next(asked);
      if (!asked.is('getTask')) return told;
      for (const event of eventsOf(told)) {
        if (event.name !== 'tool_call') continue;
        real.set(asked.task, event.id);
        if (!first.has(asked.task)) first.set(asked.task, event.id);
        event.id = first.get(asked.task)!;
      }
      return told;
    };
  }),
  mutant('event-id-changes', 'POLL-04', 'An event gets another id with every poll that lists it.', () => {
    let polls = 0;
    const real = new Map<unknown, string>();
    return async (asked, next) => {
      if (asked.is('sendTaskEvent') && real.has(asked.json.id))
        asked.json = { ...asked.json, id: real.get(asked.json.id) };
      const told = await next(asked);
      if (!asked.is('getTask')) return told;
      polls++;
      for (const event of eventsOf(told)) {
        if (event.name !== 'tool_call') continue;
        const id = `${event.id}-${polls}`;
        real.set(id, event.id);
        event.id = id;
      }
      return told;
    };
  }),
  mutant(
    'event-name-tool-request',
    'EVENT-09',
    'Tool calls are named tool_request.',
    eachEvent((event) => {
      if (event.name === 'tool_call') event.name = 'tool_request';
    }),
  ),
  mutant(
    'event-name-of-action',
    'EVENT-09',
    'Results of actions are named action_result.',
    eachEvent((event) => {
      if (event.name !== 'tool_call') event.name = 'action_result';
    }),
  ),
  mutant(
    'log-events-too',
    'EVENT-09',
    'Polls that bring events bring a log event under the name log before them.',
    listing((_all, due) =>
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
    scaled(
      (ms) => Math.floor(ms / 1000),
      (s) => s * 1000 + 999,
    ),
  ),
  mutant(
    'timestamps-with-fraction',
    'EVENT-10',
    'Timestamps of events have a fraction.',
    eachEvent((event) => {
      event.timestamp += 0.5;
    }),
  ),
  mutant(
    'timestamps-as-text',
    'EVENT-10',
    'Timestamps of events are texts.',
    eachEvent((event) => {
      Object.assign(event, { timestamp: new Date(event.timestamp).toISOString() });
    }),
  ),
  mutant(
    'timestamps-in-microseconds',
    'EVENT-10',
    'Timestamps of events count microseconds.',
    scaled(
      (ms) => ms * 1000,
      (us) => Math.floor(us / 1000),
    ),
  ),
];

/** Timestamps in another unit; `back` is for an `event_t` in that unit. */
function scaled(
  there: (ms: number) => number,
  back: (value: number) => number,
): ReturnType<typeof eachEvent> {
  return () => async (asked, next) => {
    if (asked.is('getTask') && asked.since > 0) asked.query.set('event_t', String(back(asked.since)));
    const told = await next(asked);
    if (asked.is('getTask')) for (const event of eventsOf(told)) event.timestamp = there(event.timestamp);
    return told;
  };
}
