/** A client in layers, as an SDK: Transport, ApiClient, TaskHandle, SessionHandle with a promise for each action. */

import type { ClientContext, ClientFunction, Job, ResultLine } from '../../../conformance/client/types.js';
import { parseUrl } from '../../../spec/addresses.js';
import { ApiClient, ApiError, type Deferred, defer, pause, Transport } from './layers-transport.js';

export { bugs, races, styles } from './layers-list.js';

type Json = ReturnType<typeof JSON.parse>;
type ToolHandler = (input: Json) => Json;
type ActionResult = { name: string; code: number; output: Json };

const DEFAULT_REQUEST: Json = {};
const isActive = (status: unknown): boolean => status === 'waiting' || status === 'running';

/** Rejects the promises of actions whose task is over before their result. */
class TaskEnded extends Error {}

class TaskHandle {
  status: unknown;
  output: Json = null;
  liveUrl: string | null;
  readonly over: Promise<Json>;
  protected readonly id: string;
  protected readonly waiters = new Map<string, Deferred<ActionResult> & { name: string }>();
  protected readonly closed = new AbortController();
  protected isStopped = false;
  protected polled = defer<void>();
  private readonly ended = new AbortController();
  private readonly pending: Promise<unknown>[] = [];
  private readonly handled = new Set<string>();

  constructor(
    protected readonly api: ApiClient,
    private readonly tools: ReadonlyMap<string, ToolHandler>,
    task: Json,
    protected readonly bug: string,
    signal: AbortSignal,
  ) {
    this.id = task.id;
    this.status = task.status;
    this.liveUrl = task.live_url || null;
    signal.addEventListener('abort', () => this.end(), { once: true });
    this.over = this.watch();
    this.over.catch(() => {});
  }

  /** Stops the task. The polls show whether it was still running. */
  stop(): void {
    if (this.isStopped || this.closed.signal.aborted) return;
    this.isStopped = true;
    if (this.bug === 'stop-drops-results') this.waiters.clear();
    const onConfirmed = () => this.closed.abort();
    this.pending.push(this.api.stopTask(this.id, this.ended.signal).then(onConfirmed, () => {}));
  }

  /** Waits until no request of this handle is under way. */
  async dispose(): Promise<void> {
    this.end();
    await Promise.allSettled([this.over, ...this.pending]);
  }

  async readAddress(name: string): Promise<Json> {
    for (let reads = 0; reads < 38; reads++) {
      const address = (await this.api.readTask(this.id, name === 'downloads_url'))[name];
      if (address != null || this.bug === 'recording-at-once') return address || null;
      await pause(800);
    }
    return null;
  }

  private end(): void {
    this.closed.abort();
    this.ended.abort();
    for (const { reject } of this.waiters.values()) reject(new TaskEnded('The task is over.'));
    this.waiters.clear();
    this.polled.resolve();
  }

  private async watch(): Promise<Json> {
    const { bug } = this;
    const interval = bug === 'interval-1s' ? 1000 : bug === 'interval-5s' ? 5000 : 600;
    try {
      for (let eventT = 0, quiet = 0; ; quiet++) {
        const task = await this.api.getTask(this.id, eventT, this.ended.signal);
        const events: Json[] = task.events ?? [];
        if (events.length > 0) quiet = 0;
        eventT = events.at(-1)?.timestamp ?? eventT;
        this.status = task.status;
        this.output = task.output ?? null;
        this.liveUrl = task.live_url || this.liveUrl;
        for (const event of events) this.handle(event);
        const isOver =
          bug === 'cancelled-polls-on' ? /done|failed/.test(task.status) : !isActive(task.status);
        if (isOver) return { status: this.status, output: this.output };
        this.polled.resolve();
        this.polled = defer<void>();
        const delay = bug === 'quiet-back-off' ? Math.min(interval * 1.4 ** quiet, 6000) : interval;
        await pause(delay, this.ended.signal);
        if (this.ended.signal.aborted) throw new TaskEnded('The wait was given up.');
      }
    } finally {
      this.end();
    }
  }

