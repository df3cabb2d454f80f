import type { Random } from '../../../mock/generate/random.js';
import type { DialectChoices, RequirementId } from '../../../spec/generated/documents.js';
import type { OperationId } from '../../../spec/generated/operations.js';
import type { Severity } from '../../../spec/requirement-types.js';
import { ACTIONS, isActive, type TaskEvent } from '../../../spec/vocabulary.js';
import { EVENT_ID_ENDS } from '../../common/interesting-values.js';
import { toFields } from '../../conversation/json.js';
import type { HttpClient } from '../http-client/http-client.js';
import { type ApiRequest, type ApiResponse, summarize } from '../http-client/response.js';
import type { ServiceTarget } from '../http-client/target.js';
import type { Cleanup } from '../runner/cleanup.js';
import type { Verdicts } from '../runner/verdicts.js';
import { isActionResult, MOST_EVENTS, readStatus, readTaskId, TaskHandle } from './read-task.js';
import type { KeyName, Settings } from './test-case.js';
import { type Purpose, TEXTS, TOOLS } from './texts.js';
import { WaitLimit } from './wait-limit.js';

/** Thrown to end a case early. */
export class CaseEndError extends Error {
  constructor(
    readonly kind: 'inconclusive' | 'skipped',
    why: string,
  ) {
    super(why);
  }
}

/** The dependencies of one run of a case. */
export interface CaseRun {
  target: ServiceTarget;
  client: HttpClient;
  verdicts: Verdicts;
  cleanup: Pick<Cleanup, 'add'>;
  settings: Settings;
  unique: () => string;
  random: Random;
  observe: (point: string, choice: string | number) => void;
  /** Ends sleeps early. */
  interruption: { readonly signal?: AbortSignal | undefined };
}

interface EventOptions extends Pick<ApiRequest, 'mayBeRefused'> {
  /** How far the clock of the client is ahead, ms. */
  aheadMs?: number;
  /** The id of an action, in place of a new one. */
  id?: string;
}

type Requirements = RequirementId | readonly RequirementId[];

/** Minimum number of polls in a wait that is cut short (a long poll may take a while), within the longest wait. */
const LEAST_POLLS = 4;

/** Requirements that a 429 can be evidence for. */
const ABOUT_LIMITS = /^(ERROR-0[56]|LIMIT-)/;
/** Maximum number of consecutive polls without a status. */
const MOST_WITHOUT_STATUS = 5;
/** The pause between polls grows by this factor, up to a multiple of the interval. */
const GROWTH = 1.5;
const LONGEST_PAUSE = 4;

/** Actions of a case on the target: send requests, act as the client of tasks, report evidence. */
export class TestContext {
  readonly settings: Settings;

  constructor(private readonly run: CaseRun) {
    this.settings = run.settings;
  }

  get target(): ServiceTarget {
    return this.run.target;
  }

  /** Sends one request. Retries temporary refusals, unless it `takes` their status. Throws NoResponse. */
  send(operation: OperationId, request?: ApiRequest): Promise<ApiResponse> {
    return this.run.client.send(operation, this.#replaceSession(operation, request));
  }

  /** On a target without sessions, most cases can use a long task instead. */
  #replaceSession(operation: OperationId, request?: ApiRequest): ApiRequest | undefined {
    const fields = operation === 'createTask' ? toFields(request?.body) : undefined;
    if (fields?.task !== null || request?.mayBeRefused || !this.target.lacks?.has('sessions')) return request;
    return { ...request, body: { ...fields, task: this.text('long') } };
  }

  /** Adds fields that the target needs in a request, for a caller that changes the request and sends it with `mayBeRefused`. */
  amend<Sending extends ApiRequest>(operation: OperationId, request: Sending): Sending {
    return this.target.needs?.amend(operation, request) ?? request;
  }

  /** Records evidence: the requirements are met if `holds`, else broken with `message` (expected and actual). Returns `holds`. */
  expect(about: Requirements, holds: boolean, message: string, ...shown: ApiResponse[]): boolean {
    if (!holds) this.fail(about, message, ...shown);
    else
      for (const requirement of [about].flat()) this.run.verdicts.addEvidence(requirement, listSeqs(shown));
    return holds;
  }

  /**
   * The same for an effect that has to follow an event sent to the task. After a server error for such an event, the error is the
   * failure, and the missing effect shows nothing.
   */
  expectInTime(
    task: TaskHandle,
    about: Requirements,
    holds: boolean,
    message: string,
    ...shown: ApiResponse[]
  ): boolean {
    const { serverError } = task;
    if (holds || !serverError) return this.expect(about, holds, message, ...shown);
    return this.inconclusive(
      `the response to an event of the task was ${summarize(serverError)} in exchange ${serverError.seq} before this: ${message}`,
    );
  }

