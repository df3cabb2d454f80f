import type { TaskEvent } from '../../spec/vocabulary.js';
import type { ServiceStep } from '../format/types.js';
import {
  type Effect,
  includeIf,
  type ResponseFacts,
  type TaskFacts,
  type TimelineFacts,
  type Verb,
  wholeNumber,
} from './verb.js';

export const atOnce: Verb<{ network: 'at-once' }, 'at-once'> = {
  name: 'at-once',
  description: 'The finish `of` ends the task at once: the last event need not be readable on a 202 first.',
  phase: 'step',
  requests: 'none',
  step: {
    kind: 'finish',
    expected: '{ step: id of the finish }, which then ends the task at once, with its last event',
  },
  examples: [{ network: 'at-once', of: { step: 'end' } }],
  describe: ({ of }) =>
    `${of?.step === undefined ? 'the next step' : `step ${of.step}`} ends the task at once, with its last event`,
  deviations: {
    ranks: { 'at-once': 3 },
    changes: {
      'at-once': { sort: 'time', clause: () => 'the last result came together with the end' },
    },
    forStep: ({ step, hasResults }) =>
      includeIf(step.service === 'finish' && !step.at_once && hasResults, ['at-once', {}]),
  },
};

/** Fires at the first response that can repeat an event. */
export const redeliver: Verb<{ network: 'redeliver'; first?: number }, 'redeliver'> = {
  name: 'redeliver',
  description: 'The response to a poll lists all events from the beginning, whatever its event_t says.',
  phase: 'response',
  requests: 'polls',
  fields: {
    first: wholeNumber(
      'Only so many of the events that were listed before, the oldest. Left out: all of them.',
      1,
    ),
  },
  examples: [{ network: 'redeliver', of: 'poll', first: 1 }],
  describe: ({ first }) =>
    first === undefined ? 'list all events again' : `list the first ${first} events again`,
  onResponse({ first }, { task: seen }, response) {
    const what = first === undefined ? 'all events from the beginning' : `the first ${first} events again`;
    return changeTask(response, what, (task, events) => {
      // Events after the response was created are not part of it.
      const until = events.at(-1)?.timestamp ?? seen?.shown ?? 0;
      const listed = new Set(events.map(formatEventKey));
      const earlier = (seen?.log.list() ?? [])
        .slice(0, first)
        .filter((event) => event.timestamp <= until && !listed.has(formatEventKey(event)));
      return earlier.length === 0 ? undefined : { ...task, events: [...earlier, ...events] };
    });
  },
  deviations: {
    ranks: { redeliver: { poll: 0 } },
    changes: {
      redeliver: { sort: 'listed again', clause: () => 'a poll response listed earlier events again' },
    },
    isHidden: true,
    forRequest: ({ kind, hasEarlierEvents }) =>
      includeIf(kind === 'poll' && hasEarlierEvents, ['redeliver', {}]),
  },
};

function formatEventKey({ id, timestamp }: TaskEvent): string {
  return `${timestamp} ${id}`;
}

/** Fires at the first response that has an event. */
export const repeat: Verb<{ network: 'repeat' }, 'repeat'> = {
  name: 'repeat',
  description: 'Every event in the response to a poll is in it twice.',
  phase: 'response',
  requests: 'polls',
  examples: [{ network: 'repeat', of: 'poll', times: 2 }],
  describe: () => 'list every event twice',
  onResponse(_rule, _hit, response) {
    return changeTask(response, 'every event twice', (task, events) =>
      events.length === 0 ? undefined : { ...task, events: events.flatMap((event) => [event, event]) },
    );
  },
  deviations: {
    ranks: { repeat: { poll: 7 } },
    changes: {
      repeat: { sort: 'listed again', clause: () => 'the poll response listed each event twice' },
    },
    isHidden: true,
    forRequest: ({ kind, events }) => includeIf(kind === 'poll' && events > 0, ['repeat', {}]),
  },
};

