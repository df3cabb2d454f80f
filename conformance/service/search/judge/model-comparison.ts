import type { RequirementId } from '../../../../spec/generated/documents.js';
import { type OperationId, operations } from '../../../../spec/generated/operations.js';
import { isTerminal, type TaskStatus } from '../../../../spec/vocabulary.js';
import { readField } from '../../../conversation/json.js';
import { LONGEST_CALL_MS } from '../../../rules/service/tool-calls.js';
import type { ApiRequest, ApiResponse } from '../../http-client/response.js';
import type { Command, Name } from '../../operations/command.js';
import { isRemoval } from '../../operations/definitions.js';
import type { ObservedResponse, Resource, SentMarker } from '../../operations/observed.js';
import { readStatus } from '../../test-case/read-task.js';
import { readRole, SequenceNames } from '../sequence/names.js';
import { compare, type MatchCounts, type ResponseDifference } from './compare.js';
import { followTask, recordSent } from './follow.js';
import { findOwner, readMarkers } from './markers.js';
import type { Model, ModelAccounts } from './model.js';
import { isExistingRecord, observeResources } from './observe-resources.js';

/** A failure that one sequence shows. */
export interface SequenceFinding {
  requirement: RequirementId;
  /** The conformance rule that found it; undefined if the comparison with the model did. */
  rule?: string;
  message: string;
  difference?: ResponseDifference;
  /** `seq` of the exchanges of this sequence that show it. */
  evidence: number[];
}

export interface SentCommand {
  command: Command;
  request: ApiRequest;
  response: ApiResponse;
  /** For a refused request about a task: a poll right after it. */
  polled?: ApiResponse;
  /** Repeated reads: a task may need a moment to stop. */
  later: ApiResponse[];
}

/** One step as sent: concurrent requests, or a wait in ms. */
export type SentStep = readonly SentCommand[] | number;

export interface StepOutcome {
  finding?: SequenceFinding;
  /** From here on the states of model and service differ. */
  isDiverged?: boolean;
  /** A limit of the account, such as used-up browser sessions, refuses this operation. No order of the requests explains it. */
  limited?: OperationId;
}

interface ComparisonSetup {
  model: Model;
  matchCounts: MatchCounts;
  isNewestFirst: boolean;
  markerPrefix: string;
  now: number;
  /** Ids of workspaces of earlier sequences. */
  earlierWorkspaces: ReadonlySet<Name>;
  /** Adds fields that the service needs in a request, so that the model gets the same request. */
  amend: (operation: OperationId, request: ApiRequest) => ApiRequest;
  /** Whether the service confirms the same removal of an id that never existed. */
  removesUnknown: (command: Command) => Promise<boolean>;
  /** Repeats a read for a task that may need a moment; undefined after the last attempt. */
  readAgain: (sent: SentCommand) => Promise<ApiResponse | undefined>;
}

/** Compares the responses of the service with those of its model, for one order of the concurrent requests. */
export class ModelComparison {
  readonly resources: Resource[] = [];
  readonly service: SequenceNames;
  readonly model: SequenceNames;
  readonly observations: ResponseDifference[] = [];
  readonly kept = new Map<RequirementId, number[]>();
  /** Keys of agreements, counted once the order is certain. */
  readonly matches: string[] = [];
  readonly #accounts: ModelAccounts;
  readonly #markers = new Map<string, SentMarker>();
  /** Accepted events: label of the task and id. */
  readonly #events = new Set<string>();
  readonly #settings = new Set<string>();

  constructor(private readonly setup: ComparisonSetup) {
    this.service = new SequenceNames(setup.markerPrefix);
    this.model = new SequenceNames(setup.markerPrefix);
    for (const names of [this.service, this.model]) names.set('now', { ms: Math.floor(setup.now) });
    this.#accounts = setup.model.openAccounts();
  }

  close(): void {
    this.#accounts.close();
  }

  addWorkspaces(ids: Set<Name>): void {
    for (const { kind, label } of this.resources) {
      const id = kind === 'workspace' ? this.service.get(`${label}.workspace-id`) : undefined;
      if (id !== undefined) ids.add(id);
    }
  }