  fail(about: Requirements, message: string, ...shown: ApiResponse[]): void {
    for (const requirement of [about].flat()) this.#addFinding(requirement, message, shown);
  }

  /** The same for data of another organisation: the last of `shown` is a leak if it succeeded. */
  expectHidden(about: RequirementId, holds: boolean, message: string, ...shown: ApiResponse[]): boolean {
    if (holds) return this.expect(about, true, message, ...shown);
    this.#addFinding(about, message, shown, shown.at(-1)?.ok ? 'leak' : undefined);
    return false;
  }

  #addFinding(
    requirement: RequirementId,
    message: string,
    shown: readonly ApiResponse[],
    severity?: Severity,
  ): void {
    // A rate-limited request is evidence only for limits.
    if (shown.some(({ status }) => status === 429) && !ABOUT_LIMITS.test(requirement))
      this.inconclusive(`a limit was reached and lasted: ${message}`);
    this.run.verdicts.addFinding(requirement, message, listSeqs(shown), { severity });
  }

  /** Ends the case because the required situation never occurred: undecided requirements are inconclusive. */
  inconclusive(why: string): never {
    throw new CaseEndError('inconclusive', why);
  }

  /** Ends the case because the target lacks the feature: undecided requirements are skipped. */
  skip(why: string): never {
    throw new CaseEndError('skipped', why);
  }

  /** Records the target's choice at an open point; does nothing if no choice was observed. */
  observe<Point extends keyof DialectChoices>(point: Point, choice: DialectChoices[Point] | undefined): void {
    if (choice !== undefined) this.run.observe(point, choice);
  }

  /**
   * Registers an undo step for the end of the case, in reverse order. A step that fails or is interrupted runs at the end of the
   * run.
   */
  cleanup(what: string, undo: () => Promise<unknown>): void {
    this.run.cleanup.add(what, undo);
  }

  /** The same context with another `cleanup`. */
  withCleanup(add: TestContext['cleanup']): TestContext {
    return new TestContext({ ...this.run, cleanup: { add } });
  }

  get isInterrupted(): boolean {
    return this.run.interruption.signal?.aborted === true;
  }

  /** The configured task text, or the default. */
  text(purpose: Purpose): string {
    return this.settings.texts[purpose] ?? TEXTS[purpose];
  }

  /** The configured tool of that name, or the default. */
  tool(name: keyof typeof TOOLS): Readonly<Record<string, unknown>> {
    return this.settings.tools?.find((tool) => tool.name === name) ?? { ...TOOLS[name] };
  }

  /** A text that no other run has used, for names and ids: `td-1a2b3c-1`. */
  unique(): string {
    return this.run.unique();
  }

  /** One of the values, by the seed of the run. */
  pick<T>(values: readonly T[]): T {
    return this.run.random.pick(values);
  }

  has(key: KeyName): boolean {
    return this.run.target.keys[key] !== undefined;
  }

  /** ms. */
  now(): number {
    return this.run.target.clock.now();
  }

  async sleep(ms: number): Promise<void> {
    const { signal } = this.run.interruption;
    await this.run.target.clock.sleep(ms, signal);
    signal?.throwIfAborted();
  }

  /** Waits for a pending operation, at most `ms`. */
  async until(pending: Promise<unknown>, ms: number): Promise<void> {
    const stop = new AbortController();
    const over = this.run.target.clock.sleep(ms, stop.signal);
    await Promise.race([pending, over]).finally(() => stop.abort());
  }

  /** POST /task. Ends the case as inconclusive if the response has no id: a rule reports that. */
  async createTask(body: Readonly<Record<string, unknown>>): Promise<TaskHandle> {
    const created = await this.send('createTask', { body });
    const id = readTaskId(created);
    if (id === undefined) this.inconclusive(`POST /task returned no task: ${summarize(created)}`);
    return this.adoptTask(created, id);
  }

  /** Takes over a task that was created elsewhere. Like all tasks it is cancelled when the case ends. */
  adoptTask(created: ApiResponse, id: string, key: KeyName = 'main'): TaskHandle {
    const task = new TaskHandle(id, key, created);
    this.cleanup(`task ${id}`, () => this.#stop(task));
    return task;
  }

  /** Sends one poll with the current `event_t` (or the given one), and adds its events to the task. */
  async poll(task: TaskHandle, event_t = task.event_t): Promise<ApiResponse> {
    const path = { task_id: task.id };
    const response = await this.send('getTask', { path, query: { event_t }, key: task.key });
    if (!task.update(response)) this.inconclusive(`the task ${task.id} has more than ${MOST_EVENTS} events`);
    return response;
  }

  /** Polls with back-off until `until` is true; false if the time is up (`timeoutMs`) or the task ends first. */
  async pollUntil(
    task: TaskHandle,
    until: (task: TaskHandle) => boolean,
    timeoutMs?: number,
  ): Promise<boolean> {
    if (until(task)) return true;
    const limit = WaitLimit.forRun(this.settings);
    const began = this.now();
    const longest = began + (timeoutMs ?? this.settings.timeoutMs);
    const deadline = timeoutMs === undefined ? began + limit.computeLimit(this.settings.timeoutMs) : longest;
    const isMet = await this.#pollUntil(task, until, deadline, longest);
    if (isMet) limit.recordMet(this.now() - began);
    else if (isActive(task.status) && timeoutMs === undefined) limit.recordTimeout();
    return isMet;
  }

  async #pollUntil(
    task: TaskHandle,
    until: (task: TaskHandle) => boolean,
    deadline: number,
    longest: number,
  ): Promise<boolean> {
    const { pollIntervalMs } = this.settings;
    let pause = pollIntervalMs;
    for (let withoutStatus = 0, polls = 1; isActive(task.status); polls++) {
      const { status, events } = task;
      const known = events.length;
      const response = await this.poll(task);
      if (until(task)) return true;
      withoutStatus = readStatus(response) === undefined ? withoutStatus + 1 : 0;
      const left = (polls < LEAST_POLLS ? longest : deadline) - this.now();
      if (left <= 0 || withoutStatus >= MOST_WITHOUT_STATUS || !isActive(task.status)) return false;
      if (task.status !== status || task.events.length > known) pause = pollIntervalMs;
      await this.sleep(Math.min(pause, left));
      pause = Math.min(pause * GROWTH, pollIntervalMs * LONGEST_PAUSE);
    }
    return false;
  }

  /** Polls until the task is terminal; false if the time is up. */
  pollUntilEnd(task: TaskHandle, timeoutMs?: number): Promise<boolean> {
    return this.pollUntil(task, ({ status }) => !isActive(status), timeoutMs);
  }

  /** The next tool call that was not returned yet; undefined if `until` holds, the task ends or the time is up first. */
  async nextToolCall(task: TaskHandle, until: () => boolean = () => false): Promise<TaskEvent | undefined> {
    await this.pollUntil(task, () => task.nextCall !== undefined || until());
    return isActive(task.status) ? task.takeCall() : undefined;
  }

  reply(
    task: TaskHandle,
    call: string,
    code: number,
    output: unknown,
    options?: Omit<EventOptions, 'id'>,
  ): Promise<ApiResponse> {
    return this.#sendEvent(task, { name: 'tool_call', id: call, payload: { code, output } }, options);
  }

  /** Sends an action to a session with a unique id. */
  async act(
    task: TaskHandle,
    name: string,
    input?: Record<string, unknown>,
    { id = this.unique() + this.pick(EVENT_ID_ENDS), ...options }: EventOptions = {},
  ): Promise<{ id: string; response: ApiResponse }> {
    const event = Object.hasOwn(ACTIONS, name) ? ACTIONS[name as keyof typeof ACTIONS] : 'browser_action';
    const payload = input === undefined ? { name } : { name, input };
    return { id, response: await this.#sendEvent(task, { name: event, id, payload }, options) };
  }

  async awaitResult(task: TaskHandle, action: string): Promise<TaskEvent | undefined> {
    const findResult = () => task.events.find((event) => isActionResult(event, action));
    await this.pollUntil(task, () => findResult() !== undefined);
    return findResult();
  }

  async cancel(task: TaskHandle): Promise<ApiResponse> {
    const response = await this.send('deleteTask', { path: { task_id: task.id }, key: task.key });
    if (response.ok) task.isCancelled = true;
    return response;
  }

  async #stop(task: TaskHandle): Promise<void> {
    if (task.isCancelled || !isActive(task.status)) return;
    const response = await this.cancel(task);
    // 400 and 404: it was over before a poll showed it.
    if (!response.ok && response.status !== 400 && response.status !== 404)
      throw new Error(`the response to DELETE /task/${task.id} was ${summarize(response)}`);
    task.isCancelled = true;
  }

  async #sendEvent(
    task: TaskHandle,
    event: { name: string; id: string; payload: unknown },
    { aheadMs = 0, ...may }: Omit<EventOptions, 'id'> = {},
  ): Promise<ApiResponse> {
    // A service may order the events of a task only by timestamp.
    task.sent_t = Math.max(Math.floor(this.now()), task.sent_t + 1);
    const body = { ...event, timestamp: task.sent_t + aheadMs };
    const response = await this.send('sendTaskEvent', {
      path: { task_id: task.id },
      body,
      key: task.key,
      ...may,
    });
    // If a refusal is allowed, the response alone is no finding.
    if (response.status >= 500 && !may.mayBeRefused) task.serverError ??= response;
    return response;
  }
}

function listSeqs(responses: readonly ApiResponse[]): number[] {
  return responses.map(({ seq }) => seq);
}
