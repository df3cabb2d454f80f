import { VERB_NAMES } from '../../../scenarios/verbs/verbs.js';
import {
  anything,
  bool,
  entries,
  fields,
  integer,
  list,
  number,
  object,
  oneOf,
  optional,
  orNull,
  text,
} from '../../../spec/json-schema/build-schema.js';
import type { SchemaObject } from '../../../spec/json-schema/schema.js';
import { invalidValue } from '../../../spec/json-schema/violations.js';
import { EVENT_NAMES, RESULT_CODES, TASK_STATUSES } from '../../../spec/vocabulary.js';
import { CLOCK_MODES } from '../clock.js';
import { networkSchema, randomState } from './network.js';
import { recordsSchema } from './records.js';
import type { OrganisationSnapshot } from './snapshot.js';
import type { RunSnapshot } from './task.js';

/** Last instant that a date can name, ms. */
export const LATEST_MS = 8_640_000_000_000_000;

const instant = integer(0, LATEST_MS);
const count = integer(0);

const VERBS = {
  service: [
    'status',
    'tool_call',
    'result',
    'event',
    'live_url',
    'recording_url',
    'downloads_url',
    'open',
    'finish',
  ],
  client: ['reply', 'action', 'close', 'cancel', 'poll'],
  network: VERB_NAMES,
} as const;

/** A step of a timeline, by the actor that it begins with. */
export const step: SchemaObject = {
  type: 'object',
  'x-expected': 'a step with service, client or network',
  anyOf: Object.keys(VERBS).map((actor) => ({ required: [actor] })),
  allOf: Object.entries(VERBS).map(([actor, verbs]) => ({
    if: { required: [actor] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: fields({
      [actor]: oneOf(...verbs),
      id: optional(text),
      after: optional(fields({ time_ms: optional(number(0)), polls: optional(count) })),
      if: optional(fields({ reply: text, code: list(integer()) })),
    }),
  })),
};

const event = fields({ id: text, name: oneOf(...EVENT_NAMES), payload: object, timestamp: number() });

const reply = optional(fields({ code: integer(), at: instant }));

const run = fields({
  timeline: optional(count),
  steps: optional(list(step)),
  cursor: count,
  since: instant,
  polls: count,
  ids: entries(text),
  happened: list(text),
  side: list(fields({ index: count, since: instant, polls: count })),
  action: optional(text),
});

const task = fields({
  id: text,
  seq: count,
  status: oneOf(...TASK_STATUSES),
  request: object,
  session: bool,
  created_at: instant,
  shown_created_at: instant,
  finished_at: orNull(instant),
  live_url: orNull(text),
  recording_url: orNull(text),
  downloads_url: orNull(text),
  credits_used: orNull(number()),
  visible: bool,
  scenario: orNull(text),
  events: list(event),
  events_dropped: count,
  runs: list(run),
  calls: orNull(entries(fields({ tool: text, reply }))),
  actions: orNull(
    entries(
      fields({
        event: oneOf(...EVENT_NAMES),
        name: text,
        input: object,
        at: instant,
        answered: bool,
        credits_used: optional(number()),
        outcome: optional(fields({ code: oneOf(...RESULT_CODES) })),
      }),
    ),
  ),
  gates: orNull(list(text)),
  polls: count,
  shown: number(),
  shown_version: count,
  touched_at: instant,
  closing: bool,
  withheld_since: orNull(instant),
  starts_at: orNull(instant),
  live_at: orNull(instant),
  recording_at: orNull(instant),
  look_planned: orNull(instant),
  version: count,
});

const account = fields({
  id: text,
  name: text,
  plan: text,
  group: text,
  credits: number(),
  browser_sessions: number(),
  auto_top_up: fields({ active: bool, amount: number(), threshold: number() }),
  created_at: instant,
});

const exchange = fields({
  seq: count,
  kind: text,
  operation: optional(text),
  task: optional(text),
  scenario: optional(text),
  request: fields({
    method: text,
    url: text,
    headers: object,
    body: optional(text),
    left_out: optional(count),
    at: instant,
  }),
  response: optional(
    fields({ status: integer(), headers: object, body: text, left_out: optional(count), at: instant }),
  ),
  network: optional(list(anything)),
  notes: optional(list(text)),
});

/** A snapshot of one organisation. */
export const snapshotSchema = fields({
  version: oneOf(2),
  clock: fields({ now: instant, mode: oneOf(...CLOCK_MODES), speed: number(Number.MIN_VALUE) }),
  random: randomState,
  account,
  records: recordsSchema,
  queued: list(text),
  bucket: orNull(fields({ tokens: number(), filled_at: number() })),
  gates: list(text),
  timelines: list(list(step)),
  tasks: list(task),
  task_count: count,
  newest_creation: count,
  finished: list(text),
  pending: list(fields({ at: number(0, LATEST_MS), task: text })),
  network: networkSchema(run),
  journal: fields({ seq: count, exchanges: list(exchange) }),
});

/** Names that must lead somewhere within the snapshot. */
/** `at`: the place of the snapshot, with a dot behind it. Throws InvalidValue. */
export function checkReferences(state: OrganisationSnapshot, at: string): void {
  const ids = new Set<string>();
  state.tasks.forEach((each, index) => {
    const place = `${at}tasks[${index}]`;
    if (ids.has(each.id)) throw invalidValue(`${place}.id`, 'an id of its own', each.id);
    ids.add(each.id);
    each.runs.forEach((one, position) => {
      checkRun(state, one, `${place}.runs[${position}]`);
    });
  });
  state.network.rules.forEach(({ run: one }, index) => {
    if (one) checkRun(state, one, `${at}network.rules[${index}].run`);
  });
  state.network.tally.forEach(({ run: one }, index) => {
    if (one) checkRun(state, one, `${at}network.tally[${index}].run`);
  });
  state.finished.forEach((id, index) => {
    if (!ids.has(id)) throw invalidValue(`${at}finished[${index}]`, 'the id of a task in here', id);
  });
  state.pending.forEach(({ task: id }, index) => {
    if (!ids.has(id)) throw invalidValue(`${at}pending[${index}].task`, 'the id of a task in here', id);
  });
}

function checkRun(state: OrganisationSnapshot, run: RunSnapshot, place: string): void {
  const steps = run.timeline === undefined ? run.steps : state.timelines[run.timeline];
  if (!steps) throw invalidValue(place, 'steps, or the index of a timeline', run.timeline);
  if (run.cursor > steps.length) throw invalidValue(`${place}.cursor`, `at most ${steps.length}`, run.cursor);
  for (const { index } of run.side) {
    if (index >= steps.length) throw invalidValue(`${place}.side`, `steps below ${steps.length}`, index);
  }
}
