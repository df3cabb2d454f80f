import type { NetworkRule } from '../../../scenarios/format/types.js';
import { VERB_NAMES } from '../../../scenarios/verbs/verbs.js';
import * as s from '../../../spec/json-schema/build-schema.js';
import { runSchema } from './timelines.js';

export const randomState: s.SchemaOf<number[]> = {
  ...s.list(s.integer(0, 2 ** 32 - 1)),
  minItems: 8,
  maxItems: 8,
  'x-expected': 'a list of 8 numbers',
};

export const ruleSchema = s.fields({
  network: s.oneOf(...VERB_NAMES),
}) as s.SchemaOf<unknown> as s.SchemaOf<NetworkRule>;

/** Hits and matches that several organisations count together. */
export const sharedCountSchema = s.fields({ used: s.count, seen: s.count });

/** An active rule and its counters. */
export type RuleSnapshot = s.ValueOf<typeof setRule>;
const setRule = s.fields({
  id: s.text,
  rule: ruleSchema,
  /** The task whose timeline added the rule. */
  task: s.orNull(s.text),
  /** The timeline, if it is no longer the task's own. */
  run: s.orNull(runSchema),
  /** ms. */
  since: s.number(),
  fired: s.count,
  passed: s.count,
  gave_up: s.count,
  seen: s.count,
  /** A step that the rule holds: latest time, ms, and whether its condition is met. */
  held: s.optional(s.orNull(s.fields({ latest: s.number(), come: s.bool }))),
  /** `from` in ms; null before the first request. */
  quota: s.orNull(s.fields({ from: s.orNull(s.number()), used: s.count })),
  off: s.optional(s.bool),
  only_task: s.optional(s.text),
  together: s.optional(sharedCountSchema),
});

/** Request counts of one task, or of requests without a task. */
export type TallySnapshot = s.ValueOf<typeof tally>;
const tally = s.fields({
  task: s.orNull(s.text),
  unanswered: s.integer(),
  cancels: s.count,
  others: s.count,
  has_run: s.bool,
  run: s.orNull(runSchema),
});

export type NetworkSnapshot = s.ValueOf<typeof networkSchema>;
export const networkSchema = s.fields({
  rules: s.list(setRule),
  injected: s.count,
  creates: s.count,
  tally: s.list(tally),
});
