import type { RequirementId } from '../../../spec/generated/documents.js';
import type { OperationId } from '../../../spec/generated/operations.js';
import { type Exchange, isActive, isTerminal, type TaskStatus } from '../../../spec/vocabulary.js';
import type { Rule } from '../../rules/rule.js';
import { ExchangeRecorder, ExchangeStream } from '../http-client/exchanges.js';
import { HttpClient } from '../http-client/http-client.js';
import { type ApiRequest, NoResponse } from '../http-client/response.js';
import type { ServiceTarget } from '../http-client/target.js';
import type { Command, Name } from '../operations/command.js';
import type { Resource } from '../operations/observed.js';
import { readStatus } from '../test-case/read-task.js';
import type { MatchCounts, ResponseDifference } from './judge/compare.js';
import type { Model } from './judge/model.js';
import {
  ModelComparison,
  type SentCommand,
  type SentStep,
  type SequenceFinding,
  type StepOutcome,
} from './judge/model-comparison.js';
import { removeResources } from './remove-resources.js';
import { listOtherOrders } from './request-orders.js';
import { createSteps, isWait, listCommands, type Sequence, type SequenceStep } from './sequence/sequence.js';

export interface SequenceRun {
  steps: SequenceStep[];
  finding: SequenceFinding | undefined;
  /** Differences that no stated requirement decides. */
  observations: ResponseDifference[];
  exchanges: Exchange[];
  /** `seq` of the exchanges that show that a requirement is met. */
  kept: Map<RequirementId, number[]>;
  /** Set if the service did not respond to a request. */
  noResponse?: NoResponse;
  left: string[];
  /** Names of the resources, as the service returned them. */
  names: ReadonlyMap<string, Name>;
}

export interface PlayContext {
  target: ServiceTarget;
  model: Model;
  rules: readonly Rule[];
  matchCounts: MatchCounts;
  /** Longest wait, ms. */
  longestWaitMs: number;
  isNewestFirst: boolean;
  signal?: AbortSignal | undefined;
}

/** Returns the next step for the current resources; undefined at the end. */
export type StepSource = (
  resources: readonly Resource[],
  last: SequenceStep | undefined,
) => SequenceStep | undefined;

/** Repeated reads of a late status, at most, and the first pause, ms: a task may need a moment to stop. */
const MOST_REREADS = 4;
const REREAD_MS = 250;
/** Orders of concurrent requests that are tried in total, at most. */
const MOST_ORDERS = 72;
/** Steps that are compared again for them in total, at most: a few orders of a log of a thousand steps. */
const MOST_REPLAYED = 5000;

export function createStepSource(sequence: Sequence): StepSource {
  const steps = sequence.values();
  return () => steps.next().value;
}

/** Sends a sequence to the service and to its model until they differ. `markerPrefix`: begins every unique text. */
export function playSequence(
  context: PlayContext,
  markerPrefix: string,
  next: StepSource,
): Promise<SequenceRun> {
  return new SequencePlayer(context, markerPrefix).run(next);
}

class SequencePlayer {
  readonly #recorder = new ExchangeRecorder();
  readonly #stream: ExchangeStream;
  /** Does not adapt requests: the model expects many of them to be refused. */
  readonly #client: HttpClient;
  /** For requests that have to be accepted: learns fields that the service needs. */
  readonly #amendingClient: HttpClient;
  readonly #began: number;
  readonly #entries: SentStep[] = [];
  #comparison: ModelComparison;
  /** Another order of concurrent requests ended in a difference that breaks no rule. It may be the one of the service. */
  #isOrderOpen = false;

  constructor(
    private readonly context: PlayContext,
    private readonly markerPrefix: string,
  ) {
    this.#stream = new ExchangeStream(this.#recorder, context.rules);
    const { target, signal } = context;
    this.#client = new HttpClient({ ...target, needs: undefined }, this.#stream, { signal });
    this.#amendingClient = new HttpClient(target, this.#stream, { signal });
    this.#began = target.clock.now();
    this.#comparison = this.#createComparison();
  }