  /** `order`: indexes of the concurrent requests, in the order in which the model gets them. */
  async recordStep(entry: SentStep, order?: readonly number[]): Promise<StepOutcome> {
    if (typeof entry === 'number') {
      await this.#accounts.advanceClock(entry);
      for (const resource of this.resources) {
        resource.waitedMs = (resource.waitedMs ?? 0) + entry;
        for (const action of resource.task?.sent ?? []) action.waitedMs += entry;
      }
      return {};
    }
    // Concurrent requests use the names that were known before any of them.
    const requests = entry.map(({ command }) => {
      const request = this.model.resolve(command);
      return request && this.setup.amend(command.operation, request);
    });
    for (const index of order ?? entry.keys()) {
      const request = requests[index];
      if (!request) continue;
      const outcome = await this.#recordCommand(entry[index]!, request, entry);
      if (outcome.finding || outcome.isDiverged) return outcome;
    }
    return {};
  }

  async #recordCommand(
    sent: SentCommand,
    modelRequest: ObservedResponse['request'],
    entry: readonly SentCommand[],
  ): Promise<StepOutcome> {
    const { command, request } = sent;
    let { response } = sent;
    const resource = this.resources.find(({ label }) => label === command.on);
    const before = resource?.task?.status;
    if (sent.polled) await this.#applyPoll(resource, sent.polled);
    // The task may have ended after the refusal, for example during a long poll.
    const hasEnded = before !== resource?.task?.status && isTerminal(resource?.task?.status as TaskStatus);
    if (command.operation === 'getTask' && command.astray === undefined)
      await this.#applyPoll(resource, response);
    const expected = await this.#accounts.send(command.operation, modelRequest);
    const own = { names: this.service, request, response };
    if (
      expected.ok &&
      response.ok &&
      isExistingRecord(command, own, this.resources, this.setup.earlierWorkspaces)
    )
      return { isDiverged: true };
    const observe = this.#prepareObservation(command, resource);
    const model = observe({ request: modelRequest, response: expected }, this.model);
    const judge = (actual: ApiResponse) =>
      compare(command, model, observe({ request, response: actual }, this.service), this.setup.matchCounts);
    // Other concurrent requests may change the task.
    const areReads = entry.every((each) => each.command.operation === command.operation);
    let result = judge(response);
    for (let reread = 0; result.differences.some(isStatusOfPoll); reread++) {
      const again = sent.later[reread] ?? (areReads ? await this.setup.readAgain(sent) : undefined);
      if (!again) break;
      response = again;
      // Until it stops, a task may emit events.
      await this.#applyPoll(resource, again);
      result = judge(response);
    }
    const evidence = entry.length === 1 ? [response.seq] : entry.map((each) => each.response.seq);
    for (const requirement of result.kept)
      this.kept.set(requirement, [...(this.kept.get(requirement) ?? []), ...evidence]);
    this.matches.push(...result.matches);
    if (expected.ok && response.ok) {
      const known = this.resources.length;
      this.#recordMarkers(command);
      observeResources(command, this.resources, [
        { names: this.service, request, response },
        { names: this.model, request: modelRequest, response: expected },
      ]);
      recordSent(command, resource, this.service, response);
      if (entry.length > 1) for (const made of this.resources.slice(known)) made.isCreatedConcurrently = true;
    }
    // What a reused event id leads to is not stated.
    const isReused =
      command.operation === 'sendTaskEvent' && this.#isReusedEvent(resource, request, response);
    if (isReused && expected.ok !== response.ok && response.status < 500) return { isDiverged: true };
    const stated = result.differences.find(({ isStated }) => isStated);
    // Which status the removal of a missing resource has is not stated. What it has removed shows in later requests.
    const isRemovalOpen =
      isRemoval(command.operation) &&
      !expected.ok &&
      response.ok &&
      (await this.setup.removesUnknown(command));
    const failure = isRemovalOpen ? undefined : stated;
    if (
      failure &&
      isStatusOfPoll(failure) &&
      resource?.task?.isEndUnseen &&
      ['done', 'failed'].includes(readStatus(response) ?? '')
    )
      return { isDiverged: true };
    if (failure?.about === 'status' && (hasEnded || isLateReply(command, resource, response)))
      return { isDiverged: true };
    if (failure) return { finding: { ...describeDifference(failure, entry), evidence } };
    this.observations.push(...result.differences);
    if (isLimited(command, expected, response)) return { isDiverged: true, limited: command.operation };
    // What a stranger has changed of the resources shows in the reads of their owner.
    return expected.ok !== response.ok && command.astray !== 'stranger' ? { isDiverged: true } : {};
  }

  /** Also remembers the event if it was accepted. */
  #isReusedEvent(resource: Resource | undefined, { body }: ApiRequest, { ok }: ApiResponse): boolean {
    const key = `${resource?.label} ${readField(body, 'id')}`;
    const isReused = this.#events.has(key);
    if (ok) this.#events.add(key);
    return isReused;
  }

  /** A poll shows the actions of the agent. */
  async #applyPoll(resource: Resource | undefined, polled: ApiResponse): Promise<void> {
    if (!resource || !polled.ok) return;
    await followTask(resource, polled, this.service, { accounts: this.#accounts, names: this.model });
  }

  /** The context of the responses to a command: with the markers that it contains. */
  #prepareObservation(command: Command, resource: Resource | undefined) {
    const own = readMarkers(command);
    const markers = own.length === 0 ? this.#markers : new Map(this.#markers);
    const about = { by: command.operation, owner: findOwner(command), isOwn: true } as const;
    for (const marker of own) markers.set(marker, { ...about, role: readRole(marker) });
    const { resources } = this;
    const settings = this.#settings;
    const { isNewestFirst } = this.setup;
    return (
      exchange: Pick<ObservedResponse, 'request' | 'response'>,
      names: SequenceNames,
    ): ObservedResponse => ({ ...exchange, names, resource, resources, markers, settings, isNewestFirst });
  }

  #recordMarkers(command: Command): void {
    const { operation, query } = command;
    this.#settings.add(operation).add(`${operation} ${command.on}`);
    if (operation === 'updateOrganisation') {
      const name = this.service.fillText(String(query?.name));
      for (const names of [this.service, this.model]) names.set('settings', { name });
    }
    const owner = findOwner(command);
    const own = readMarkers(command);
    for (const marker of own) {
      const role = readRole(marker);
      for (const [other, sent] of this.#markers)
        if (sent.owner === owner && sent.role === role && other !== marker) sent.isFormer = true;
      const before = this.#markers.get(marker);
      const others = before && before.owner !== owner ? [...(before.others ?? []), before.owner] : [];
      this.#markers.set(marker, { by: operation, owner, role, others });
    }
    if (!command.open || command.as !== undefined || operations[operation].method === 'GET') return;
    for (const [marker, sent] of this.#markers)
      if (sent.owner === owner && !own.includes(marker)) sent.after = new Set(sent.after).add(operation);
  }
}

