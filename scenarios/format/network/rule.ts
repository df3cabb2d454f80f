import { formatDuration, parseDuration } from '../../../spec/duration.js';
import { isObject } from '../../../spec/json-schema/schema.js';
import type { RuleTarget } from '../../verbs/target.js';
import { buildTarget, describeTarget, isCreateTarget, writeTarget } from '../../verbs/target.js';
import type { HoldCondition } from '../../verbs/verb.js';
import { DURATION_FIELDS, readVerb } from '../../verbs/verbs.js';
import type { NetworkRule, Scenario, Step } from '../types.js';

type RawFields = Readonly<Record<string, unknown>>;

const FILE_DURATIONS = new Map([...DURATION_FIELDS].map(([name, { loaded, ms }]) => [loaded, { name, ms }]));

/** Converts a valid rule to its loaded form: shorthands expanded, durations as numbers. */
export function buildRule(raw: RawFields): NetworkRule {
  const rule: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(raw)) {
    const duration = DURATION_FIELDS.get(key);
    if (duration) rule[duration.loaded] = parseDuration(value)! / duration.ms;
    else if (key === 'until') rule.until = buildUntil(value);
    else if (key !== 'of') rule[key] = value;
    else if (value !== 'any') rule.of = buildTarget(value);
  }
  return rule as unknown as NetworkRule;
}

/** Converts a loaded rule to the form of files. */
export function writeRule(rule: RawFields): Record<string, unknown> {
  const raw: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(rule)) {
    if (value === undefined) continue;
    const duration = FILE_DURATIONS.get(key);
    if (duration) raw[duration.name] = formatDuration((value as number) * duration.ms);
    else if (key === 'until') raw.until = writeUntil(value as HoldCondition);
    else if (key !== 'of') raw[key] = value;
    else if (Object.values(value as RuleTarget).some((each) => each !== undefined))
      raw.of = writeTarget(value as RuleTarget);
  }
  return raw;
}

/** Converts the durations of a rule to the form of files: `time_ms: 5` to `time: 5`. */
export function writeDurations(rule: unknown): unknown {
  if (!isObject(rule)) return rule;
  const written = Object.entries(rule).map(([key, value]) => {
    const duration = FILE_DURATIONS.get(key);
    return duration && typeof value === 'number' ? [duration.name, value * duration.ms] : [key, value];
  });
  return Object.fromEntries(written);
}

/** A rule in words: `drop response of reply to second once`. */
export function describeRule(rule: NetworkRule): string {
  const verb = readVerb(rule);
  const words = [verb.describe(rule)];
  if (rule.of && verb.requests !== 'none')
    words.push(`${verb.requests === 'polls' ? 'in' : 'of'} ${describeTarget(rule.of)}`);
  if (rule.skip) words.push(`after the first ${rule.skip}`);
  if (rule.times !== undefined) words.push(rule.times === 1 ? 'once' : `${rule.times} times`);
  if (rule.probability !== undefined) words.push(`with probability ${rule.probability}`);
  if (rule.expires_ms !== undefined) words.push(`for ${formatDuration(rule.expires_ms)}`);
  return words.filter(Boolean).join(' ');
}

function buildUntil(until: unknown): unknown {
  if (typeof until === 'string') return { gate: until };
  return mapTargets(until as RawFields, (target) => buildTarget(target) ?? {});
}

function writeUntil(until: HoldCondition): unknown {
  return mapTargets(until, (target) => writeTarget(target as RuleTarget));
}

function mapTargets(until: RawFields, change: (target: unknown) => unknown): RawFields {
  const entries = Object.entries(until);
  return Object.fromEntries(
    entries.map(([key, value]) => [key, key === 'arrive' || key === 'response' ? change(value) : value]),
  );
}

/** `id`: the id of its step, the name in lists of rules. */
export type NamedRule = NetworkRule & { id: string };

/**
 * The rules about creates at the beginning of a timeline. A timeline begins when its task is created, too late for the
 * request side of the create: the caller sets these rules before it plays the scenario (`times` defaults to 1). The timelines
 * do not set them again.
 */
export function listLeadingCreateRules({ timeline }: Pick<Scenario, 'timeline'>): NamedRule[] {
  const rules: NamedRule[] = [];
  for (const [index, step] of timeline.entries()) {
    if (!('network' in step) || step.if !== undefined) break;
    if (step.after !== undefined) {
      if (step.meanwhile) continue;
      break;
    }
    if (!isCreateTarget(step.of)) continue;
    const { line: _line, meanwhile: _meanwhile, ...rule } = step;
    rules.push({ ...rule, id: formatRuleName(step, index), times: step.times ?? 1 });
  }
  return rules;
}

/** The name of a timeline's network step in lists of rules. */
export function formatRuleName(step: Step, index: number): string {
  return step.id ?? `step-${index + 1}`;
}
