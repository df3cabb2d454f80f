import { operationIds } from '../spec/generated/operations.js';
import { nearest } from '../spec/nearest.js';
import { isOperation, readRequestText, TARGET_WORDS } from './build-step.js';
import { parseDuration } from './duration.js';
import { show } from './show.js';
import type { Complaint, Path } from './source.js';

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
  if (rule.network === 'same-instant' && (rule.of as Raw | undefined)?.step === undefined) {
    const message =
      'same-instant: expected of: { step: id of a service step }, whose event shares the timestamp of the one before';
    complaints.push({ path: [...path, 'of'], message });
  }
  return complaints;
}

/** The targets that a rule names, with the path of each. */
export function targetsOf(rule: Raw, path: Path): { target: unknown; at: Path }[] {
  const targets: { target: unknown; at: Path }[] = [];
  if (rule.of !== undefined) targets.push({ target: rule.of, at: [...path, 'of'] });
  const arrive = (rule.until as Raw | undefined)?.arrive;
  if (arrive !== undefined) targets.push({ target: arrive, at: [...path, 'until', 'arrive'] });
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