  async run(next: StepSource): Promise<SequenceRun> {
    const steps: SequenceStep[] = [];
    const { signal, matchCounts } = this.context;
    let finding: SequenceFinding | undefined;
    let noResponse: NoResponse | undefined;
    try {
      for (let step = next(this.#comparison.resources, undefined); step && !signal?.aborted; ) {
        steps.push(step);
        const entry = await this.#send(step);
        // Commands with unresolved names were not sent.
        if (typeof entry !== 'number')
          steps.splice(-1, 1, ...createSteps(entry.map(({ command }) => command)));
        const outcome = await this.#recordStep(entry);
        finding = outcome.finding;
        if (outcome.isDiverged && typeof entry !== 'number') await this.#pollDiverged(entry);
        if (finding || outcome.isDiverged) break;
        step = next(this.#comparison.resources, step);
      }
    } catch (error) {
      if (error instanceof NoResponse) noResponse = error;
      else if (!signal?.aborted) throw error;
    }
    const { kept, matches, observations } = this.#comparison;
    for (const key of matches) matchCounts.add(key);
    finding ??= this.#findRuleFinding();
    this.#recordKeptRules(kept);
    this.#stream.close(new Set(finding?.evidence));
    const { left, error } = await removeResources(this.context.target, this.#comparison);
    noResponse ??= error;
    this.#comparison.close();
    const { exchanges } = this.#recorder;
    return {
      steps,
      finding,
      observations,
      exchanges,
      kept,
      ...(noResponse && { noResponse }),
      left,
      names: this.#comparison.service.all,
    };
  }

  async #recordStep(entry: SentStep): Promise<StepOutcome> {
    this.#entries.push(entry);
    const outcome = await this.#comparison.recordStep(entry);
    if (isMatch(outcome)) return outcome;
    const explained = await this.#explain(outcome);
    const isStatus = explained.finding?.difference?.about === 'status';
    return isStatus && (await this.#hasEndedUnseen(entry)) ? { isDiverged: true } : explained;
  }

  /**
   * Whether a task of these requests (or of the chat of an approval) ended by itself after the last poll. The requests were then
   * sent in another state.
   */
  async #hasEndedUnseen(entry: SentStep): Promise<boolean> {
    const { resources, service } = this.#comparison;
    for (const { command } of typeof entry === 'number' ? [] : entry) {
      const resource = resources.find(({ label }) => label === command.on);
      const mayEnd = resource?.task
        ? !isTerminal(resource.task.status as TaskStatus)
        : resource?.kind === 'request';
      const task_id = service.get(`${resource?.label}.task_id`);
      if (!resource || !mayEnd || task_id === undefined || command.operation === 'getTask') continue;
      const path = { task_id: String(task_id) };
      const status = readStatus(await this.#client.send('getTask', { path, key: resource.key }));
      if (status === 'done' || status === 'failed') return true;
    }
    return false;
  }

  async #send(step: SequenceStep): Promise<SentStep> {
    const { clock } = this.context.target;
    if (isWait(step)) {
      const ms = Math.min(step.wait_ms, this.context.longestWaitMs);
      await clock.sleep(ms, this.context.signal);
      return ms;
    }
    const { service, model } = this.#comparison;
    const sending = listCommands(step).flatMap((command) => {
      const request = model.resolve(command) && service.resolve(command);
      return request ? [this.#sendCommand(command, request)] : [];
    });
    const settled = await Promise.allSettled(sending);
    const failed = settled.find((each) => each.status === 'rejected');
    if (failed) throw failed.reason;
    return settled.map((each) => (each as PromiseFulfilledResult<SentCommand>).value);
  }

  async #sendCommand(command: Command, given: ApiRequest): Promise<SentCommand> {
    const { operation } = command;
    const request = this.#amend(operation, given);
    const client = this.#mustBeAccepted(command) ? this.#amendingClient : this.#client;
    const response = await client.send(operation, request);
    const polled = response.ok ? undefined : await this.#pollTask(command);
    return { command, request: response.amended ?? request, response, later: [], ...(polled && { polled }) };
  }

  #amend(operation: OperationId, request: ApiRequest): ApiRequest {
    return this.context.target.needs?.amend(operation, request) ?? request;
  }

  /**
   * A client adapts a refused request only if the description accepts it and its task, if any, was active. Profile ids may be in
   * use by earlier requests, so only the plain `createProfile` qualifies. An event qualifies also if its acceptance is open: no change
   * touches what is open in it.
   */
  #mustBeAccepted({ operation, condition, invalid, astray, open, on }: Command): boolean {
    if (invalid || astray || (open && operation !== 'sendTaskEvent')) return false;
    if (operation === 'createProfile' && condition !== 'plain') return false;
    if (on === undefined) return true;
    const resource = this.#comparison.resources.find(({ label }) => label === on);
    return resource?.task !== undefined && resource.state !== 'gone' && isActive(resource.task.status);
  }

