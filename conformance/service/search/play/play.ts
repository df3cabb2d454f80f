import type { RequirementId } from '../../../../spec/generated/documents.js';
import type { OperationId } from '../../../../spec/generated/operations.js';
import { type Exchange, isActive, isTerminal, type TaskStatus } from '../../../../spec/vocabulary.js';
import type { Rule } from '../../../rules/rule.js';
import { HttpClient } from '../../http-client/http-client.js';
import { ExchangeRecorder, Stream } from '../../http-client/recorder.js';
import { type ApiRequest, NoResponse } from '../../http-client/response.js';
import type { Target } from '../../http-client/target.js';
import { statusOf } from '../../test-case/read-task.js';
import type { Agreements, Difference } from '../judge/compare.js';
import { type Entry, type Finding, Judgement, type Outcome, type Sent } from '../judge/judgement.js';
import type { Model } from '../judge/model.js';
import type { Name } from '../sequence/names.js';
import { type Command, commandsOf, isWait, type Sequence, type Step, stepOf } from '../sequence/sequence.js';
import { removalOf, type Thing } from '../sequence/things.js';

export interface Played {
  /** The steps that were sent. */
  steps: Step[];
  finding: Finding | undefined;
  /** Differences that no stated requirement decides. */
  observations: Difference[];
  exchanges: Exchange[];
  /** `seq` of the exchanges that show a requirement to be kept. */
  kept: Map<RequirementId, number[]>;
  /** A request that the service did not respond to. */
  silence?: NoResponse;
  left: string[];
  /** What the service calls the things of the sequence. */
  names: ReadonlyMap<string, Name>;
}

export interface Stage {
  target: Target;
  model: Model;
  rules: readonly Rule[];
  agreements: Agreements;
  /** Longest wait, ms. */
  longestWaitMs: number;
  isNewestFirst: boolean;
  signal?: AbortSignal | undefined;
}

/** Gives the next step, from what there is now; undefined at the end. */
export type NextStep = (things: readonly Thing[], last: Step | undefined) => Step | undefined;

/** How often a status that is late is read again, and the first pause, ms: a task may take a moment to stop. */
const LOOKS = 4;
const LOOK_MS = 250;
/** Orders of requests that were sent at once which are tried in all. */
const MOST_ORDERS = 72;

/** The steps of a sequence that is known. */
export function stepsOf(sequence: Sequence): NextStep {
  const steps = sequence.values();
  return () => steps.next().value;
}

/** Sends a sequence to the service and to its model, until they differ. `word`: begins the texts that nothing else has. */
export function play(stage: Stage, word: string, next: NextStep): Promise<Played> {
  return new Performance(stage, word).run(next);
}

class Performance {
  readonly #recorder = new ExchangeRecorder();
  readonly #stream: Stream;
  /** Many requests are refused, as the model expects: a refusal is met by no other request. */
  readonly #client: HttpClient;
  /** For requests that have to be accepted: what they need is learned. */
  readonly #learner: HttpClient;
  readonly #began: number;
  readonly #entries: Entry[] = [];
  #judgement: Judgement;

  constructor(
    private readonly stage: Stage,
    private readonly word: string,
  ) {
    this.#stream = new Stream(this.#recorder, stage.rules);
    const { target, signal } = stage;
    this.#client = new HttpClient({ ...target, needs: undefined }, this.#stream, { signal });
    this.#learner = new HttpClient(target, this.#stream, { signal });
    this.#began = target.clock.now();
    this.#judgement = this.#judge();
  }

