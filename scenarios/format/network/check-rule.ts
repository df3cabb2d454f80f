import { parseDuration } from '../../../spec/duration.js';
import { isObject } from '../../../spec/json-schema/schema.js';
import { show } from '../../../spec/show.js';
import { checkTarget } from '../../verbs/target.js';
import { DURATION_FIELDS, findVerb, VERBS } from '../../verbs/verbs.js';
import { checkStep, type StepKind } from '../check/schema-check.js';
import type { Path, Violation } from '../load/source.js';

/** A rule in the form of a file. */
type RawRule = Readonly<Record<string, unknown>>;

const IN_TIMELINES = ['id', 'after', 'if', 'meanwhile'];

/** Checks a rule outside of a timeline. */
export function checkNetworkRule(given: unknown, path: Path): Violation[] {
  const violations = checkStep(given, path, ['network']);
  if (violations.length > 0) return violations;
  const rule = given as RawRule;
  for (const key of IN_TIMELINES.filter((each) => each in rule)) {
    const message = `unknown key "${key}"; it belongs to steps of a timeline, and a rule of the network holds from the start`;
    violations.push({ path: [...path, key], at: 'key', message });
  }
  const until = rule.until as RawRule | undefined;
  if (
    findVerb(rule.network)?.phase === 'step' ||
    (rule.of as RawRule | undefined)?.step !== undefined ||
    until?.step !== undefined
  ) {
    const message = 'steps are named in timelines only: write this rule into a scenario as a network step';
    violations.push({ path: [...path, until?.step === undefined ? 'network' : 'until'], message });
  }
  return violations.length > 0 ? violations : checkRule(rule, path);
}

/** Checks a rule of a timeline or a network file beyond its schema. */
export function checkRule(rule: RawRule, path: Path): Violation[] {
  const violations = listTargets(rule, path).flatMap(({ target, at }) => checkTarget(target, at));
  for (const [name, { ms }] of DURATION_FIELDS) {
    if (ms === 1 || rule[name] === undefined || parseDuration(rule[name])! % ms === 0) continue;
    const message = `${name}: expected whole seconds, as HTTP headers count them; found ${show(rule[name])}`;
    violations.push({ path: [...path, name], message });
  }
  const problem = findVerb(rule.network)?.problem?.(rule);
  if (problem !== undefined) violations.push({ path: [...path, 'network'], message: problem });
  return [...violations, ...checkSubject(rule, path)];
}

function checkSubject(rule: RawRule, path: Path): Violation[] {
  const { name, requests, step } = findVerb(rule.network)!;
  const refuse = (message: string, ...keys: string[]): Violation[] => [{ path: [...path, ...keys], message }];
  const of = isObject(rule.of) ? rule.of : {};
  if (of.step === undefined) {
    if (requests === 'none') return refuse(`${name}: expected of: ${step!.expected}`, 'of');
    const word = typeof rule.of === 'string' ? rule.of : String(Object.keys(of)[0]);
    const isPoll = !['create', 'reply', 'action', 'cancel'].includes(word);
    if (requests === undefined || isPoll || (word === 'create' && requests !== 'polls')) return [];
    const what = `${name} changes the events in the responses to polls: expected poll, or { poll: n }`;
    return refuse(`of: ${what}; found ${show(rule.of)}`, 'of');
  }
  if (!step) {
    const others = VERBS.filter((each) => each.step).map((each) => each.name);
    const which = `only ${others.join(', ')} can be about a step`;
    return refuse(`of.step: ${name} is about requests; ${which}`, 'of', 'step');
  }
  if (Object.keys(of).length > 1)
    return refuse(`of: expected a step or requests, found both: ${show(of)}`, 'of');
  if (rule.side === undefined) return [];
  return refuse('side: a step has none; leave it out, or say which requests are held', 'side');
}

export function readSubjectKind(rule: RawRule): StepKind {
  return findVerb(rule.network)?.step?.kind ?? 'event';
}

/** The targets that a rule names, with the path of each. */
export function listTargets(rule: RawRule, path: Path): { target: unknown; at: Path }[] {
  const targets: { target: unknown; at: Path }[] = [];
  if (rule.of !== undefined) targets.push({ target: rule.of, at: [...path, 'of'] });
  for (const key of ['arrive', 'response']) {
    const target = (rule.until as RawRule | undefined)?.[key];
    if (target !== undefined) targets.push({ target, at: [...path, 'until', key] });
  }
  return targets;
}
