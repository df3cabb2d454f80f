import type { NetworkRule } from '../../../scenarios/format/types.js';
import { VERB_NAMES } from '../../../scenarios/verbs/verbs.js';
import {
  bool,
  entries,
  fields,
  integer,
  list,
  number,
  oneOf,
  optional,
  orNull,
  text,
} from '../../../spec/json-schema/build-schema.js';
import type { SchemaObject } from '../../../spec/json-schema/schema.js';
import type { Run, Task } from '../tasks/task.js';
import type { RunSnapshot } from './task.js';

/** A rule that is set, and what it has done so far. */
export interface RuleSnapshot {
  /** Where it stands: `standing`, or set by a timeline, about `creates` or its `task`, or done with (`retired`). */
  place: 'standing' | 'creates' | 'task' | 'retired';
  id: string;
  rule: NetworkRule;
  /** The task whose timeline set it. */
  task: string | null;
  /** The timeline, when it is not the task's own any more. */
  run: RunSnapshot | null;
  /** ms. */
  since: number;
  fired: number;
  passed: number;
  gave_up: number;
  seen: number;
  /** A step that it holds: until when at most, ms, and whether what it waits for has come. */
  held?: { latest: number; come: boolean } | null;
  /** `from` in ms; null before the first request. */
  quota: { from: number | null; used: number } | null;
  random: number[];
  /** States of its streams, by task; the empty id is for requests about none. */
  draws: [string, number[]][];
}

/** What has been counted of one task's requests. */
export interface TallySnapshot {
  task: string;
  unanswered: number;
  cancels: number;
  /** The timeline is known. */
  has_run: boolean;
  run: RunSnapshot | null;
}

/** What the network remembers. Requests that it holds are not part of it. */
export interface NetworkSnapshot {
  rules: RuleSnapshot[];
  injected: number;
  creates: number;
  strays: { poll: number; cancel: number };
  tally: TallySnapshot[];
}

/** How tasks and their timelines are taken down. A run that the task still has is null: the task's own. */
export interface Packing {
  tasks(): Iterable<Task>;
  has(task: Task): boolean;
  run(task: Task, run: Run): RunSnapshot | null;
}

export interface Unpacking {
  task(id: string): Task | undefined;
  run(task: Task, run: RunSnapshot | null): Run | undefined;
}

/** A network whose memory can be taken down and given back. */
export interface RemembersRules {
  keep(packing: Packing): NetworkSnapshot;
  recall(memory: NetworkSnapshot, unpacking: Unpacking): void;
}

const count = integer(0);
const words = list(integer(0, 2 ** 32 - 1));

/** The state of a stream of random numbers. */
export const randomState: SchemaObject = {
  ...words,
  minItems: 8,
  maxItems: 8,
  'x-expected': 'a list of 8 numbers',
};

/** `run`: the schema of a timeline that is performed. */
export function networkSchema(run: SchemaObject): SchemaObject {
  return fields({
    rules: list(
      fields({
        place: oneOf('standing', 'creates', 'task', 'retired'),
        id: text,
        rule: fields({ network: oneOf(...VERB_NAMES) }),
        task: orNull(text),
        run: orNull(run),
        since: number(),
        fired: count,
        passed: count,
        gave_up: count,
        seen: count,
        held: optional(orNull(fields({ latest: number(), come: bool }))),
        quota: orNull(fields({ from: orNull(number()), used: count })),
        random: randomState,
        draws: entries(randomState),
      }),
    ),
    injected: count,
    creates: count,
    strays: fields({ poll: count, cancel: count }),
    tally: list(
      fields({ task: text, unanswered: integer(), cancels: count, has_run: bool, run: orNull(run) }),
    ),
  });
}
