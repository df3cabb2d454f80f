import type { RequirementId } from '../../../../spec/generated/documents.js';
import { type OperationId, operations } from '../../../../spec/generated/operations.js';
import { field } from '../../../conversation/json.js';
import { ruleOf } from '../../from-openapi/derived-case.js';
import { type ApiResponse, summarize } from '../../http-client/response.js';
import { requestBuilders } from '../../request-builders/builders.js';
import type { Command } from '../sequence/sequence.js';
import { idNameOf, isThere } from '../sequence/things.js';
import { type Fact, factsOf, type Scene } from './facts.js';

/** Where the service and the model of it respond differently. */
export interface Difference {
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
export class Agreements {
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
  hasTaken(operation: OperationId): boolean {
    return this.#counts.has(`${operation} valid ok`);
  }
}

/** `actual`, of the service, beside `expected`, of its model. `agreed`: what they have in common, for `Agreements`. */
export function compare(
  command: Command,
  expected: Scene,
  actual: Scene,
  agreements: Agreements,
): { differences: Difference[]; kept: RequirementId[]; agreed: string[] } {
  const { key: outcome, difference } = compareStatus(command, expected, actual.response, agreements);
  if (difference !== 'same')
    return { differences: difference === undefined ? [] : [difference], kept: [], agreed: [] };
  const agreed = [outcome];
  const kept = new Set<RequirementId>();
  if (!actual.response.ok) {
    if (command.invalid !== undefined) kept.add(command.invalid);
    return { differences: [], kept: [...kept], agreed };
  }
  if (ruleOf(command.operation).isShown) kept.add(ruleOf(command.operation).id);
  const facts = factsOf(command, expected);
  const shown = factsOf(command, actual);
  const differences = Object.entries(facts).flatMap(([about, fact]) => {
    const found = shown[about];
    if (fact.value === undefined || found?.value === undefined) return [];
    const wanted = fact.must ?? fact.value;
    if (fact.isLeast && fact.value === false) return [];
    const key = `${command.operation} ${fact.kind ?? about} ${fact.isOpen ? JSON.stringify(wanted) : ''}`;
    if (JSON.stringify(wanted) === JSON.stringify(found.value)) {
      agreed.push(key);
      if (!fact.isOpen) kept.add(fact.requirement);
      return [];
    }
    return [
      differenceIn(
        command,
        about,
        { ...fact, value: wanted },
        found,
        actual.response,
        !fact.isOpen || agreements.isSettled(key),
      ),
    ];
  });
  return { differences, kept: [...kept], agreed };
}

function differenceIn(
  { operation, condition }: Command,
  about: string,
  fact: Fact,
  found: Fact,
  response: ApiResponse,
  isStated: boolean,
): Difference {
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
const PASSING = [408, 429, 503];

function compareStatus(
  command: Command,
  scene: Scene,
  actual: ApiResponse,
  agreements: Agreements,
): { key: string; difference: 'same' | Difference | undefined } {
  const { operation, condition, invalid, astray } = command;
  const { response: expected, thing } = scene;
  const outcome = expected.ok ? 'ok' : expected.status;
  const kind =
    astray ?? (thing && !isThere(thing) ? 'gone' : (invalid ?? (command.open ? condition : 'valid')));
  const key = `${operation} ${kind} ${outcome}`;
  if (expected.ok ? actual.ok : actual.status === expected.status) return { key, difference: 'same' };
  // Credits that are used up do not come back after a while: a 429 that says when is a limit of requests.
  const isPassing = command.key !== 'exhausted' || 'retry-after' in actual.headers;
  if (PASSING.includes(actual.status) && isPassing) return { key, difference: undefined };
  const weight = weigh(command, scene, actual);
  // What does not exist gets 404, once it is certain that the service reads the names of these requests.
  const isKnownMissing =
    (kind === 'gone' || astray !== undefined) &&
    expected.status === 404 &&
    actual.ok &&
    agreements.isSettled(`${operation} valid ok`);
  if (!weight) return { key, difference: undefined };
  const difference: Difference = {
    operation,
    condition,
    about: 'status',
    requirement: weight.requirement,
    isStated: weight.isStated || agreements.isSettled(key) || isKnownMissing,
    expected: expected.ok ? 'a success' : `a refusal with ${expected.status}`,
    actual: summarize(actual),
    isRefusal: expected.ok,
  };
  return { key, difference };
}

/** What another status than that of the model breaks, and whether that is stated; undefined where it breaks nothing. */
function weigh(
  { operation, body, invalid, astray, accepted, open, key }: Command,
  scene: Scene,
  actual: ApiResponse,
): Pick<Difference, 'requirement' | 'isStated'> | undefined {
  const { thing, response: expected } = scene;
  const own = actual.status === 404 && isRemovedElsewhere(scene) ? 'SERVICE-04' : ruleOf(operation).id;
  const openness = requestBuilders[operation].open;
  const isFault = actual.status >= 500;
  // A browser of the deprecated endpoint lives for a stated time.
  const isTooOld = operation === 'closeBrowserSession' && (thing?.waitedMs ?? 0) > 0;
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
  if (thing?.removedBy && !isThere(thing))
    return { requirement: ruleOf(thing.removedBy).id, isStated: isMissing };
  if (key === 'exhausted' && expected.status === 429) return { requirement: 'ERROR-06', isStated: true };
  // Which features need a paid plan is open.
  if (expected.status === 403) return { requirement: 'ERROR-04', isStated: isFault };
  const isActionToOneShot =
    operation === 'sendTaskEvent' && thing?.task?.isSession === false && field(body, 'name') !== 'tool_call';
  if (isActionToOneShot) return { requirement: 'TASK-10', isStated: isFault };
  return { requirement: own, isStated: isFault };
}

/** Another organisation has removed what it calls the same. */
function isRemovedElsewhere({ thing, things, names }: Scene): boolean {
  if (!thing) return false;
  return things.some(
    (each) =>
      each.kind === thing.kind &&
      each.key !== thing.key &&
      !isThere(each) &&
      names.get(idNameOf(each)) === names.get(idNameOf(thing)),
  );
}

/** `POST /profile (similar id: longer)`. */
export function titleOf({ operation, condition }: Pick<Command, 'operation' | 'condition'>): string {
  const { method, path } = operations[operation];
  return `${method} ${path}${condition === 'plain' ? '' : ` (${condition})`}`;
}
