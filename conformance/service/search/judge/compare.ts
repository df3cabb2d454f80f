import type { RequirementId } from '../../../../spec/generated/documents.js';
import { type OperationId, operations } from '../../../../spec/generated/operations.js';
import { readField } from '../../../conversation/json.js';
import { readRule } from '../../from-openapi/derived-case.js';
import { type ApiResponse, summarize } from '../../http-client/response.js';
import { requestBuilders } from '../../request-builders/builders.js';
import { formatIdName, isPresent } from '../sequence/resources.js';
import type { Command } from '../sequence/sequence.js';
import { collectFacts, type Fact, type ObservedResponse } from './facts.js';

/** Where the service and the model of it respond differently. */
export interface ResponseDifference {
  operation: OperationId;
  condition: string;
  /** What is different: `status`, or the name of a fact. */
  about: string;
  requirement: RequirementId;
  /** The description states what was expected. Else it is a failure only where the service does so under other conditions. */
  isStated: boolean;
  expected: string;
  actual: string;
  /** The service refuses what its model takes. */
  isRefusal?: boolean;
}

/** How often the service did what the model does, where the description leaves it open: its own choices hold everywhere. */
export class MatchCounts {
  readonly #counts = new Map<string, number>();

  /** `areAllSettled`: for a sequence that is known to show a failure. */
  constructor(private readonly areAllSettled = false) {}

