import type { RequirementId } from '../../../../spec/generated/documents.js';
import { type OperationId, operations } from '../../../../spec/generated/operations.js';
import { isTerminal, type TaskStatus } from '../../../../spec/vocabulary.js';
import { readField } from '../../../conversation/json.js';
import { type ApiResponse, summarize } from '../../http-client/response.js';
import type { Command } from '../../operations/command.js';
import { definitions } from '../../operations/definitions.js';
import { formatIdName, isPresent, type ObservedResponse, type Resource } from '../../operations/observed.js';
import { readRule } from '../../operations/rules.js';
import { collectFacts } from './facts.js';
import { explainOpenStatus } from './open-statuses.js';

/** A difference between the responses of the service and of its model. */
export interface ResponseDifference {
  operation: OperationId;
  condition: string;
  /** `status`, or the name of a fact. */
  about: string;
  requirement: RequirementId;
  /**
   * The description states what is expected. Otherwise the difference is a failure only if the service behaves as expected under
   * other conditions.
   */
  isStated: boolean;
  expected: string;
  actual: string;
  /** The service refuses a request that its model accepts. */
  isRefusal?: boolean;
}

/**
 * Counts how often the service agreed with its model in points that the description leaves open. A service has to keep to its own
 * choices.
 */
export class MatchCounts {
  readonly #counts = new Map<string, number>();

  /** `areAllSettled`: for a sequence that is known to show a failure. */
  constructor(private readonly areAllSettled = false) {}

