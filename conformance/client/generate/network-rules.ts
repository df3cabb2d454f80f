import type { Random } from '../../../mock/generate/random.js';
import type { NetworkRule } from '../../../scenarios/format/types.js';
import type { FailRule } from '../../../scenarios/verbs/failures/fail.js';
import type { RuleTarget } from '../../../scenarios/verbs/target.js';

const TARGETS = {
  create: { create: true },
  poll: { poll: true },
  reply: { reply: true },
  action: { action: true },
  close: { action: 'close' },
  cancel: { cancel: true },
} as const satisfies Record<string, RuleTarget>;
export type RefusedKind = keyof typeof TARGETS;

const KINDS = Object.keys(TARGETS) as RefusedKind[];
const STATUSES = [400, 401, 404, 409, 422, 429, 500, 503];
const REPETITION_STATUSES = [400, 409] as const;
export type RepetitionStatus = (typeof REPETITION_STATUSES)[number];
/** Rejected only after the service handled the request: a client that then gives up leaves nothing open. */
const HANDLED_KINDS: readonly RefusedKind[] = ['reply', 'cancel'];
/** A cancel that is refused with this status stops nothing: the task comes to another end. */
const CANCEL_WITHOUT_EFFECT = 409;

interface Refusal {
  kind: RefusedKind;
  rules: NetworkRule[];
  /** The status of a reply that is refused as a repetition. */
  repetition?: RepetitionStatus;
}

/** Turns until each kind of request was refused with each status. */
const TURNS = KINDS.length * STATUSES.length;
const FOR_GOOD = { times: 1000 } as const;
const OUT_OF_CREDITS = { detail: 'The API credits are used up. Upgrade the plan or buy more.', ...FOR_GOOD };

/** Refuses one request once, or every creation. */
export function drawRefusal(random: Random, turn: number): Refusal {
  const kind = KINDS[turn % KINDS.length]!;
  const status = STATUSES[Math.floor(turn / KINDS.length) % STATUSES.length]!;
  const repetition = kind === 'reply' ? REPETITION_STATUSES.find((refused) => refused === status) : undefined;
  if (repetition) return { kind, rules: [], repetition };
  const isForGood = status < 500 && status !== 429;
  const isOutOfCredits = kind === 'create' && status === 429 && turn < TURNS;
  const hasNoEffect = kind === 'cancel' && status === CANCEL_WITHOUT_EFFECT;
  const isHandled = isForGood && HANDLED_KINDS.includes(kind) && !hasNoEffect;
  const skip =
    kind === 'poll' ? random.int(0, 2) : kind === 'reply' || kind === 'action' ? random.int(0, 1) : 0;
  const rule: NetworkRule = {
    network: 'fail',
    status,
    of: TARGETS[kind],
    ...(status === 429 && !isOutOfCredits && drawRetryAfter(random)),
    ...(isHandled && { side: 'response' as const }),
    ...(skip > 0 && { skip }),
    ...(kind === 'create' && isForGood && FOR_GOOD),
    ...(isOutOfCredits && OUT_OF_CREDITS),
  };
  const isBesideAnother = kind === 'reply' && isForGood && Math.floor(turn / KINDS.length) % 2 === 0;
  return { kind, rules: isBesideAnother ? [FIRST_REPLY_LIMITED, { ...rule, skip: 1 }] : [rule] };
}

/** So long that a client replies to other calls before it sends this reply again. */
const FIRST_REPLY_LIMITED: NetworkRule = {
  network: 'fail',
  status: 429,
  of: TARGETS.reply,
  retry_after_s: 1,
};

/** Left out, in seconds, or as a date. */
function drawRetryAfter(random: Random): Pick<FailRule, 'retry_after_s' | 'retry_after_form'> {
  const chance = random.next();
  if (chance >= 0.6) return {};
  const retry_after_s = random.int(1, 2);
  return chance < 0.3 ? { retry_after_s } : { retry_after_s, retry_after_form: 'date' };
}

/** Shorter than the time-out of most clients, and longer. */
export const HELD_POLLS: readonly NetworkRule[] = [4000, 35_000].map((time_ms) => ({
  network: 'delay',
  time_ms,
  of: TARGETS.poll,
  skip: 1,
}));

/** More than the tries of most clients. */
export const LIMITED_POLLS: NetworkRule = {
  network: 'fail',
  status: 429,
  of: TARGETS.poll,
  skip: 1,
  times: 9,
};

/** More polls than a conversation has. */
export const EVERY_POLL = { of: { poll: true }, times: 100 } as const;

const SHAPES: readonly [chance: number, draw: (random: Random) => NetworkRule][] = [
  // Splits bodies at any byte.
  [0.12, (random) => ({ network: 'throttle', bytes_per_second: random.int(20_000, 900_000), ...EVERY_POLL })],
  [
    0.1,
    (random) => ({
      network: 'reshape',
      events: random.pick(['absent', null, 'empty'] as const),
      ...EVERY_POLL,
    }),
  ],
  [0.1, () => ({ network: 'reshape', extra: { shard: null, result: 'no', code: 0 }, ...EVERY_POLL })],
  [0.1, (random) => ({ network: 'redeliver', of: { poll: true }, times: random.pick([1, 100]) })],
  [0.05, () => ({ network: 'repeat', ...EVERY_POLL })],
  [0.05, () => ({ network: 'shuffle', ...EVERY_POLL })],
];

/** `isRepeated`: each poll lists all events again. */
export function drawShapes(random: Random, isRepeated: boolean): NetworkRule[] {
  const shapes = SHAPES.flatMap(([chance, draw]) => {
    const rule = draw(random);
    return random.next() < chance && !(isRepeated && rule.network === 'redeliver') ? [rule] : [];
  });
  return isRepeated ? [...shapes, { network: 'redeliver', ...EVERY_POLL }] : shapes;
}