/** Fires at the first response that has two events or more. */
export const shuffle: Verb<{ network: 'shuffle' }, 'shuffle'> = {
  name: 'shuffle',
  description: 'The events in the response to a poll are in reverse order.',
  phase: 'response',
  requests: 'polls',
  examples: [{ network: 'shuffle', of: 'poll' }],
  describe: () => 'list events in reverse order',
  onResponse(_rule, _hit, response) {
    return changeTask(response, 'events in reverse order', (task, events) =>
      events.length < 2 ? undefined : { ...task, events: events.toReversed() },
    );
  },
  deviations: {
    ranks: { shuffle: { poll: 9 } },
    changes: {
      shuffle: { sort: 'order', clause: () => 'the poll response listed its events in reverse order' },
    },
    isHidden: true,
    forRequest: ({ kind, events }) => includeIf(kind === 'poll' && events > 1, ['shuffle', {}]),
  },
};

export const reissue: Verb<{ network: 'reissue' }, 'reissue'> = {
  name: 'reissue',
  description:
    'The event of a step comes again under the same id with a later timestamp: a call once it has been replied to, a result once it has been delivered.',
  phase: 'step',
  requests: 'none',
  step: { kind: 'event', expected: '{ step: id of a tool_call or a result }, whose event comes again' },
  examples: [{ network: 'reissue', of: { step: 'first' } }],
  describe: ({ of }) =>
    `the event of ${of?.step === undefined ? 'the next step' : `step ${of.step}`} comes again`,
  formatStepNote: (step) => `the event of step ${step} comes again`,
  selectEvent(task, run, id) {
    if (!run.happened.has(id)) return undefined;
    const step = run.steps.find((each) => each.id === id);
    if (!step || !('service' in step)) return undefined;
    const event = findEvent(task, run.ids, step, id);
    if (!event) return undefined;
    const call = task.calls?.get(event.id);
    const isTime = call ? call.reply !== undefined : event.timestamp <= task.shown;
    return isTime ? event : undefined;
  },
  deviations: {
    ranks: { reissue: 12 },
    changes: {
      reissue: { sort: 'listed again', clause: ({ step }) => `the event of ${step} came a second time` },
    },
    isHidden: true,
    forStep: ({ step: { service } }) =>
      includeIf(service === 'tool_call' || service === 'result', ['reissue', {}]),
  },
};

/** Where the service lists what the client sent, replies come after their calls and actions before their results. */
function findEvent(
  { log }: TaskFacts,
  ids: TimelineFacts['ids'],
  step: ServiceStep,
  id: string,
): TaskEvent | undefined {
  if (step.service === 'result') {
    const wanted = ids[step.to] ?? step.to;
    return log.list().findLast((event) => event.id === wanted);
  }
  const wanted = ids[id];
  return wanted === undefined ? undefined : log.find(wanted);
}

export interface ReshapeRule {
  network: 'reshape';
  events?: 'absent' | 'empty' | null;
  extra?: Record<string, unknown>;
}