/** Still refused after the repetitions that a rate limit gets. The limits of accounts without a plan or credits are no surprise. */
function isLimited({ key }: Command, expected: ApiResponse, { status }: ApiResponse): boolean {
  return expected.ok && status === 429 && key !== 'free' && key !== 'exhausted';
}

/** A reply that is refused, to a call that the agent may have given up. */
function isLateReply(
  { operation, body }: Command,
  resource: Resource | undefined,
  { status }: ApiResponse,
): boolean {
  const isReply = operation === 'updateTask' || readField(body, 'name') === 'tool_call';
  const isRefused = status >= 400 && status < 500;
  return isReply && isRefused && (resource?.waitedMs ?? 0) >= LONGEST_CALL_MS;
}

function isStatusOfPoll({ operation, about }: ResponseDifference): boolean {
  return operation === 'getTask' && about === 'status';
}

function describeDifference(
  difference: ResponseDifference,
  entry: readonly SentCommand[],
): Omit<SequenceFinding, 'evidence'> {
  const { requirement, expected, actual, operation, condition } = difference;
  const name = condition === 'plain' ? operation : `${operation} (${condition})`;
  const all = entry.map(({ command }) => command.operation).join(' and ');
  const together = entry.length > 1 ? `; ${all} at once, and no order of them explains the responses` : '';
  const message = `${name}: expected ${expected}, as the model of this service responds; got ${actual}${together}`;
  return { requirement, message, difference };
}