  async run(next: NextStep): Promise<Played> {
    const steps: Step[] = [];
    const { signal, agreements } = this.stage;
    let finding: Finding | undefined;
    let silence: NoResponse | undefined;
    try {
      for (let step = next(this.#judgement.things, undefined); step && !signal?.aborted; ) {
        steps.push(step);
        const entry = await this.#send(step);
        // What names something that is not there was not sent.
        if (typeof entry !== 'number') steps.splice(-1, 1, ...stepOf(entry.map(({ command }) => command)));
        const outcome = await this.#take(entry);
        finding = outcome.finding;
        if (finding || outcome.isDiverged) break;
        step = next(this.#judgement.things, step);
      }
    } catch (error) {
      if (error instanceof NoResponse) silence = error;
      else if (!signal?.aborted) throw error;
    }
    const { kept, agreed, observations } = this.#judgement;
    for (const key of agreed) agreements.add(key);
    finding ??= this.#findingOfRules();
    this.#keepByRules(kept);
    this.#stream.close(new Set(finding?.evidence));
    const { left, error } = await this.#cleanUp();
    silence ??= error;
    this.#judgement.close();
    const { exchanges } = this.#recorder;
    return {
      steps,
      finding,
      observations,
      exchanges,
      kept,
      ...(silence && { silence }),
      left,
      names: this.#judgement.service.all,
    };
  }

  async #take(entry: Entry): Promise<Outcome> {
    this.#entries.push(entry);
    const outcome = await this.#judgement.take(entry);
    if (isRight(outcome)) return outcome;
    const explained = await this.#explain(outcome);
    const isStatus = explained.finding?.difference?.about === 'status';
    return isStatus && (await this.#hasEndedUnseen(entry)) ? { isDiverged: true } : explained;
  }

  /**
   * Whether a task that these requests are about, or that of the chat whose approvals they set, came to its end by itself, after
   * the last poll: they met another state then.
   */
  async #hasEndedUnseen(entry: Entry): Promise<boolean> {
    const { things, service } = this.#judgement;
    for (const { command } of typeof entry === 'number' ? [] : entry) {
      const thing = things.find(({ label }) => label === command.on);
      const mayEnd = thing?.task ? !isTerminal(thing.task.status as TaskStatus) : thing?.kind === 'request';
      const task_id = service.get(`${thing?.label}.task_id`);
      if (!thing || !mayEnd || task_id === undefined || command.operation === 'getTask') continue;
      const path = { task_id: String(task_id) };
      const status = statusOf(await this.#client.send('getTask', { path, key: thing.key }));
      if (status === 'done' || status === 'failed') return true;
    }
    return false;
  }

  async #send(step: Step): Promise<Entry> {
    const { clock } = this.stage.target;
    if (isWait(step)) {
      const ms = Math.min(step.wait_ms, this.stage.longestWaitMs);
      await clock.sleep(ms, this.stage.signal);
      return ms;
    }
    const { service, model } = this.#judgement;
    const sending = commandsOf(step).flatMap((command) => {
      const request = model.resolve(command) && service.resolve(command);
      return request ? [this.#sendOne(command, request)] : [];
    });
    const settled = await Promise.allSettled(sending);
    const failed = settled.find((each) => each.status === 'rejected');
    if (failed) throw failed.reason;
    return settled.map((each) => (each as PromiseFulfilledResult<Sent>).value);
  }

  async #sendOne(command: Command, given: ApiRequest): Promise<Sent> {
    const { operation } = command;
    const request = this.#amend(operation, given);
    const client = this.#hasToBeAccepted(command) ? this.#learner : this.#client;
    const response = await client.send(operation, request);
    const polled = response.ok ? undefined : await this.#pollTaskOf(command);
    return { command, request: response.amended ?? request, response, later: [], ...(polled && { polled }) };
  }

  #amend(operation: OperationId, request: ApiRequest): ApiRequest {
    return this.stage.target.needs?.amend(operation, request) ?? request;
  }