  private handle(event: Json): void {
    const { bug, handled, waiters } = this;
    const { id, name, payload } = event;
    const hasCode = Object.hasOwn(payload, 'code');
    const waiter = waiters.get(id);
    if (bug === 'odd-code-waits' && hasCode && ![200, 400, 500].includes(payload.code)) return;
    if (waiter && (hasCode || bug === 'echo-is-result')) {
      waiters.delete(id);
      waiter.resolve({ name: waiter.name, code: payload.code, output: payload.output ?? null });
    } else if (name === 'tool_call' && !hasCode && !handled.has(id) && isActive(this.status)) {
      handled.add(id);
      if (!this.closed.signal.aborted) this.pending.push(this.reply(id, payload));
    }
  }

  private async reply(id: string, { name, input }: Json): Promise<void> {
    const { bug, tools } = this;
    const failure = { code: bug === 'unknown-tool-500' ? 500 : 400, output: `No tool is named ${name}.` };
    const outcome = { ...(tools.get(name)?.(input) ?? failure) };
    if (bug === 'output-as-text') outcome.output = JSON.stringify(outcome.output);
    if (bug === 'null-output') outcome.output ??= '';
    const event = { id, name: 'tool_call', payload: outcome, timestamp: Date.now() };
    // Refused: the task is over or has a reply. Either shows in the polls.
    await this.api.sendEvent(this.id, event, this.closed.signal).catch(() => {
      if (bug === 'refused-reply-ends' && !this.closed.signal.aborted) this.end();
    });
  }
}

class SessionHandle extends TaskHandle {
  goto(input: Json): Promise<ActionResult> {
    const url = this.bug === 'normalizes-urls' ? (parseUrl(input.url)?.href ?? input.url) : input.url;
    return this.perform('browser_action', { name: 'goto', input: { ...input, url } });
  }

  extract(input: Json): Promise<ActionResult> {
    return this.perform('browser_action', { name: 'extract', input });
  }

  evaluateJs({ args, ...input }: Json): Promise<ActionResult> {
    const hasArgs = this.bug === 'args-if-truthy' ? args : args !== undefined;
    return this.perform('browser_action', {
      name: 'evaluate_js',
      input: hasArgs ? { ...input, args } : input,
    });
  }

  runTask(input: Json): Promise<ActionResult> {
    const steps = this.bug === 'default-max-steps' ? { max_steps: input.max_steps || 10 } : {};
    return this.perform('session_action', { name: 'run_task', input: { ...input, ...steps } });
  }

  close(): Promise<ActionResult> {
    return this.perform('session_action', { name: 'close' });
  }

  /** Any action, by the method of its name. */
  act({ name, payload }: Json): Promise<ActionResult> {
    if (payload.name === 'goto' && payload.input) return this.goto(payload.input);
    if (payload.name === 'extract' && payload.input) return this.extract(payload.input);
    if (payload.name === 'evaluate_js' && payload.input) return this.evaluateJs(payload.input);
    if (payload.name === 'run_task' && payload.input) return this.runTask(payload.input);
    return payload.name === 'close' ? this.close() : this.perform(name, payload);
  }

  private async perform(name: string, payload: Json): Promise<ActionResult> {
    const { bug, closed, waiters } = this;
    while (this.status === 'waiting' && !closed.signal.aborted) await this.polled.promise;
    if (closed.signal.aborted || this.isStopped || !isActive(this.status)) throw new TaskEnded('No action.');
    const id = `${bug === 'prefixed-ids' ? 'action:' : ''}${crypto.randomUUID()}`;
    const waiter = { ...defer<ActionResult>(), name: payload.name };
    waiter.promise.catch(() => {});
    if (bug !== 'result-before-response') waiters.set(id, waiter);
    try {
      await this.api.sendEvent(this.id, { name, payload, id, timestamp: Date.now() }, closed.signal);
    } catch (error) {
      await this.explain(error);
    }
    if (bug === 'result-before-response') waiters.set(id, waiter);
    const result = await waiter.promise;
    if (bug === 'action-error-throws' && result.code !== 200) throw new Error(String(result.output));
    return result;
  }

  /** A refused action is an error of its own only if the session is still open after it. */
  private async explain(error: unknown): Promise<void> {
    if (this.closed.signal.aborted) return; // The end of the task decides about the result.
    for (let polls = 0; polls < 2; polls++) await this.polled.promise;
    if (!this.closed.signal.aborted && isActive(this.status)) throw error;
  }
}

