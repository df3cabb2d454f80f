import type { DialectChoices, RequirementId } from '../../../spec/generated/documents.js';
import type { OperationId } from '../../../spec/generated/operations.js';
import type { Severity } from '../../../spec/requirement-types.js';
import { ACTIONS, isActive, type TaskEvent } from '../../../spec/vocabulary.js';
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

/** Thrown to end a case before its end. */
export class CaseEndError extends Error {
  constructor(
    readonly kind: 'inconclusive' | 'skipped',
    why: string,
  ) {
    super(why);
  }
}

/** What the runner gives to one run of a case. */
export interface CaseRun {
  target: ServiceTarget;
  client: HttpClient;
  verdicts: Verdicts;
  cleanup: Pick<Cleanup, 'add'>;
  settings: Settings;
  unique: () => string;
  observe: (point: string, choice: string | number) => void;
  /** Ends sleeps early. */
  interruption: { readonly signal?: AbortSignal | undefined };
}

interface EventOptions extends Pick<ApiRequest, 'mayBeRefused'> {
  /** How far the clock of the client is ahead, ms. */
  aheadMs?: number;
}

type Requirements = RequirementId | readonly RequirementId[];

/** A service may hold each poll that has no news: so many belong to a wait that is cut short, within the longest one. */
const LEAST_POLLS = 4;

/** Requirements that a 429 says something about. */
const ABOUT_LIMITS = /^(ERROR-0[56]|LIMIT-)/;
/** Polls in a row without a status until waiting is given up. */
const MOST_WITHOUT_STATUS = 5;
/** The pause between polls grows by this factor, up to so many times the interval. */
const GROWTH = 1.5;
const LONGEST_PAUSE = 4;

/** What a case does with the target: send requests, play the client's side of tasks, report what they show. */
export class TestContext {
  readonly settings: Settings;

  constructor(private readonly run: CaseRun) {
    this.settings = run.settings;
  }

  get target(): ServiceTarget {
    return this.run.target;
  }

  /** Sends one request. Waits out refusals that pass, unless it `takes` them. Throws NoResponse. */
  send(operation: OperationId, request?: ApiRequest): Promise<ApiResponse> {
    return this.run.client.send(operation, this.#replaceSession(operation, request));
  }

  /** Where there are no sessions, a task that lasts takes the place of one: most cases need nothing more of it. */
  #replaceSession(operation: OperationId, request?: ApiRequest): ApiRequest | undefined {
    const fields = operation === 'createTask' ? toFields(request?.body) : undefined;
    if (fields?.task !== null || request?.mayBeRefused || !this.target.lacks?.has('sessions')) return request;
    return { ...request, body: { ...fields, task: this.text('long') } };
  }

  /** A request with what the target is known to need of one: to be changed then, and sent with `mayBeRefused`. */
  amend<Sending extends ApiRequest>(operation: OperationId, request: Sending): Sending {
    return this.target.needs?.amend(operation, request) ?? request;
  }

  /** Evidence: `holds` shows the requirements kept, or broken with `message` (expected what, got what). Returns `holds`. */
  expect(about: Requirements, holds: boolean, message: string, ...shown: ApiResponse[]): boolean {
    if (!holds) this.fail(about, message, ...shown);
    else
      for (const requirement of [about].flat()) this.run.verdicts.addEvidence(requirement, listSeqs(shown));
    return holds;
  }

