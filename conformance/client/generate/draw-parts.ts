import type { Random } from '../../../mock/generate/random.js';
import type { ResultCode } from '../../../spec/vocabulary.js';
import { drawNames, ID_FAMILIES, TOOL_FAMILIES } from './names.js';
import type { RefusedKind } from './network-rules.js';
import type { ActionPart, CallPlan, CallsPart, PlanPart, ToolPlan } from './plan.js';
import { ACTION_DRAWS } from './request-fields.js';
import { drawObject, drawText, drawValue } from './values.js';

export const PAUSES_MS = [0, 0, 100, 300, 600, 900];
export const CREDITS = [0, 1, 2, 7, 100_000];
const MOST_ROUNDS = 3;
const MOST_ACTIONS = 4;
/** Calls at the same time: usually, and in a conversation with many events. */
const MOST_AT_ONCE = 4;
const MANY: readonly [number, number] = [90, 150];
/** In ten, a client that sorts them as text is not seen. */
const MANY_ACTIONS = 12;

export function drawTools(random: Random, count: number): ToolPlan[] {
  return drawNames(random, TOOL_FAMILIES, count).map((name, index) => ({
    name,
    description: drawText(random),
    output: drawText(random),
    ...(index > 0 && random.next() < 0.3 && { isUnknown: true }),
  }));
}

/** Rounds of calls with ids that differ as little as possible. */
export function drawCalls(random: Random, tools: readonly ToolPlan[], isMany: boolean): CallsPart[] {
  const rounds = isMany ? 1 : random.int(1, MOST_ROUNDS);
  const sizes = Array.from({ length: rounds }, () =>
    isMany ? random.int(...MANY) : random.int(1, MOST_AT_ONCE),
  );
  const ids =
    random.next() < 0.7
      ? drawNames(
          random,
          ID_FAMILIES,
          sizes.reduce((sum, size) => sum + size, 0),
        )
      : [];
  let number = 0;
  return sizes.map(
    (size): CallsPart => ({
      kind: 'calls',
      calls: Array.from({ length: size }, (_, index) => ({
        id: `call-${++number}`,
        ...drawCall(random, tools, ids.pop(), size > MOST_AT_ONCE, index),
      })),
      after_ms: random.pick(PAUSES_MS),
      ...(random.next() < 0.1 && { isSameInstant: true }),
      ...(random.next() < 0.2 && { isOverlapping: true }),
    }),
  );
}

function drawCall(
  random: Random,
  tools: readonly ToolPlan[],
  event_id: string | undefined,
  isSmall: boolean,
  index: number,
): Omit<CallPlan, 'id'> {
  const code: ResultCode = random.next() < 0.75 ? 200 : random.pick([400, 500]);
  return {
    tool: random.pick(tools).name,
    input: isSmall ? { index } : random.next() < 0.15 ? {} : drawObject(random),
    ...(event_id !== undefined && { event_id }),
    reply: { code, output: isSmall ? index : code === 200 ? drawValue(random) : drawText(random) },
  };
}

export function drawTaskParts(random: Random, calls: readonly CallsPart[]): PlanPart[] {
  const parts: PlanPart[] = [];
  if (random.next() < 0.25) parts.push({ kind: 'status', status: 'waiting' });
  if (parts.length > 0 && random.next() < 0.5)
    parts.push({ kind: 'status', status: 'running', after_ms: 600 });
  for (const each of calls) {
    parts.push(each);
    if (random.next() < 0.15)
      parts.push({
        kind: 'status',
        status: random.pick(['waiting', 'running']),
        after_ms: random.pick(PAUSES_MS),
      });
  }
  return parts;
}

export function drawSessionParts(
  random: Random,
  calls: readonly CallsPart[],
  refused: RefusedKind | undefined,
  hasManyActions: boolean,
): PlanPart[] {
  const count = hasManyActions ? MANY_ACTIONS : random.int(refused === 'action' ? 1 : 0, MOST_ACTIONS);
  const rounds = [...calls];
  return Array.from({ length: count }, (_, index): ActionPart => {
    const name = random.pick(Object.keys(ACTION_DRAWS) as ActionPart['name'][]);
    const { output, ...actionFields } = ACTION_DRAWS[name](random);
    const during = name === 'run_task' && !hasManyActions ? rounds.splice(0, random.int(0, 2)) : [];
    // After a failed action a client may skip the rest.
    const code: ResultCode = hasManyActions || random.next() < 0.85 ? 200 : random.pick([400, 500]);
    const isUnfinished =
      index === count - 1 && refused === undefined && !hasManyActions && random.next() < 0.12;
    return {
      kind: 'action',
      id: `${name}-${index + 1}`,
      name,
      ...actionFields,
      ...(random.next() < 0.15 && { isAccompanied: true }),
      ...(during.length > 0 && { during }),
      ...(!isUnfinished && {
        result: {
          code,
          output: code === 200 ? output : drawText(random),
          after_ms: random.pick(PAUSES_MS),
          credits_used: random.pick(CREDITS),
          ...(random.next() < 0.5 && { bare: true as const }),
        },
      }),
    };
  });
}