export const reshape: Verb<ReshapeRule, 'reshape'> = {
  name: 'reshape',
  description:
    'The response has another shape that the API leaves open: how it says that there are no events, unknown fields.',
  phase: 'response',
  requests: 'polls and creates',
  fields: {
    events: {
      description:
        'What stands for no events, where there are none: absent (no such field), null, or empty (a list without members). Left out: as the service has it.',
      enum: ['absent', null, 'empty'],
    },
    extra: {
      description: 'Fields that are added to the task and to each event. Left out: none.',
      type: 'object',
      minProperties: 1,
      'x-expected': 'a mapping of fields',
    },
  },
  first: 'events',
  examples: [{ network: 'reshape', events: 'absent', extra: { shard: 7 }, of: 'poll' }],
  problem: ({ events, extra }) =>
    events === undefined && extra === undefined
      ? 'reshape: expected events (absent, null or empty) or extra (fields to add), or both'
      : undefined,
  describe({ events, extra }) {
    const parts: string[] = [];
    if (events !== undefined)
      parts.push(`no events as ${events === 'empty' ? 'an empty list' : String(events)}`);
    if (extra !== undefined) parts.push(`unknown fields ${Object.keys(extra).join(', ')}`);
    return parts.join(', ');
  },
  onResponse({ events: form, extra }, _hit, response) {
    return changeTask(response, 'another shape', (task) => {
      const changed = form === undefined ? undefined : reshapeEvents(form, task);
      if (extra === undefined) return changed;
      const { events, ...rest } = changed ?? task;
      const listed = Array.isArray(events) ? events.map((event) => ({ ...event, ...extra })) : events;
      return { ...rest, ...extra, ...(events === undefined ? {} : { events: listed }) };
    });
  },
  deviations: {
    ranks: { reshape: { poll: 11 } },
    changes: {
      reshape: { sort: 'shape', clause: () => 'the poll response had another form of events' },
    },
    isHidden: true,
    *forRequest({ kind, events }) {
      if (kind !== 'poll') return;
      if (events === 0) {
        yield ['reshape', { events: null }];
        yield ['reshape', { events: 'absent' }];
      } else yield ['reshape', { extra: { added_later: true } }];
    },
  },
};

/** Undefined if there are events, or if the task has this form already. */
function reshapeEvents(form: 'absent' | 'empty' | null, task: TaskBody): TaskBody | undefined {
  const { events, ...rest } = task;
  if (Array.isArray(events) && events.length > 0) return undefined;
  if (form === 'absent') return events === undefined ? undefined : rest;
  if (form === null) return events === null ? undefined : { ...rest, events: null };
  return Array.isArray(events) ? undefined : { ...rest, events: [] };
}

/** Breaks the rule that timestamps strictly increase, on purpose: a poll between the two never sees the second event. */
export const sameInstant: Verb<{ network: 'same-instant' }, 'same-instant'> = {
  name: 'same-instant',
  description: 'The event of a service step gets the same timestamp as the event before it.',
  phase: 'step',
  requests: 'none',
  step: {
    kind: 'event',
    expected: '{ step: id of a service step }, whose event shares the timestamp of the one before',
  },
  examples: [{ network: 'same-instant', of: { step: 'second' } }],
  describe: ({ of }) => `same instant for ${of?.step ?? 'the next event'}`,
  formatStepNote: (step) => `event ${step} shares the timestamp of the event before it`,
  deviations: {
    ranks: { 'same-instant': 4 },
    changes: {
      'same-instant': {
        sort: 'same instant',
        clause: ({ step }) => `the event of ${step} had the timestamp of the one before`,
      },
    },
    isHidden: true,
    forStep: ({ step: { service }, hasEarlierEvents }) =>
      includeIf(['tool_call', 'result', 'event'].includes(service) && hasEarlierEvents, ['same-instant', {}]),
  },
};

/** A task in a response. */
type TaskBody = Record<string, unknown> & { events?: unknown };

/**
 * Replaces the task in the body of a response; undefined if the response has no task, or if `change` changes nothing.
 */
function changeTask(
  { status, body, fault }: ResponseFacts,
  what: string,
  change: (task: TaskBody, events: TaskEvent[]) => TaskBody | undefined,
): Effect | undefined {
  if (fault || typeof body !== 'string' || (status !== 200 && status !== 202)) return undefined;
  const whole = parse(body);
  const task = whole?.r as TaskBody | null | undefined;
  if (task === null || typeof task !== 'object' || typeof task.status !== 'string') return undefined;
  const changed = change(task, Array.isArray(task.events) ? task.events : []);
  return changed && { note: `response with ${what}`, body: JSON.stringify({ ...whole, r: changed }) };
}

function parse(body: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(body) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
