import type { RequirementId } from '../../../spec/generated/documents.js';
import type { OperationId } from '../../../spec/generated/operations.js';
import type { Exchange } from '../../../spec/vocabulary.js';
import type { Rule } from '../../rules/rule.js';
import { ExchangeRecorder, ExchangeStream } from '../http-client/exchanges.js';
import { NoResponse } from '../http-client/response.js';
import type { ServiceTarget } from '../http-client/target.js';
import type { Name } from '../operations/command.js';
import type { Resource } from '../operations/observed.js';
import type { MatchCounts, ResponseDifference } from './judge/compare.js';
import type { Model } from './judge/model.js';
import {
  ModelComparison,
  type SentStep,
  type SequenceFinding,
  type StepOutcome,
} from './judge/model-comparison.js';
import { removeResources } from './remove-resources.js';
import { listOtherOrders } from './request-orders.js';
import { createSteps, type Sequence, type SequenceStep } from './sequence/sequence.js';
import { StepSender } from './step-sender.js';

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
  /** The sequence ended because a limit of the account refused this operation. */
  limited?: OperationId | undefined;
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
  /** Removals of an id that never existed: whether they succeed. */
  unknownRemovals: Map<OperationId, Promise<boolean>>;
  /** Ids of the workspaces of all sequences so far. */
  workspaces: Set<Name>;
  signal?: AbortSignal | undefined;
}

/** Returns the next step for the current resources; undefined at the end. */
export type StepSource = (
  resources: readonly Resource[],
  last: SequenceStep | undefined,
) => SequenceStep | undefined;

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
  readonly #sender: StepSender;
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
    this.#sender = new StepSender(context, this.#stream, () => this.#comparison);
    this.#began = context.target.clock.now();
    this.#comparison = this.#createComparison();
  }

  async run(next: StepSource): Promise<SequenceRun> {
    const steps: SequenceStep[] = [];
    const { signal, matchCounts } = this.context;
    let finding: SequenceFinding | undefined;
    let noResponse: NoResponse | undefined;
    let limited: OperationId | undefined;
    try {
      for (let step = next(this.#comparison.resources, undefined); step && !signal?.aborted; ) {
        steps.push(step);
        const entry = await this.#sender.sendStep(step);
        // Commands with unresolved names were not sent.
        if (typeof entry !== 'number')
          steps.splice(-1, 1, ...createSteps(entry.map(({ command }) => command)));
        const outcome = await this.#recordStep(entry);
        ({ finding, limited } = outcome);
        if (outcome.isDiverged && typeof entry !== 'number') await this.#sender.pollDiverged(entry);
        if (finding || outcome.isDiverged) break;
        step = next(this.#comparison.resources, step);
      }
    } catch (error) {
      if (error instanceof NoResponse) noResponse = error;
      else if (!signal?.aborted) throw error;
    }
    const { kept, matches, observations } = this.#comparison;
    for (const key of matches) matchCounts.add(key);
    this.#comparison.addWorkspaces(this.context.workspaces);
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
      limited,
      left,
      names: this.#comparison.service.all,
    };
  }

  async #recordStep(entry: SentStep): Promise<StepOutcome> {
    this.#entries.push(entry);
    const outcome = await this.#comparison.recordStep(entry);
    if (isMatch(outcome) || outcome.limited) return outcome;
    const explained = await this.#explain(outcome);
    const isStatus = explained.finding?.difference?.about === 'status';
    return isStatus && (await this.#sender.hasEndedUnseen(entry)) ? { isDiverged: true } : explained;
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
    const { model, matchCounts, isNewestFirst, workspaces } = this.context;
    return new ModelComparison({
      model,
      earlierWorkspaces: workspaces,
      matchCounts,
      isNewestFirst,
      markerPrefix: this.markerPrefix,
      now: this.#began,
      amend: (operation, request) => this.#sender.amend(operation, request),
      removesUnknown: (command) => this.#sender.removesUnknown(command),
      readAgain: (sent) => this.#sender.readAgain(sent),
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