  /**
   * The description has it accepted, and the task that it is about, if any, was active. The id of a profile is taken or free by what
   * was sent before: a refusal may be for that unless nothing is special about it.
   */
  #hasToBeAccepted({ operation, condition, invalid, astray, open, on }: Command): boolean {
    if (invalid || astray || open || (operation === 'createProfile' && condition !== 'plain')) return false;
    if (on === undefined) return true;
    const thing = this.#judgement.things.find(({ label }) => label === on);
    return thing?.task !== undefined && thing.state !== 'gone' && isActive(thing.task.status);
  }

  /** A refusal may be due to what the agent has done since the last poll. */
  async #pollTaskOf({ operation, on, astray, invalid }: Command) {
    const thing = this.#judgement.things.find(({ label }) => label === on);
    const isActive = thing?.task && thing.state !== 'gone' && !isTerminal(thing.task.status as TaskStatus);
    if (!isActive || astray || invalid || operation === 'getTask') return undefined;
    const task_id = String(this.#judgement.service.get(`${thing.label}.task_id`));
    return this.#client.send('getTask', { path: { task_id }, key: thing.key });
  }

  /**
   * Requests at once are right if some order of them explains every response, also those that came later: what was sent so far is
   * judged again in every other order.
   */
  async #explain(outcome: Outcome): Promise<Outcome> {
    let tries = 0;
    for (const orders of otherOrders(this.#entries)) {
      if (++tries > MOST_ORDERS) break;
      const judgement = this.#judge();
      let other: Outcome = {};
      for (const [index, entry] of this.#entries.entries()) {
        other = await judgement.take(entry, orders[index]);
        if (!isRight(other)) break;
      }
      if (!isRight(other)) {
        judgement.close();
        continue;
      }
      this.#judgement.close();
      this.#judgement = judgement;
      return other;
    }
    return outcome;
  }

  #judge(): Judgement {
    const { model, agreements, isNewestFirst, target, signal } = this.stage;
    return new Judgement({
      model,
      agreements,
      isNewestFirst,
      word: this.word,
      now: this.#began,
      amend: (operation, request) => this.#amend(operation, request),
      readAgain: async (sent) => {
        if (sent.later.length >= LOOKS || signal?.aborted) return undefined;
        await target.clock.sleep(LOOK_MS * 2 ** sent.later.length, signal);
        const request = this.#judgement.service.resolve(sent.command);
        const response = await this.#client.send(sent.command.operation, request);
        sent.later.push(response);
        return response;
      },
    });
  }

  #findingOfRules(): Finding | undefined {
    const found = this.#stream.judge.findings().find(({ level }) => level === 'must');
    if (!found) return undefined;
    const [requirement] = this.stage.rules.find(({ id }) => id === found.rule)!.requirements;
    return { requirement: requirement!, rule: found.rule, message: found.message, evidence: found.evidence };
  }

  #keepByRules(kept: Map<RequirementId, number[]>): void {
    for (const [id, seqs] of this.#stream.judge.kept())
      for (const requirement of this.stage.rules.find((rule) => rule.id === id)!.requirements)
        kept.set(requirement, [...(kept.get(requirement) ?? []), ...seqs]);
  }

  /** Removes what the sequence created; what cannot be removed is named. */
  async #cleanUp(): Promise<{ left: string[]; error?: NoResponse | undefined }> {
    const client = new HttpClient(this.stage.target, new Stream(new ExchangeRecorder()));
    const { things, service } = this.#judgement;
    const left: string[] = [];
    let error: NoResponse | undefined;
    for (const command of things.toReversed().flatMap(removalOf)) {
      const request = service.resolve(command);
      if (!request) continue;
      const response = await client.send(command.operation, request).catch((reason: unknown) => {
        if (reason instanceof NoResponse) error ??= reason;
        return undefined;
      });
      const isGone = response?.ok || [400, 404, 410].includes(response?.status ?? 0);
      if (!isGone)
        left.push(
          `what ${command.operation} should remove (${JSON.stringify({ ...request.path, ...request.query })})`,
        );
    }
    return { left, error };
  }
}

function isRight({ finding, isDiverged }: Outcome): boolean {
  return !finding && !isDiverged;
}

/** Ways to order the requests of each entry but the way they were sent: first those that change one entry, the latest before the others. */
function* otherOrders(entries: readonly Entry[]): Generator<(readonly number[] | undefined)[]> {
  for (let changes = 1; changes <= entries.length; changes++) yield* ordersOf(entries, changes);
}

function* ordersOf(entries: readonly Entry[], changes: number): Generator<(readonly number[] | undefined)[]> {
  const [first, ...rest] = entries;
  if (first === undefined) {
    if (changes === 0) yield [];
    return;
  }
  for (const others of ordersOf(rest, changes)) yield [undefined, ...others];
  if (changes === 0 || typeof first === 'number' || first.length < 2) return;
  const orders = [...permutations([...first.keys()])].slice(1);
  for (const others of ordersOf(rest, changes - 1)) for (const order of orders) yield [order, ...others];
}

function* permutations<T>(items: readonly T[]): Generator<T[]> {
  if (items.length <= 1) {
    yield [...items];
    return;
  }
  for (const [index, item] of items.entries())
    for (const rest of permutations(items.toSpliced(index, 1))) yield [item, ...rest];
}
