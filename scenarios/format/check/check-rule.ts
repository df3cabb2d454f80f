import { operationIds } from '../../../spec/generated/operations.js';
import { nearest } from '../../../spec/nearest.js';
import { parseDuration } from '../duration.js';
import { isOperation, readRequestText, TARGET_WORDS } from '../load/build-step.js';
import type { Complaint, Path } from '../load/source.js';
import { show } from '../show.js';

type Raw = Readonly<Record<string, unknown>>;

/** What no schema can say about a rule of the network, in a timeline or a file of its own. */
export function checkRule(rule: Raw, path: Path): Complaint[] {
  const complaints: Complaint[] = [];
  for (const { target, at } of targetsOf(rule, path)) complaints.push(...checkTarget(target, at));
  const wait = rule.retry_after === undefined ? 0 : parseDuration(rule.retry_after)!;
  if (wait % 1000 !== 0) {
    const message = `retry_after: expected whole seconds, as the header Retry-After counts them; found ${show(rule.retry_after)}`;
    complaints.push({ path: [...path, 'retry_after'], message });
  }
  if (rule.network === 'reshape' && rule.events === undefined && rule.extra === undefined) {
    const message = 'reshape: expected events (absent, null or empty) or extra (fields to add), or both';
    complaints.push({ path: [...path, 'network'], message });
  }
  return [...complaints, ...checkSubject(rule, path)];
}

/** Rules that are about a step, and what they need to know of it. */
const ABOUT_STEPS: Readonly<Record<string, string>> = {
  'same-instant':
    'same-instant: expected of: { step: id of a service step }, whose event shares the timestamp of the one before',
  'at-once':
    'at-once: expected of: { step: id of the finish }, which then ends the task at once, with its last event',
  reissue: 'reissue: expected of: { step: id of a tool_call or a result }, whose event comes again',
};

/** Rules that change the events in an answer. */
const ABOUT_EVENTS = ['redeliver', 'repeat', 'shuffle', 'reshape'];

/** True for a rule that names steps, as only a timeline can. */
export function namesSteps(rule: Raw): boolean {
  return (
    Object.hasOwn(ABOUT_STEPS, String(rule.network)) ||
    (rule.of as Raw | undefined)?.step !== undefined ||
    (rule.until as Raw | undefined)?.step !== undefined
  );
}

/** A rule is about requests or about a step, and not every rule can be about both. */
function checkSubject(rule: Raw, path: Path): Complaint[] {
  const verb = String(rule.network);
  const of = rule.of !== null && typeof rule.of === 'object' ? (rule.of as Raw) : {};
  const at = [...path, 'of'];
  if (of.step === undefined) {
    if (Object.hasOwn(ABOUT_STEPS, verb)) return [{ path: at, message: ABOUT_STEPS[verb]! }];
    const word = typeof rule.of === 'string' ? rule.of : Object.keys(of)[0];
    if (!ABOUT_EVENTS.includes(verb) || !NO_POLLS.includes(String(word))) return [];
    if (verb === 'reshape' && word === 'create') return [];
    const message = `of: ${verb} changes the events in the answers to polls: expected poll, or { poll: n }; found ${show(rule.of)}`;
    return [{ path: at, message }];
  }
  if (verb !== 'hold' && !Object.hasOwn(ABOUT_STEPS, verb)) {
    const message = `of.step: ${verb} is about requests; only ${['hold', ...Object.keys(ABOUT_STEPS)].join(', ')} can be about a step`;
    return [{ path: [...at, 'step'], message }];
  }
  if (Object.keys(of).length > 1) {
    return [{ path: at, message: `of: expected a step or requests, found both: ${show(of)}` }];
  }
  if (verb === 'hold' && rule.side !== undefined) {
    const message = 'side: a step has none; leave it out, or say which requests are held';
    return [{ path: [...path, 'side'], message }];
  }
  return [];
}

const NO_POLLS = ['create', 'reply', 'action', 'cancel'];

/** The targets that a rule names, with the path of each. */
export function targetsOf(rule: Raw, path: Path): { target: unknown; at: Path }[] {
  const targets: { target: unknown; at: Path }[] = [];
  if (rule.of !== undefined) targets.push({ target: rule.of, at: [...path, 'of'] });
  for (const key of ['arrive', 'answer']) {
    const target = (rule.until as Raw | undefined)?.[key];
    if (target !== undefined) targets.push({ target, at: [...path, 'until', key] });
  }
  return targets;
}

function checkTarget(target: unknown, at: Path): Complaint[] {
  if (typeof target === 'string') {
    const words = ['any', ...TARGET_WORDS];
    if (words.includes(target) || isOperation(target) || readRequestText(target)) return [];
    const meant = nearest(target, [...words, ...operationIds]);
    const advice = meant === undefined ? '' : `; did you mean ${meant}?`;
    const message = `${String(at.at(-1))}: expected ${words.join(', ')}, an operation id, or a method and a path (GET /usage), found ${show(target)}${advice}`;
    return [{ path: at, message }];
  }
  const { operation } = target as { operation?: string };
  if (operation === undefined || isOperation(operation)) return [];
  const meant = nearest(operation, operationIds);
  const advice = meant === undefined ? 'see openapi.yaml' : `did you mean ${meant}?`;
  return [
    { path: [...at, 'operation'], message: `operation: there is none of the id "${operation}"; ${advice}` },
  ];
}