  add(key: string): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** Two matches are not a coincidence. */
  isSettled(key: string): boolean {
    return this.areAllSettled || (this.#counts.get(key) ?? 0) >= 2;
  }

  /** The service accepts valid requests of the operation. */
  hasAccepted(operation: OperationId): boolean {
    return this.#counts.has(`${operation} valid ok`);
  }
}

/** Compares the response of the service (`actual`) with that of its model (`expected`). `matches`: keys for `MatchCounts`. */
export function compare(
  command: Command,
  expected: ObservedResponse,
  actual: ObservedResponse,
  matchCounts: MatchCounts,
): { differences: ResponseDifference[]; kept: RequirementId[]; matches: string[] } {
  const { keys: outcome, difference } = compareStatus(command, expected, actual.response, matchCounts);
  if (difference !== 'same')
    return { differences: difference === undefined ? [] : [difference], kept: [], matches: [] };
  const matches = [...outcome];
  const kept = new Set<RequirementId>();
  if (!actual.response.ok) {
    if (command.invalid !== undefined) kept.add(command.invalid);
    return { differences: [], kept: [...kept], matches };
  }
  if (readRule(command.operation).isShown) kept.add(readRule(command.operation).id);
  const facts = collectFacts(command, expected);
  const shown = collectFacts(command, actual);
  const { operation, condition, astray } = command;
  // What an organisation sees of its own says nothing about what it sees of others.
  const reader = astray === 'stranger' ? `${operation} stranger` : operation;
  const differences = Object.entries(facts).flatMap(([about, fact]): ResponseDifference | [] => {
    const found = shown[about];
    if (fact.value === undefined || found?.value === undefined) return [];
    const wanted = fact.must ?? fact.value;
    if (fact.isLeast && fact.value === false) return [];
    if (fact.isMost && fact.value === true) return [];
    const key = `${reader} ${fact.kind ?? about} ${fact.isOpen ? JSON.stringify(wanted) : ''}`;
    if (JSON.stringify(wanted) === JSON.stringify(found.value)) {
      if (!found.isVacuous) matches.push(key);
      if (!fact.isOpen) kept.add(fact.requirement);
      return [];
    }
    return {
      operation,
      condition,
      about: fact.kind ?? about,
      requirement: fact.requirement,
      isStated: !fact.isOpen || matchCounts.isSettled(key),
      expected: `${about}: ${JSON.stringify(wanted)}`,
      actual: `${JSON.stringify(found.value)}, in ${summarize(actual.response)}`,
    };
  });
  return { differences, kept: [...kept], matches };
}

function compareStatus(
  command: Command,
  observed: ObservedResponse,
  actual: ApiResponse,
  matchCounts: MatchCounts,
): { keys: readonly string[]; difference: 'same' | ResponseDifference | undefined } {
  const { operation, condition, invalid, astray } = command;
  const { response: expected, resource } = observed;
  const outcome = expected.ok ? 'ok' : expected.status;
  const late = describeLateEvent(command, observed);
  const kind =
    astray ??
    (resource && isRemovedSubject(resource, command)
      ? 'gone'
      : (invalid ?? late ?? (command.open ? condition : 'valid')));
  // What an account without a paid plan or credits may do is not stated.
  const account = command.key === 'free' || command.key === 'exhausted' ? ` ${command.key}` : '';
  const key = `${operation} ${kind}${account} ${outcome}`;
  // Which features need a paid plan is not stated: a service may refuse one parameter, for example.
  const ofFeature = `${key} ${condition}`;
  const keys = [key, ofFeature];
  if (expected.ok ? actual.ok : actual.status === expected.status) return { keys, difference: 'same' };
  if (explainOpenStatus(command, observed, actual) !== undefined) return { keys, difference: undefined };
  const weight = assessStatus(command, observed, actual);
  // A missing resource gets 404. This is certain only if the service evaluates the ids of such requests, as most do.
  const isKnownMissing =
    ((kind === 'gone' && !isEmptied(observed, actual)) || (astray !== undefined && astray !== 'elsewhere')) &&
    expected.status === 404 &&
    actual.ok &&
    definitions[operation].open !== 'lookup' &&
    matchCounts.isSettled(`${operation} valid ok`);
  if (!weight) return { keys, difference: undefined };
  const isSettled = matchCounts.isSettled(actual.status === 403 ? ofFeature : key);
  // That something exists again is a choice of the model.
  const isOfModel = isEmptied(observed, actual) || (kind === 'gone' && expected.ok);
  const difference: ResponseDifference = {
    operation,
    condition,
    about: 'status',
    requirement: weight.requirement,
    isStated: weight.isStated || (isSettled && !isOfModel) || isKnownMissing,
    expected: expected.ok ? 'a success' : `a refusal with ${expected.status}`,
    actual: summarize(actual),
    isRefusal: expected.ok,
  };
  return { keys, difference };
}

/** A removed resource that the request names. Another value may take the place of its id. */
function isRemovedSubject(resource: Resource, { path, query, headers, body }: Command): boolean {
  if (isPresent(resource)) return false;
  const text = JSON.stringify([path, query, headers, body]);
  const name = formatIdName(resource);
  return text.includes(`{{${name}}}`) || text.includes(`{{${name}|`);
}

/** An event for a task that has ended: what it gets is not stated, and may differ by kind. Undefined for another request. */
function describeLateEvent(
  { operation, condition, body }: Command,
  { resource }: ObservedResponse,
): string | undefined {
  const { task } = resource ?? {};
  if (operation !== 'sendTaskEvent' || !task || !isTerminal(task.status as TaskStatus)) return undefined;
  return `late ${String(readField(body, 'name'))}, ${condition}, to a ${task.isSession ? 'session' : 'task'}`;
}

/** The requirement that another status than that of the model breaks, and whether it is stated; undefined if it breaks none. */
function assessStatus(
  command: Command,
  observed: ObservedResponse,
  actual: ApiResponse,
): Pick<ResponseDifference, 'requirement' | 'isStated'> | undefined {
  const { operation, body, invalid, astray, accepted, open, key } = command;
  const { resource, response: expected } = observed;
  const own = actual.status === 404 && isRemovedElsewhere(observed) ? 'SERVICE-04' : readRule(operation).id;
  const openness = definitions[operation].open;
  const isFault = actual.status >= 500;
  // A browser of the deprecated endpoint has a stated lifetime.
  const isTooOld = operation === 'closeBrowserSession' && (resource?.waitedMs ?? 0) > 0;
  if (expected.ok && key === null && operations[operation].auth === 'none' && actual.status === 401)
    return { requirement: 'AUTH-04', isStated: true };
  if (expected.ok)
    return {
      requirement: isTooOld ? 'LIMIT-04' : (accepted ?? own),
      isStated:
        isFault ||
        !(
          open ||
          openness !== undefined ||
          actual.status === 403 ||
          describeLateEvent(command, observed) ||
          (resource && !isPresent(resource) && astray === undefined)
        ),
    };
  if (!actual.ok && !isFault) {
    // The description states the status of few refusals.
    if (invalid === 'LIMIT-02') return { requirement: invalid, isStated: false };
    const isUnknown = expected.status === 404 && operation === 'getTask' && astray === undefined;
    return isUnknown ? { requirement: 'POLL-07', isStated: true } : undefined;
  }
  if (invalid !== undefined) return { requirement: invalid, isStated: true };
  const isMissing = expected.status === 404 && openness !== 'lookup';
  if (astray === 'stranger') return { requirement: 'SERVICE-04', isStated: true };
  const missing = operation === 'getTask' ? 'POLL-07' : 'ERROR-03';
  // Whether an id has to be of the workspace in the header is not stated.
  if (astray !== undefined)
    return {
      requirement: expected.status === 404 ? missing : own,
      isStated: isMissing && astray !== 'elsewhere',
    };
  if (resource?.removedBy && isRemovedSubject(resource, command))
    return {
      requirement: readRule(resource.removedBy).id,
      isStated: isMissing && !isEmptied(observed, actual),
    };
  if (key === 'exhausted' && expected.status === 429)
    return { requirement: 'ERROR-06', isStated: operation === 'createTask' };
  // The description leaves open which features need a paid plan.
  if (expected.status === 403) return { requirement: 'ERROR-04', isStated: isFault };
  const isActionToOneShot =
    operation === 'sendTaskEvent' &&
    resource?.task?.isSession === false &&
    readField(body, 'name') !== 'tool_call';
  if (isActionToOneShot) return { requirement: 'TASK-10', isStated: isFault };
  return { requirement: own, isStated: isFault };
}

/** The data of the task were deleted, and the response shows none: whether the task is found after that is not stated. */
function isEmptied({ resource }: ObservedResponse, { r }: ApiResponse): boolean {
  if (resource?.removedBy !== 'deleteTaskData') return false;
  const events = readField(r, 'events') ?? [];
  return (readField(r, 'output') ?? null) === null && Array.isArray(events) && events.length === 0;
}

/** Another organisation removed a resource that has the same id. */
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

export function formatTitle({ operation, condition }: Pick<Command, 'operation' | 'condition'>): string {
  const { method, path } = operations[operation];
  return `${method} ${path}${condition === 'plain' ? '' : ` (${condition})`}`;
}
