import { operationIds } from '../../spec/generated/operations.js';
import type { Path, Violation } from '../../spec/json-schema/violations.js';
import { formatSuggestion } from '../../spec/nearest.js';
import { show } from '../../spec/show.js';

/** The requests that a network step targets. All given parts must hold; none given: every API request. */
export interface RuleTarget {
  /** `true` for any, n for the n-th of the task (of the organisation where no task is known). */
  create?: true | number;
  poll?: true | number;
  /** `true`, or the id of the tool_call step (or the event id) that is replied to. */
  reply?: true | string;
  /** `true`, an action's name, or the id of the client step. */
  action?: true | string;
  cancel?: true | number;
  /** An operation id of openapi.yaml. */
  operation?: string;
  method?: string;
  /** Path below /api/v1, `*` for anything but a slash. */
  path?: string;
  /** Id of a service step, for the rules that are about one: `hold`, `same-instant`, `at-once`, `reissue`. */
  step?: string;
}

/** Words that represent a target. */
const TARGET_KEYWORDS = ['create', 'poll', 'reply', 'action', 'cancel'] as const;

/** Undefined for `any`. Any other word than those above is the id of an operation. */
export function buildTarget(of: unknown): RuleTarget | undefined {
  if (of === 'any') return undefined;
  if (typeof of !== 'string') return of as RuleTarget;
  return readRequestText(of) ?? (isTargetKeyword(of) ? { [of]: true } : { operation: of });
}

/** The short form of a target. */
export function writeTarget(target: RuleTarget): unknown {
  const given = Object.entries(target).filter(([, value]) => value !== undefined);
  const [only] = given;
  if (!only) return 'any';
  return given.length === 1 && only[1] === true && isTargetKeyword(only[0])
    ? only[0]
    : Object.fromEntries(given);
}

/** Checks a target beyond its schema. */
export function checkTarget(target: unknown, at: Path): Violation[] {
  if (typeof target === 'string') {
    const words = ['any', ...TARGET_KEYWORDS];
    if (words.includes(target) || isOperation(target) || readRequestText(target)) return [];
    const advice = formatSuggestion(target, [...words, ...operationIds]);
    const message = `${String(at.at(-1))}: expected ${words.join(', ')}, an operation id, or a method and a path (GET /usage), found ${show(target)}${advice}`;
    return [{ path: at, message }];
  }
  const { operation } = target as { operation?: string };
  if (operation === undefined || isOperation(operation)) return [];
  const advice = formatSuggestion(operation, operationIds, 'see openapi.yaml');
  const message = `operation: there is none of the id "${operation}"${advice}`;
  return [{ path: [...at, 'operation'], message }];
}

/** `poll 2`, `reply to second`, `any request`. */
export function describeTarget(target: RuleTarget): string {
  const { reply, action } = target;
  const words: string[] = [];
  for (const kind of ['create', 'poll', 'cancel'] as const) {
    const which = target[kind];
    if (which !== undefined) words.push(which === true ? kind : `${kind} ${which}`);
  }
  if (reply !== undefined) words.push(reply === true ? 'reply' : `reply to ${reply}`);
  if (action !== undefined) words.push(action === true ? 'action' : `action ${action}`);
  for (const word of [target.operation, target.method, target.path]) if (word !== undefined) words.push(word);
  if (target.step !== undefined) words.push(`step ${target.step}`);
  return words.join(' ') || 'any request';
}

/** Whether it targets creates: such a rule of a timeline applies to the organisation, not to the task. */
export function isCreateTarget(target: RuleTarget | undefined): boolean {
  return target?.create !== undefined || target?.operation === 'createTask';
}

export function isTargetKeyword(word: string): boolean {
  return (TARGET_KEYWORDS as readonly string[]).includes(word);
}

export function isOperation(id: string): boolean {
  return (operationIds as readonly string[]).includes(id);
}

/** Reads `GET /usage`, `GET` or `/usage`; undefined when the text is none of these. */
function readRequestText(text: string): Pick<RuleTarget, 'method' | 'path'> | undefined {
  const [, method, path] = /^(?:(GET|POST|PUT|PATCH|DELETE)(?= |$))?(?:(?:^| +)(\/\S*))?$/.exec(text) ?? [];
  if (method === undefined && path === undefined) return undefined;
  return { ...(method === undefined ? {} : { method }), ...(path === undefined ? {} : { path }) };
}
