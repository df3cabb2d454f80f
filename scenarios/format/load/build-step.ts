import { operationIds } from '../../../spec/generated/operations.js';
import { parseDuration } from '../duration.js';
import type { NetworkRule, Step, Target, Trigger } from '../types.js';

type Raw = Readonly<Record<string, unknown>>;

/** Keys that hold a duration in the file, and what they are called once loaded. */
export const DURATIONS: Readonly<Record<string, string>> = {
  time: 'time_ms',
  jitter: 'jitter_ms',
  at_most: 'at_most_ms',
  per: 'per_ms',
  expires: 'expires_ms',
};

/** Words that may stand for a target. */
export const TARGET_WORDS = ['create', 'poll', 'reply', 'action', 'cancel'] as const;

/** Turns a step that its schema has accepted into its loaded form: shorthands spelled out, durations in ms. */
export function buildStep(raw: Raw, line: number, newId: () => string): Step {
  const step: Record<string, unknown> = build(raw);
  if (raw.after !== undefined) step.after = buildTrigger(raw.after);
  if (raw.if !== undefined) {
    const { reply, code } = raw.if as { reply: string; code: unknown };
    step.if = { reply, code: Array.isArray(code) ? code : [code] };
  }
  // Acts of the client are recognised by their step's id, so these always have one.
  if (step.id === undefined && (raw.client === 'action' || raw.client === 'close')) step.id = newId();
  step.line = line;
  return step as unknown as Step;
}

/** The same for a rule of a network file. */
export function buildRule(raw: Raw): NetworkRule {
  return build(raw) as unknown as NetworkRule;
}

function build(raw: Raw): Record<string, unknown> {
  const built: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(raw)) {
    const renamed = 'network' in raw && Object.hasOwn(DURATIONS, key) ? DURATIONS[key] : undefined;
    if (renamed !== undefined) built[renamed] = parseDuration(value);
    else if (key === 'retry_after') built.retry_after_s = parseDuration(value)! / 1000;
    else if (key === 'of') {
      const target = buildTarget(value);
      if (target) built.of = target;
    } else if (key === 'until') built.until = buildUntil(value);
    else built[key] = value;
  }
  return built;
}

function buildTrigger(after: unknown): Trigger {
  if (typeof after === 'string' || typeof after === 'number') {
    const polls = /^(\d+) polls?$/.exec(String(after));
    return polls ? { polls: Number(polls[1]) } : { time_ms: parseDuration(after)! };
  }
  const { time, ...rest } = after as Trigger & { time?: unknown };
  return time === undefined ? rest : { time_ms: parseDuration(time)!, ...rest };
}

/** Undefined for `any`. A word that is none of ours is the id of an operation. */
export function buildTarget(of: unknown): Target | undefined {
  if (of === 'any') return undefined;
  if (typeof of !== 'string') return of as Target;
  return (
    readRequestText(of) ??
    ((TARGET_WORDS as readonly string[]).includes(of) ? { [of]: true } : { operation: of })
  );
}

/** Reads `GET /usage`, `GET` or `/usage`; undefined when the text is none of these. */
export function readRequestText(text: string): Pick<Target, 'method' | 'path'> | undefined {
  const [, method, path] = /^(?:(GET|POST|PUT|PATCH|DELETE)(?= |$))?(?:(?:^| +)(\/\S*))?$/.exec(text) ?? [];
  if (method === undefined && path === undefined) return undefined;
  return { ...(method === undefined ? {} : { method }), ...(path === undefined ? {} : { path }) };
}

function buildUntil(until: unknown): unknown {
  if (typeof until === 'string') return { gate: until };
  const { arrive, answer } = until as { arrive?: unknown; answer?: unknown };
  if (answer !== undefined) return { answer: buildTarget(answer) ?? {} };
  return arrive === undefined ? until : { arrive: buildTarget(arrive) ?? {} };
}

/** Whether the API has an operation of this id. */
export function isOperation(id: string): boolean {
  return (operationIds as readonly string[]).includes(id);
}
