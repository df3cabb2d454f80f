import type { Verb } from '../verb.js';
import { changeTask, type TaskBody } from './task-body.js';

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

/** Undefined where there are events, or the task says so in this form already. */
function reshapeEvents(form: 'absent' | 'empty' | null, task: TaskBody): TaskBody | undefined {
  const { events, ...rest } = task;
  if (Array.isArray(events) && events.length > 0) return undefined;
  if (form === 'absent') return events === undefined ? undefined : rest;
  if (form === null) return events === null ? undefined : { ...rest, events: null };
  return Array.isArray(events) ? undefined : { ...rest, events: [] };
}
