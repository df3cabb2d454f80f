import { parseDuration } from '../duration.js';
import { buildRule } from '../network/rule.js';
import type { Step, Trigger } from '../types.js';

type RawFields = Readonly<Record<string, unknown>>;

/** Turns a step that its schema has accepted into its loaded form: shorthands spelled out, durations in ms. */
export function buildStep(raw: RawFields, line: number, newId: () => string): Step {
  const step: Record<string, unknown> = { ...('network' in raw ? buildRule(raw) : raw) };
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

function buildTrigger(after: unknown): Trigger {
  if (typeof after === 'string' || typeof after === 'number') {
    const polls = /^(\d+) polls?$/.exec(String(after));
    return polls ? { polls: Number(polls[1]) } : { time_ms: parseDuration(after)! };
  }
  const { time, ...rest } = after as Trigger & { time?: unknown };
  return time === undefined ? rest : { time_ms: parseDuration(time)!, ...rest };
}