  add(key: string): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** So often is no accident. */
  isSettled(key: string): boolean {
    return this.areAllSettled || (this.#counts.get(key) ?? 0) >= 2;
  }

  /** The service takes valid requests of the operation. */
  hasAccepted(operation: OperationId): boolean {
    return this.#counts.has(`${operation} valid ok`);
  }
}

/** `actual`, of the service, beside `expected`, of its model. `agreed`: what they have in common, for `Agreements`. */
export function compare(
  command: Command,
  expected: ObservedResponse,
  actual: ObservedResponse,
  matchCounts: MatchCounts,
): { differences: ResponseDifference[]; kept: RequirementId[]; matches: string[] } {
  const { key: outcome, difference } = compareStatus(command, expected, actual.response, matchCounts);
  if (difference !== 'same')
    return { differences: difference === undefined ? [] : [difference], kept: [], matches: [] };
  const matches = [outcome];
  const kept = new Set<RequirementId>();
  if (!actual.response.ok) {
    if (command.invalid !== undefined) kept.add(command.invalid);
    return { differences: [], kept: [...kept], matches: matches };
  }
  if (readRule(command.operation).isShown) kept.add(readRule(command.operation).id);
  const facts = collectFacts(command, expected);
  const shown = collectFacts(command, actual);
  const differences = Object.entries(facts).flatMap(([about, fact]) => {
    const found = shown[about];
    if (fact.value === undefined || found?.value === undefined) return [];
    const wanted = fact.must ?? fact.value;
    if (fact.isLeast && fact.value === false) return [];
    const key = `${command.operation} ${fact.kind ?? about} ${fact.isOpen ? JSON.stringify(wanted) : ''}`;
    if (JSON.stringify(wanted) === JSON.stringify(found.value)) {
      matches.push(key);
      if (!fact.isOpen) kept.add(fact.requirement);
      return [];
    }
    return [
      createDifference(
        command,
        about,
        { ...fact, value: wanted },
        found,
        actual.response,
        !fact.isOpen || matchCounts.isSettled(key),
      ),
    ];
  });
  return { differences, kept: [...kept], matches: matches };
}

function createDifference(
  { operation, condition }: Command,
  about: string,
  fact: Fact,
  found: Fact,
  response: ApiResponse,
  isStated: boolean,
): ResponseDifference {
  return {
    operation,
    condition,
    about: fact.kind ?? about,
    requirement: fact.requirement,
    isStated,
    expected: `${about}: ${JSON.stringify(fact.value)}`,
    actual: `${JSON.stringify(found.value)}, in ${summarize(response)}`,
  };
}

/** Statuses that say nothing about the request: a limit, or something that passes. */
const TRANSIENT = [408, 429, 503];

function compareStatus(
  command: Command,
  observed: ObservedResponse,
  actual: ApiResponse,
  matchCounts: MatchCounts,
): { key: string; difference: 'same' | ResponseDifference | undefined } {
  const { operation, condition, invalid, astray } = command;
  const { response: expected, resource } = observed;
  const outcome = expected.ok ? 'ok' : expected.status;
  const kind =
    astray ?? (resource && !isPresent(resource) ? 'gone' : (invalid ?? (command.open ? condition : 'valid')));
  const key = `${operation} ${kind} ${outcome}`;
  if (expected.ok ? actual.ok : actual.status === expected.status) return { key, difference: 'same' };
  // Credits that are used up do not come back after a while: a 429 that says when is a limit of requests.
  const isPassing = command.key !== 'exhausted' || 'retry-after' in actual.headers;
  if (TRANSIENT.includes(actual.status) && isPassing) return { key, difference: undefined };
  const weight = assessStatus(command, observed, actual);
  // What does not exist gets 404, once it is certain that the service reads the names of these requests.
  const isKnownMissing =
    (kind === 'gone' || astray !== undefined) &&
    expected.status === 404 &&
    actual.ok &&
    matchCounts.isSettled(`${operation} valid ok`);
  if (!weight) return { key, difference: undefined };
  const difference: ResponseDifference = {
    operation,
    condition,
    about: 'status',
    requirement: weight.requirement,
    isStated: weight.isStated || matchCounts.isSettled(key) || isKnownMissing,
    expected: expected.ok ? 'a success' : `a refusal with ${expected.status}`,
    actual: summarize(actual),
    isRefusal: expected.ok,
  };
  return { key, difference };
}

/** What another status than that of the model breaks, and whether that is stated; undefined where it breaks nothing. */
function assessStatus(
  { operation, body, invalid, astray, accepted, open, key }: Command,
  observed: ObservedResponse,
  actual: ApiResponse,
): Pick<ResponseDifference, 'requirement' | 'isStated'> | undefined {
  const { resource, response: expected } = observed;
  const own = actual.status === 404 && isRemovedElsewhere(observed) ? 'SERVICE-04' : readRule(operation).id;
  const openness = requestBuilders[operation].open;
  const isFault = actual.status >= 500;
  // A browser of the deprecated endpoint lives for a stated time.
  const isTooOld = operation === 'closeBrowserSession' && (resource?.waitedMs ?? 0) > 0;
  if (expected.ok && key === null && operations[operation].auth === 'none' && actual.status === 401)
    return { requirement: 'AUTH-04', isStated: true };
  if (expected.ok)
    return {
      requirement: isTooOld ? 'LIMIT-04' : (accepted ?? own),
      isStated: isFault || !(open || openness !== undefined || actual.status === 403),
    };
  if (!actual.ok && !isFault) {
    // Which status a refusal has is stated for few of them.
    if (invalid === 'LIMIT-02') return { requirement: invalid, isStated: false };
    const isUnknown = expected.status === 404 && operation === 'getTask' && astray === undefined;
    return isUnknown ? { requirement: 'POLL-07', isStated: true } : undefined;
  }
  if (invalid !== undefined) return { requirement: invalid, isStated: true };
  const isMissing = expected.status === 404 && openness !== 'lookup';
  if (astray === 'stranger') return { requirement: 'SERVICE-04', isStated: true };
  const missing = operation === 'getTask' ? 'POLL-07' : 'ERROR-03';
  if (astray !== undefined)
    return { requirement: expected.status === 404 ? missing : own, isStated: isMissing };
  if (resource?.removedBy && !isPresent(resource))
    return { requirement: readRule(resource.removedBy).id, isStated: isMissing };
  if (key === 'exhausted' && expected.status === 429) return { requirement: 'ERROR-06', isStated: true };
  // Which features need a paid plan is open.
  if (expected.status === 403) return { requirement: 'ERROR-04', isStated: isFault };
  const isActionToOneShot =
    operation === 'sendTaskEvent' &&
    resource?.task?.isSession === false &&
    readField(body, 'name') !== 'tool_call';
  if (isActionToOneShot) return { requirement: 'TASK-10', isStated: isFault };
  return { requirement: own, isStated: isFault };
}

/** Another organisation has removed what it calls the same. */
function isRemovedElsewhere({ resource, resources, names }: ObservedResponse): boolean {
  if (!resource) return false;
  return resources.some(
    (each) =>
      each.kind === resource.kind &&
      each.key !== resource.key &&
      !isPresent(each) &&
      names.get(formatIdName(each)) === names.get(formatIdName(resource)),
  );
}

/** `POST /profile (similar id: longer)`. */
export function formatTitle({ operation, condition }: Pick<Command, 'operation' | 'condition'>): string {
  const { method, path } = operations[operation];
  return `${method} ${path}${condition === 'plain' ? '' : ` (${condition})`}`;
}