  /**
   * The same of what has to come about after an event was sent to the task: where one was answered with a server error before, that
   * is what went wrong. It is a failure of its own, and nothing follows from what did not come.
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
      `an event to the task was answered with ${summarize(serverError)} in exchange ${serverError.seq} before this: ${message}`,
    );
  }

  fail(about: Requirements, message: string, ...shown: ApiResponse[]): void {
    for (const requirement of [about].flat()) this.#addFinding(requirement, message, shown);
  }

  /** The same where the last of `shown`, if it is a success, gave away what belongs to another organisation. */
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
    // A request that met a limit shows nothing else.
    if (shown.some(({ status }) => status === 429) && !ABOUT_LIMITS.test(requirement))
      this.inconclusive(`a limit was met and lasted: ${message}`);
    this.run.verdicts.addFinding(requirement, message, listSeqs(shown), { severity });
  }

  /** Ends the case where the target never gave the occasion: what is undecided is inconclusive. */
  inconclusive(why: string): never {
    throw new CaseEndError('inconclusive', why);
  }

  /** Ends the case where the target says that it does not have this: what is undecided is skipped. */
  skip(why: string): never {
    throw new CaseEndError('skipped', why);
  }

  /** Reports what the target chose where the API leaves it open; nothing for a choice that was not seen. */
  observe<Point extends keyof DialectChoices>(point: Point, choice: DialectChoices[Point] | undefined): void {
    if (choice !== undefined) this.run.observe(point, choice);
  }

  /** To be undone when the case ends, last first; at the end of the run where that fails or is interrupted. */
  cleanup(what: string, undo: () => Promise<unknown>): void {
    this.run.cleanup.add(what, undo);
  }

  /** The same context, whose `cleanup` is this one. */
  withCleanup(add: TestContext['cleanup']): TestContext {
    return new TestContext({ ...this.run, cleanup: { add } });
  }

  get isInterrupted(): boolean {
    return this.run.interruption.signal?.aborted === true;
  }

  /** The task text of the configuration, or else ours. */
  text(purpose: Purpose): string {
    return this.settings.texts[purpose] ?? TEXTS[purpose];
  }

  /** The tool of that name of the configuration, or else ours. */
  tool(name: keyof typeof TOOLS): Readonly<Record<string, unknown>> {
    return this.settings.tools?.find((tool) => tool.name === name) ?? { ...TOOLS[name] };
  }

  /** A text that no other run has used, for names and ids: `td-1a2b3c-1`. */
  unique(): string {
    return this.run.unique();
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

  /** Waits for something under way, so many ms at most. */
  async until(pending: Promise<unknown>, ms: number): Promise<void> {
    const stop = new AbortController();
    const over = this.run.target.clock.sleep(ms, stop.signal);
    await Promise.race([pending, over]).finally(() => stop.abort());
  }

  /** POST /task. Ends the case as inconclusive without an id in the response: a rule says what is wrong with it. */
  async createTask(body: Readonly<Record<string, unknown>>, key: KeyName = 'main'): Promise<TaskHandle> {
    const created = await this.send('createTask', { body, key });
    const id = readTaskId(created);
    if (id === undefined) this.inconclusive(`POST /task gave no task to go on with: ${summarize(created)}`);
    return this.adoptTask(created, id, key);
  }

  /** Takes charge of a task that was created in another way. Like all others it is cancelled when the case ends. */
  adoptTask(created: ApiResponse, id: string, key: KeyName = 'main'): TaskHandle {
    const task = new TaskHandle(id, key, created);
    this.cleanup(`task ${id}`, () => this.#stop(task));
    return task;
  }

  /** One poll with the `event_t` that is due (or the one given). Its events are added to the task. */
  async poll(task: TaskHandle, event_t = task.event_t): Promise<ApiResponse> {
    const path = { task_id: task.id };
    const response = await this.send('getTask', { path, query: { event_t }, key: task.key });
    if (!task.update(response)) this.inconclusive(`the task ${task.id} has more than ${MOST_EVENTS} events`);
    return response;
  }

  /** Polls with back-off until `until` is true; false when the time is up (`timeoutMs`) or the task is over before. */
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

  /** Polls until the task is over; false when the time is up. */
  pollUntilEnd(task: TaskHandle, timeoutMs?: number): Promise<boolean> {
    return this.pollUntil(task, ({ status }) => !isActive(status), timeoutMs);
  }

  /** The next tool call that was not returned yet; undefined when `until` holds, the task ends or the time is up first. */
  async nextToolCall(task: TaskHandle, until: () => boolean = () => false): Promise<TaskEvent | undefined> {
    await this.pollUntil(task, () => task.nextCall !== undefined || until());
    return isActive(task.status) ? task.takeCall() : undefined;
  }

  reply(
    task: TaskHandle,
    call: string,
    code: number,
    output: unknown,
    options?: EventOptions,
  ): Promise<ApiResponse> {
    return this.#sendEvent(task, { name: 'tool_call', id: call, payload: { code, output } }, options);
  }

  /** Sends an action to a session, under an id of its own. */
  async act(
    task: TaskHandle,
    name: string,
    input?: Record<string, unknown>,
    options?: EventOptions,
  ): Promise<{ id: string; response: ApiResponse }> {
    const id = this.unique();
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
      throw new Error(`DELETE /task/${task.id} was answered with ${summarize(response)}`);
    task.isCancelled = true;
  }

  async #sendEvent(
    task: TaskHandle,
    event: { name: string; id: string; payload: unknown },
    { aheadMs = 0, ...may }: EventOptions = {},
  ): Promise<ApiResponse> {
    // A service may take the events of a task in the order of their times alone.
    task.sent_t = Math.max(Math.floor(this.now()), task.sent_t + 1);
    const body = { ...event, timestamp: task.sent_t + aheadMs };
    const response = await this.send('sendTaskEvent', {
      path: { task_id: task.id },
      body,
      key: task.key,
      ...may,
    });
    // One that may be refused is not judged by itself.
    if (response.status >= 500 && !may.mayBeRefused) task.serverError ??= response;
    return response;
  }
}

function listSeqs(responses: readonly ApiResponse[]): number[] {
  return responses.map(({ seq }) => seq);
}