function inlineRefs(value: Json, root: Json, depth = 0): Json {
  if (Array.isArray(value)) return value.map((item) => inlineRefs(item, root, depth));
  if (value === null || typeof value !== 'object') return value;
  if (typeof value.$ref === 'string' && depth < 4) {
    const steps = value.$ref.split('/').slice(1);
    return inlineRefs(
      steps.reduce((part: Json, step: string) => part?.[step] ?? {}, root),
      root,
      depth + 1,
    );
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inlineRefs(item, root, depth)]));
}

function buildRequest({ request }: Job, bug: string): Json {
  const body: Json = bug === 'shared-defaults' ? Object.assign(DEFAULT_REQUEST, request) : { ...request };
  if (bug === 'inlines-refs' && body.response_model)
    body.response_model = inlineRefs(body.response_model, body.response_model);
  if (bug === 'joined-files' && body.files) body.files = body.files.join(',');
  if (bug === 'profile-renamed' && body.profile_id) {
    body.session_id = body.profile_id;
    delete body.profile_id;
  }
  if (bug === 'renames-tools' && body.custom_tools)
    body.custom_tools = body.custom_tools.map((tool: Json) => ({
      ...tool,
      name: tool.name.replace(/\W/g, '_'),
    }));
  if (bug === 'trims-task' && body.task) body.task = body.task.trim();
  return body;
}

function registerTools(job: Job, runs: Json[]): Map<string, ToolHandler> {
  const tools = new Map<string, ToolHandler>();
  for (const [name, outcomes] of Object.entries(job.tools)) {
    let count = 0;
    tools.set(name, (input) => {
      runs.push({ name, input });
      return outcomes[Math.min(count++, outcomes.length - 1)];
    });
  }
  return tools;
}

async function performAll(session: SessionHandle, job: Job, results: ActionResult[]): Promise<void> {
  try {
    for (const action of job.actions) results.push(await session.act(action));
    if (job.close === 'event') results.push(await session.close());
    if (job.close === 'delete') session.stop();
  } catch (error) {
    if (!(error instanceof TaskEnded)) throw error;
  }
}

async function answer(ask: string, session: SessionHandle): Promise<unknown> {
  if (ask === 'wait_again') await Promise.race([session.over, pause(600)]);
  if (ask === 'second_wait') return (await Promise.all([session.over, session.over]))[1];
  const end = await session.over;
  if (ask === 'live_url') return session.liveUrl;
  return ask.endsWith('_url') ? session.readAddress(ask) : end;
}

async function runJob(context: ClientContext, bug: string): Promise<ResultLine> {
  const { job } = context;
  const line: Json = { status: null, output: null, results: [], tool_runs: [], asked: {} };
  const limit = 0.9 * job.deadline_ms;
  const api = new ApiClient(new Transport(context, Date.now() + limit, bug), bug);
  const timeout = new AbortController();
  const timers = [setTimeout(() => timeout.abort(), limit)];
  let session: SessionHandle | undefined;
  const cancel = () => timers.push(setTimeout(() => session?.stop(), job.cancel_after_ms ?? 0));
  try {
    if (bug === 'early-cancel-lost' && job.cancel_after_ms !== null) cancel();
    const task = await api.createTask(buildRequest(job, bug));
    session = new SessionHandle(api, registerTools(job, line.tool_runs), task, bug, timeout.signal);
    if (bug !== 'early-cancel-lost' && job.cancel_after_ms !== null) cancel();
    if (bug === 'reads-visibility') await api.getVisibility(task.id).catch(() => {});
    const performed = performAll(session, job, line.results);
    performed.catch(() => timeout.abort());
    for (const ask of job.asks) line.asked[ask] = await answer(ask, session);
    await performed;
    await session.over;
    if (bug === 'deletes-at-exit' && job.request.task === null)
      await api.stopTask(task.id, timeout.signal).catch(() => {});
  } catch (error) {
    const problem = error instanceof ApiError ? `${error.message} (${error.attempts} attempts)` : error;
    line.error = problem instanceof Error ? problem.message : String(problem);
  } finally {
    for (const timer of timers) clearTimeout(timer);
    await session?.dispose();
  }
  Object.assign(line, { status: session?.status ?? null, output: session?.output ?? null });
  return bug === 'adds-to-line' ? { ...line, library: 'layers', requests_ok: true } : line;
}

export const createRun =
  (bug = ''): ClientFunction =>
  (context) =>
    runJob(context, bug);
