import { VERB_NAMES } from '../../../scenarios/verbs/verbs.js';
import { EVENT_NAMES, RESULT_CODES, TASK_STATUSES } from '../../../spec/vocabulary.js';
import { CLOCK_MODES } from '../clock.js';
import { networkCheck, randomState } from './network.js';
import { recordsCheck } from './records.js';
import {
  anything,
  bool,
  type Check,
  entries,
  fields,
  integer,
  isObject,
  list,
  number,
  object,
  oneOf,
  optional,
  orNull,
  ShapeError,
  text,
} from './shape.js';
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

/** A step of a timeline. */
export const step: Check = (value, place) => {
  object(value, place);
  const actor = (['service', 'client', 'network'] as const).find((each) =>
    Object.hasOwn(value as object, each),
  );
  if (actor === undefined) throw new ShapeError(place, 'a step with service, client or network', value);
  const checks: Record<string, Check> = {
    [actor]: oneOf(...VERBS[actor]),
    id: optional(text),
    after: optional(fields({ time_ms: optional(number(0)), polls: optional(count) })),
    if: optional(fields({ reply: text, code: list(integer()) })),
  };
  fields(checks)(value, place);
};

const event: Check = fields({ id: text, name: oneOf(...EVENT_NAMES), payload: object, timestamp: number() });

const reply: Check = optional(fields({ code: integer(), at: instant }));

const run: Check = fields({
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

const task: Check = fields({
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

const account: Check = fields({
  id: text,
  name: text,
  plan: text,
  group: text,
  credits: number(),
  browser_sessions: number(),
  auto_top_up: fields({ active: bool, amount: number(), threshold: number() }),
  created_at: instant,
});

const exchange: Check = fields({
  seq: count,
  kind: text,
  operation: optional(text),
  task: optional(text),
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

const snapshot: Check = fields({
  version: oneOf(2),
  clock: fields({ now: instant, mode: oneOf(...CLOCK_MODES), speed: number(Number.MIN_VALUE) }),
  random: randomState,
  account,
  records: recordsCheck,
  queued: list(text),
  bucket: orNull(fields({ tokens: number(), filled_at: number() })),
  gates: list(text),
  timelines: list(list(step)),
  tasks: list(task),
  task_count: count,
  newest_creation: count,
  finished: list(text),
  pending: list(fields({ at: number(0, LATEST_MS), task: text })),
  network: networkCheck(run),
  journal: fields({ seq: count, exchanges: list(exchange) }),
});

/** Throws ShapeError with the place (below `place`) and what was expected there. */
export function checkSnapshot(value: unknown, place: string): asserts value is OrganisationSnapshot {
  snapshot(value, place);
  if (!isObject(value)) return;
  const state = value as unknown as OrganisationSnapshot;
  const at = place === '' ? '' : `${place}.`;
  checkReferences(state, at);
}

/** Names that must lead somewhere within the snapshot. */
function checkReferences(state: OrganisationSnapshot, at: string): void {
  const ids = new Set<string>();
  state.tasks.forEach((each, index) => {
    const place = `${at}tasks[${index}]`;
    if (ids.has(each.id)) throw new ShapeError(`${place}.id`, 'an id of its own', each.id);
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
    if (!ids.has(id)) throw new ShapeError(`${at}finished[${index}]`, 'the id of a task in here', id);
  });
  state.pending.forEach(({ task: id }, index) => {
    if (!ids.has(id)) throw new ShapeError(`${at}pending[${index}].task`, 'the id of a task in here', id);
  });
}

function checkRun(state: OrganisationSnapshot, run: RunSnapshot, place: string): void {
  const steps = run.timeline === undefined ? run.steps : state.timelines[run.timeline];
  if (!steps) throw new ShapeError(place, 'steps, or the index of a timeline', run.timeline);
  if (run.cursor > steps.length)
    throw new ShapeError(`${place}.cursor`, `at most ${steps.length}`, run.cursor);
  for (const { index } of run.side) {
    if (index >= steps.length) throw new ShapeError(`${place}.side`, `steps below ${steps.length}`, index);
  }
}
