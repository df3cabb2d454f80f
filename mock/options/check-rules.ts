import type { NetworkRule, Target } from '../../scenarios/format/types.js';
import { VERB_NAMES } from '../../scenarios/verbs/verbs.js';
import { nearest } from '../../spec/nearest.js';
import {
  anything,
  type Check,
  type Checks,
  checkFields,
  checkValue,
  durationCheck,
  isFrom,
  isObject,
  objectOf,
  type Place,
  textCheck,
  wholeFrom,
} from './check-fields.js';

const isTrue = (value: unknown) => value === true;
const someOf = (which: string, holds: Check['holds']): Check => ({
  expected: `true for any, or ${which}`,
  holds: (value) => isTrue(value) || holds(value),
});
const nth = someOf('a whole number from 1', (value) => Number.isInteger(value) && isFrom(1, value));
const named = someOf('an id', (value) => typeof value === 'string');

const TARGET: Checks<Target> = {
  create: nth,
  poll: nth,
  reply: named,
  action: named,
  cancel: nth,
  operation: textCheck,
  method: textCheck,
  path: textCheck,
  step: textCheck,
};
const target = objectOf(TARGET, 'an object such as { poll: true }');

type Verb = NetworkRule['network'];
type Of<V extends Verb> = Extract<NetworkRule, { network: V }>;
type Keys<Rule> = Rule extends unknown ? keyof Rule : never;
type Common = 'of' | 'times' | 'skip' | 'probability' | 'expires_ms';
type Own<V extends Verb> = Checks<Record<Exclude<Keys<Of<V>>, Common | 'network'>, unknown>>;

const COMMON: Checks<Record<Common, unknown>> = {
  of: target,
  times: wholeFrom(1),
  skip: wholeFrom(0),
  probability: {
    expected: 'a number from 0 to 1',
    holds: (value) => isFrom(0, value) && (value as number) <= 1,
  },
  expires_ms: durationCheck,
};

const side: Check = {
  expected: 'request or response',
  holds: (value) => value === 'request' || value === 'response',
};
const status: Check = {
  expected: 'an HTTP status from 200 to 599',
  holds: (value) => Number.isInteger(value) && isFrom(200, value) && (value as number) <= 599,
};
const UNTIL = { gate: textCheck, step: textCheck, arrive: target, answer: target };

/** What each kind of rule has of its own, in its loaded form. */
const OWN: { readonly [V in Verb]: Own<V> } = {
  delay: { time_ms: durationCheck, jitter_ms: durationCheck, side },
  hold: { until: objectOf(UNTIL, "an object such as { gate: 'open' }"), at_most_ms: durationCheck, side },
  drop: { side },
  duplicate: {},
  reorder: { at_most_ms: durationCheck },
  'same-instant': {},
  fail: { status, detail: textCheck, retry_after_s: durationCheck, side },
  quota: { requests: wholeFrom(0), per_ms: durationCheck },
  garble: { status, body: textCheck, content_type: textCheck },
  truncate: { bytes: wholeFrom(0) },
  'at-once': {},
  redeliver: { first: wholeFrom(1) },
  repeat: {},
  shuffle: {},
  reissue: {},
  reshape: {
    events: {
      expected: 'absent, empty or null',
      holds: (value) => value === 'absent' || value === 'empty' || value === null,
    },
    extra: { expected: 'an object', holds: isObject },
  },
};
const NEEDED: { readonly [V in Verb]?: readonly string[] } = {
  delay: ['time_ms'],
  hold: ['until'],
  fail: ['status'],
  quota: ['requests', 'per_ms'],
};

/** Rules as objects in their loaded form, or a text that is read later. */
export const rulesCheck: Check = {
  expected: 'a list of rules, a path, or rules in short such as "fail 503 of poll"',
  holds: (value) => typeof value === 'string' || Array.isArray(value),
  inside: (rules: string | readonly unknown[], { caller, path }) => {
    if (typeof rules === 'string') return;
    for (const [index, rule] of rules.entries()) checkRule(rule, { caller, path: `${path}[${index}]` });
  },
};

function checkRule(rule: unknown, place: Place): void {
  checkValue(rule, { expected: "a rule such as { network: 'fail', status: 503 }", holds: isObject }, place);
  const { network, ...rest } = rule as { network?: unknown };
  const isVerb = (VERB_NAMES as readonly unknown[]).includes(network);
  const meant = typeof network === 'string' ? nearest(network, VERB_NAMES) : undefined;
  const expected = meant ? `"${meant}"` : `one of ${VERB_NAMES.join(', ')}`;
  checkValue(network, { expected, holds: () => isVerb }, { ...place, path: `${place.path}.network` });
  const verb = network as Verb;
  checkFields(rest, { ...COMMON, line: anything, ...OWN[verb] }, place);
  for (const name of NEEDED[verb] ?? [])
    if (!Object.hasOwn(rest, name))
      throw new TypeError(`${place.caller}: option "${place.path}": a ${verb} needs "${name}".`);
}