  /** The service accepts what its model refuses, such as a late reply: the rules see in polls whether it has a forbidden effect. */
  async #pollDiverged(entry: readonly SentCommand[]): Promise<void> {
    for (const { command, response } of entry) {
      const task = this.#comparison.resources.find(
        ({ label, kind }) => label === command.on && kind === 'task',
      );
      if (!task || !response.ok || command.astray || command.operation === 'getTask') continue;
      const task_id = String(this.#comparison.service.get(`${task.label}.task_id`));
      await this.context.target.clock.sleep(REREAD_MS, this.context.signal);
      await this.#client.send('getTask', { path: { task_id }, key: task.key });
    }
  }

  /** A refusal may be caused by what the agent did since the last poll. */
  async #pollTask({ operation, on, astray, invalid }: Command) {
    const resource = this.#comparison.resources.find(({ label }) => label === on);
    const isActive =
      resource?.task && resource.state !== 'gone' && !isTerminal(resource.task.status as TaskStatus);
    if (!isActive || astray || invalid || operation === 'getTask') return undefined;
    const task_id = String(this.#comparison.service.get(`${resource.label}.task_id`));
    return this.#client.send('getTask', { path: { task_id }, key: resource.key });
  }

  /**
   * Concurrent requests are correct if some order of them explains every response, including later ones. Compares everything sent
   * so far again in every other order.
   */
  async #explain(outcome: StepOutcome): Promise<StepOutcome> {
    let tries = 0;
    this.#isOrderOpen ||= outcome.isDiverged === true;
    for (const orders of listOtherOrders(this.#entries)) {
      if (++tries > MOST_ORDERS || tries * this.#entries.length > MOST_REPLAYED) break;
      const comparison = this.#createComparison();
      let other: StepOutcome = {};
      for (const [index, entry] of this.#entries.entries()) {
        other = await comparison.recordStep(entry, orders[index]);
        if (!isMatch(other)) break;
      }
      if (!isMatch(other)) {
        this.#isOrderOpen ||= other.isDiverged === true;
        comparison.close();
        continue;
      }
      this.#comparison.close();
      this.#comparison = comparison;
      return other;
    }
    return this.#isOrderOpen ? { isDiverged: true } : outcome;
  }

  #createComparison(): ModelComparison {
    const { model, matchCounts, isNewestFirst, target, signal } = this.context;
    return new ModelComparison({
      model,
      matchCounts,
      isNewestFirst,
      markerPrefix: this.markerPrefix,
      now: this.#began,
      amend: (operation, request) => this.#amend(operation, request),
      readAgain: async (sent) => {
        if (sent.later.length >= MOST_REREADS || signal?.aborted) return undefined;
        await target.clock.sleep(REREAD_MS * 2 ** sent.later.length, signal);
        const request = this.#comparison.service.resolve(sent.command);
        const response = await this.#client.send(sent.command.operation, request);
        sent.later.push(response);
        return response;
      },
    });
  }

  #findRuleFinding(): SequenceFinding | undefined {
    const found = this.#stream.judge.findings().find(({ level }) => level === 'must');
    if (!found) return undefined;
    const [requirement] = this.context.rules.find(({ id }) => id === found.rule)!.requirements;
    return { requirement: requirement!, rule: found.rule, message: found.message, evidence: found.evidence };
  }

  #recordKeptRules(kept: Map<RequirementId, number[]>): void {
    for (const [id, seqs] of this.#stream.judge.collectKeptRules())
      for (const requirement of this.context.rules.find((rule) => rule.id === id)!.requirements)
        kept.set(requirement, [...(kept.get(requirement) ?? []), ...seqs]);
  }
}

function isMatch({ finding, isDiverged }: StepOutcome): boolean {
  return !finding && !isDiverged;
}
