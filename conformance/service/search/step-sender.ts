import type { OperationId } from '../../../spec/generated/operations.js';
import { isActive, isTerminal, type TaskStatus } from '../../../spec/vocabulary.js';
import type { ExchangeStream } from '../http-client/exchanges.js';
import { HttpClient } from '../http-client/http-client.js';
import type { ApiRequest, ApiResponse } from '../http-client/response.js';
import type { ServiceTarget } from '../http-client/target.js';
import type { Command } from '../operations/command.js';
import type { Resource } from '../operations/observed.js';
import { createUnknownId } from '../test-case/read-record.js';
import { readStatus } from '../test-case/read-task.js';
import type { ModelComparison, SentCommand, SentStep } from './judge/model-comparison.js';
import { isWait, listCommands, type SequenceStep } from './sequence/sequence.js';

/** Repeated reads of a late status, at most, and the first pause, ms: a task may need a moment to stop. */
const MOST_REREADS = 4;
const REREAD_MS = 250;

interface SendContext {
  target: ServiceTarget;
  /** Longest wait, ms. */
  longestWaitMs: number;
  /** Removals of an id that never existed: whether they succeed. */
  unknownRemovals: Map<OperationId, Promise<boolean>>;
  signal?: AbortSignal | undefined;
}

/** Sends the steps of a sequence to the service, and reads of tasks that show the state in which a request was sent. */
export class StepSender {
  /** Does not adapt requests: the model expects many of them to be refused. */
  readonly #client: HttpClient;
  /** For requests that have to be accepted: learns fields that the service needs. */
  readonly #amendingClient: HttpClient;

  /** `comparison`: the current one, with the resources so far. */
  constructor(
    private readonly context: SendContext,
    stream: ExchangeStream,
    private readonly comparison: () => ModelComparison,
  ) {
    const { target, signal } = context;
    this.#client = new HttpClient({ ...target, needs: undefined }, stream, { signal });
    this.#amendingClient = new HttpClient(target, stream, { signal });
  }

  async sendStep(step: SequenceStep): Promise<SentStep> {
    const { target, longestWaitMs, signal } = this.context;
    if (isWait(step)) {
      const ms = Math.min(step.wait_ms, longestWaitMs);
      await target.clock.sleep(ms, signal);
      return ms;
    }
    const { service, model } = this.comparison();
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
    const request = this.amend(operation, given);
    const client = this.#mustBeAccepted(command) ? this.#amendingClient : this.#client;
    const response = await client.send(operation, request);
    const polled = response.ok ? undefined : await this.#pollTask(command);
    return { command, request: response.amended ?? request, response, later: [], ...(polled && { polled }) };
  }

  amend(operation: OperationId, request: ApiRequest): ApiRequest {
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
    const resource = this.#findResource(on);
    return resource?.task !== undefined && resource.state !== 'gone' && isActive(resource.task.status);
  }

  #findResource(label: string | undefined): Resource | undefined {
    return this.comparison().resources.find((resource) => resource.label === label);
  }

  /** A refusal may be caused by what the agent did since the last poll. */
  async #pollTask({ operation, on, astray, invalid }: Command): Promise<ApiResponse | undefined> {
    const resource = this.#findResource(on);
    const isUnderWay =
      resource?.task && resource.state !== 'gone' && !isTerminal(resource.task.status as TaskStatus);
    if (!isUnderWay || astray || invalid || operation === 'getTask') return undefined;
    return this.#poll(resource);
  }

  #poll({ label, key }: Resource): Promise<ApiResponse> {
    const task_id = String(this.comparison().service.get(`${label}.task_id`));
    return this.#client.send('getTask', { path: { task_id }, key });
  }

  /** The service accepts what its model refuses, such as a late reply: the rules see in polls whether it has a forbidden effect. */
  async pollDiverged(entry: readonly SentCommand[]): Promise<void> {
    for (const { command, response } of entry) {
      const task = this.#findResource(command.on);
      if (task?.kind !== 'task' || !response.ok || command.astray || command.operation === 'getTask')
        continue;
      await this.context.target.clock.sleep(REREAD_MS, this.context.signal);
      await this.#poll(task);
    }
  }

  /**
   * Whether a task of these requests (or of the chat of an approval) ended by itself after the last poll, or is still active after
   * it was stopped. The requests were then sent in another state.
   */
  async hasEndedUnseen(entry: SentStep): Promise<boolean> {
    for (const { command } of typeof entry === 'number' ? [] : entry) {
      const resource = this.#findResource(command.on);
      const isStopped = resource?.task?.status === 'cancelled';
      const mayEnd = resource?.task
        ? isStopped || !isTerminal(resource.task.status as TaskStatus)
        : resource?.kind === 'request';
      const isKnown = this.comparison().service.get(`${resource?.label}.task_id`) !== undefined;
      if (!resource || !mayEnd || !isKnown || command.operation === 'getTask') continue;
      const status = readStatus(await this.#poll(resource));
      if (isStopped ? isActive(String(status)) : status === 'done' || status === 'failed') return true;
    }
    return false;
  }

  /** Whether the service confirms the same removal of an id that never existed. */
  removesUnknown(command: Command): Promise<boolean> {
    const { unknownRemovals } = this.context;
    const known = unknownRemovals.get(command.operation) ?? this.#removeUnknown(command);
    unknownRemovals.set(command.operation, known);
    return known;
  }

  async #removeUnknown(command: Command): Promise<boolean> {
    const { path = {} } = this.comparison().service.resolve(command) ?? {};
    const ids = Object.entries(path).map(([name, id]) => [name, createUnknownId(id)]);
    // An unknown task is refused, as stated. Other resources without a path are named by their workspace, too.
    if (ids.length === 0 || 'task_id' in path) return false;
    return (await this.#client.send(command.operation, { path: Object.fromEntries(ids) })).ok;
  }

  /** Repeats a read for a task that may need a moment; undefined after the last attempt. */
  async readAgain(sent: SentCommand): Promise<ApiResponse | undefined> {
    const { target, signal } = this.context;
    if (sent.later.length >= MOST_REREADS || signal?.aborted) return undefined;
    await target.clock.sleep(REREAD_MS * 2 ** sent.later.length, signal);
    const request = this.comparison().service.resolve(sent.command);
    const response = await this.#client.send(sent.command.operation, request);
    sent.later.push(response);
    return response;
  }
}
