import type { NetworkRule } from '../../../scenarios/format/types.js';
import { VERB_NAMES } from '../../../scenarios/verbs/verbs.js';
import {
  bool,
  count,
  entries,
  fields,
  integer,
  list,
  number,
  oneOf,
  optional,
  orNull,
  type SchemaOf,
  text,
  type ValueOf,
} from '../../../spec/json-schema/build-schema.js';
import { runSchema } from './timelines.js';

/** The state of a stream of random numbers. */
export const randomState: SchemaOf<number[]> = {
  ...list(integer(0, 2 ** 32 - 1)),
  minItems: 8,
  maxItems: 8,
  'x-expected': 'a list of 8 numbers',
};

/** A network rule in its loaded form. */
export const ruleSchema = fields({
  network: oneOf(...VERB_NAMES),
}) as SchemaOf<unknown> as SchemaOf<NetworkRule>;

/** A rule that is set, and what it has done so far. */
export type RuleSnapshot = ValueOf<typeof setRule>;
const setRule = fields({
  /** Where it stands: `standing`, or set by a timeline, about `creates` or its `task`, or done with (`retired`). */
  place: oneOf('standing', 'creates', 'task', 'retired'),
  id: text,
  rule: ruleSchema,
  /** The task whose timeline set it. */
  task: orNull(text),
  /** The timeline, when it is not the task's own any more. */
  run: orNull(runSchema),
  /** ms. */
  since: number(),
  fired: count,
  passed: count,
  gave_up: count,
  seen: count,
  /** A step that it holds: until when at most, ms, and whether what it waits for has come. */
  held: optional(orNull(fields({ latest: number(), come: bool }))),
  /** `from` in ms; null before the first request. */
  quota: orNull(fields({ from: orNull(number()), used: count })),
  random: randomState,
  /** States of its streams, by task; the empty id is for requests about none. */
  draws: entries(randomState),
});

/** What has been counted of one task's requests. */
export type TallySnapshot = ValueOf<typeof tally>;
const tally = fields({
  task: text,
  unanswered: integer(),
  cancels: count,
  /** The timeline is known. */
  has_run: bool,
  run: orNull(runSchema),
});

/** What the network remembers. Requests that it holds are not part of it. */
export type NetworkSnapshot = ValueOf<typeof networkSchema>;
export const networkSchema = fields({
  rules: list(setRule),
  injected: count,
  creates: count,
  strays: fields({ poll: count, cancel: count }),
  tally: list(tally),
});
