import { atOnce } from './events/at-once.js';
import { redeliver } from './events/redeliver.js';
import { reissue } from './events/reissue.js';
import { repeat } from './events/repeat.js';
import { reshape } from './events/reshape.js';
import { sameInstant } from './events/same-instant.js';
import { shuffle } from './events/shuffle.js';
import { compress } from './failures/compress.js';
import { drop } from './failures/drop.js';
import { duplicate } from './failures/duplicate.js';
import { fail } from './failures/fail.js';
import { garble } from './failures/garble.js';
import { quota } from './failures/quota.js';
import { truncate } from './failures/truncate.js';
import { delay } from './timing/delay.js';
import { hold } from './timing/hold.js';
import { reorder } from './timing/reorder.js';
import { throttle } from './timing/throttle.js';
import type { DeviationChange, FieldSchema, Verb } from './verb.js';
import { RULE_FIELDS } from './verb.js';

/** Everything that a network rule can do, in the order of the documentation. */
const ALL = [
  delay,
  hold,
  drop,
  duplicate,
  reorder,
  sameInstant,
  fail,
  quota,
  garble,
  truncate,
  throttle,
  compress,
  atOnce,
  redeliver,
  repeat,
  shuffle,
  reissue,
  reshape,
] as const;

type KnownVerb = (typeof ALL)[number];
type InferRule<V> = V extends Verb<infer Rule, string> ? Rule : never;
type InferKind<V> = V extends Verb<infer _Rule, infer Kind> ? Kind : never;

/** The fields of a rule that depend on its verb. */
export type VerbRule = InferRule<KnownVerb>;
export type VerbName = KnownVerb['name'];
/** A deviation of the explorer. */
export type DeviationKind = InferKind<KnownVerb>;

/** A verb gets only its own rules. */
export type AnyVerb = Verb<VerbRule, DeviationKind>;

export const VERBS = ALL as readonly unknown[] as readonly AnyVerb[];
export const VERB_NAMES: readonly VerbName[] = VERBS.map(({ name }) => name);

const byName = new Map<string, AnyVerb>(VERBS.map((verb) => [verb.name, verb]));

export function readVerb({ network }: { network: VerbName }): AnyVerb {
  return byName.get(network)!;
}

export function findVerb(name: unknown): AnyVerb | undefined {
  return typeof name === 'string' ? byName.get(name) : undefined;
}

export function readChange(kind: DeviationKind): DeviationChange {
  return changes.get(kind)!;
}

const changes: ReadonlyMap<string, DeviationChange> = new Map(
  VERBS.flatMap(({ deviations }) => Object.entries<DeviationChange>(deviations?.changes ?? {})),
);

/** Every field that a rule can have, by its name in files. Verbs that share a name mean the same type by it. */
export const ALL_FIELDS: ReadonlyMap<string, FieldSchema> = new Map([
  ...Object.entries(RULE_FIELDS),
  ...VERBS.flatMap(({ fields = {} }) => Object.entries<FieldSchema>(fields)),
]);

const durationFields = [...ALL_FIELDS].filter(([, { $ref }]) => $ref === '#/$defs/duration');

/** Names of duration fields in files, and of what they are loaded as. */
export const DURATION_FIELDS: ReadonlyMap<string, { loaded: string; ms: number }> = new Map(
  durationFields.map(([name, { unit = 'ms' }]) => [
    name,
    { loaded: `${name}_${unit}`, ms: unit === 's' ? 1000 : 1 },
  ]),
);
