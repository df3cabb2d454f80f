/** A client of async generators: poll responses → new events → tool calls → results. Tools run concurrently. */
import type { ClientContext, ClientFunction, ResultLine } from '../../../conformance/client/types.js';
import { createSend, HttpFailure, type Send, sleep } from './streams-send.js';

type Json = ReturnType<typeof JSON.parse>;
type StreamItem = { task: Json; event?: Json };

export { bugs, races, styles } from './streams-list.js';

const earlierResults: Json[] = [];
const isActive = (status: unknown): boolean => status === 'waiting' || status === 'running';

function buildRequest(job: ClientContext['job'], bug: string): Json {
  const entries = Object.entries(job.request).filter(([name, value]) => {
    if (bug === 'drops-false-fields' && (value === false || value === 0)) return false;
    if (bug === 'drops-null-task' && value === null) return false;
    return !(bug === 'omits-optional-fields' && job.optional_fields.includes(name));
  });
  return Object.fromEntries(entries);
}

/** One run: the streams and what they share. */
class StreamRun {
  readonly line: Json = { status: null, output: null, results: [], tool_runs: [], asked: {} };
  private readonly controller = new AbortController();
  /** Aborted when the task is over: replies have no purpose then. */
  private readonly open = new AbortController();
  private readonly background: Promise<unknown>[] = [];
  private readonly outcomes: Json;
  private readonly send: Send;
  private readonly signal: AbortSignal;
  private queue: Json[];
  private awaited: Json;
  private status: unknown;
  private stopping = false;
  private stopped = false;
  private refusal: { error: unknown; polls: number } | undefined;
  private path = '';
  private liveUrl: string | null = null;

  constructor(
    private readonly context: ClientContext,
    private readonly bug: string,
  ) {
    const { job } = context;
    const limit = 0.9 * job.deadline_ms;
    this.signal = AbortSignal.any([context.signal, this.controller.signal]);
    this.send = createSend(context, Date.now() + limit, bug);
    this.startTimer(limit, () => this.controller.abort(new Error('The deadline has passed.')));
    this.outcomes = structuredClone(job.tools);
    this.queue = [...job.actions];
    if (job.close === 'event') this.queue.push({ name: 'session_action', payload: { name: 'close' } });
    if (bug === 'earlier-results') this.line.results = earlierResults;
  }

  private startTimer(ms: number, action: () => void): void {
    const timer = setTimeout(action, ms);
    this.controller.signal.addEventListener('abort', () => clearTimeout(timer));
  }

  private start(work: Promise<unknown>): void {
    this.background.push(work.catch((error) => this.controller.abort(error)));
  }

  async run(): Promise<ResultLine> {
    const { bug, context, line } = this;
    const { job } = context;
    try {
      if (bug === 'reads-usage-first') await this.send('GET', '/usage', this.signal).catch(() => {});
      const task = await this.send('POST', '/task', this.signal, buildRequest(job, bug));
      this.path = `/task/${encodeURIComponent(task.id)}`;
      this.status = task.status;
      this.liveUrl = task.live_url || null;
      const isDue = bug === 'ignores-cancel-0' ? job.cancel_after_ms : job.cancel_after_ms !== null;
      if (isDue) this.startTimer(job.cancel_after_ms ?? 0, () => this.stop());
      const over = this.follow();
      over.catch(() => {});
      for (const ask of job.asks) line.asked[ask] = await this.answer(ask, over);
      await over;
    } catch (error) {
      if (bug === 'throws-error') throw error;
      line.error = String((error as Error).message);
    } finally {
      this.controller.abort(new Error('The run is over.'));
      await Promise.allSettled(this.background);
    }
    return line;
  }

  private async *poll(): AsyncGenerator<Json> {
    let cursor = 0;
    let quiet = 0;
    for (let polls = 0; ; polls++) {
      const query = this.bug === 'first-poll-bare' && polls === 0 ? '' : `?event_t=${cursor}`;
      const startedAt = Date.now();
      const task = await this.send('GET', this.path + query, this.signal);
      const last = Math.max(cursor, ...(task.events ?? []).map((event: Json) => event.timestamp));
      quiet = last > cursor ? 0 : quiet + 1;
      cursor = this.bug === 'clock-cursor' ? startedAt : last;
      yield task;
      if (this.bug === 'waiting-ends' ? task.status !== 'running' : !isActive(task.status)) return;
      if (this.bug === 'adaptive-interval') await sleep(Math.min(500 * 1.5 ** quiet, 5000), this.signal);
      else await sleep(this.bug === 'interval-2s' ? 2000 : 500, this.signal);
    }
  }

  private async *selectNew(tasks: AsyncIterable<Json>): AsyncGenerator<StreamItem> {
    const seen = new Set<string>();
    const times = new Set<number>();
    for await (const task of tasks) {
      if (this.bug === 'seen-per-response') seen.clear();
      const isUnread = this.bug === 'terminal-events-unread' && !isActive(task.status);
      for (const event of isUnread ? [] : (task.events ?? [])) {
        const isKnown = this.bug === 'drops-same-time' ? times.has(event.timestamp) : seen.has(event.id);
        seen.add(event.id);
        times.add(event.timestamp);
        if (isKnown) continue;
        yield { task, event };
        if (this.bug === 'result-ends-response' && 'code' in event.payload) break;
      }
      yield { task };
    }
  }

  private async *serveCalls(items: AsyncIterable<StreamItem>): AsyncGenerator<StreamItem> {
    for await (const item of items) {
      const { event, task } = item;
      const isCall = event?.name === 'tool_call' && !('code' in event.payload);
      if (!isCall) yield item;
      else if (isActive(task.status) && !this.stopped && !this.open.signal.aborted) {
        const reply = this.reply(event);
        this.start(reply);
        if (this.bug === 'sequential-tools') await reply;
      }
    }
  }

  private runTool({ name, input }: Json): Json {
    const { bug, line, outcomes } = this;
    const has = bug === 'inherited-tool-name' ? name in outcomes : Object.hasOwn(outcomes, name);
    if (!has) return { code: bug === 'unknown-tool-500' ? 500 : 400, output: `There is no tool ${name}.` };
    line.tool_runs.push({ name, input });
    return outcomes[name].length > 1 ? outcomes[name].shift() : outcomes[name][0];
  }

  private async reply({ id, name, payload }: Json): Promise<void> {
    const { bug } = this;
    const outcome = this.runTool(payload);
    if (bug === 'unknown-tool-silent' && !Object.hasOwn(this.outcomes, payload.name)) return;
    if (bug === 'failed-tool-aborts' && outcome.code !== 200) throw new Error(String(outcome.output));
    const body: Json = {
      name,
      id,
      payload: outcome,
      timestamp: bug === 'null-timestamp' ? null : Date.now(),
    };
    let attempts = 0;
    if (bug === 'runs-tool-again')
      body.toJSON = () => ({ name, id, payload: attempts++ ? this.runTool(payload) : outcome });
    const signal = AbortSignal.any([this.signal, this.open.signal]);
    try {
      await sleep(20, signal); // A tool takes time.
      await this.send('POST', `${this.path}/event`, signal, body);
    } catch (error) {
      // Refused: the task is over, or another reply has been accepted. The polls show which.
      if (!(error instanceof HttpFailure) && !this.open.signal.aborted) throw error;
    }
  }

  /** The last consumer: takes the results and sends the actions. */
  private async follow(): Promise<Json> {
    const { bug, line } = this;
    this.sendNext();
    for await (const { task, event } of this.serveCalls(this.selectNew(this.poll()))) {
      if (event) this.takeResult(event);
      else {
        this.status = task.status;
        this.liveUrl = task.live_url || this.liveUrl;
        line.status = task.status;
        const output = bug === 'falsy-output' ? task.output || null : (task.output ?? null);
        line.output = bug === 'text-output' && output !== null ? JSON.stringify(output) : output;
        if (this.refusal && isActive(task.status) && ++this.refusal.polls > 1) throw this.refusal.error;
      }
      this.sendNext();
    }
    this.open.abort(new Error('The task is over.'));
    if (bug === 'reports-cancelled' && this.stopping) line.status = 'cancelled';
    if (bug === 'ended-is-done') line.status = 'done';
    return { status: line.status, output: line.output };
  }

  private takeResult({ id, payload }: Json): void {
    if (!('code' in payload) || id !== this.awaited?.id) return;
    const output = this.bug === 'falsy-output' ? payload.output || null : (payload.output ?? null);
    this.line.results.push({ name: this.awaited.payload.name, code: payload.code, output });
    this.awaited = undefined;
  }

  private sendNext(): void {
    const { bug, context } = this;
    if ((this.awaited && bug !== 'eager-actions') || this.status !== 'running' || this.stopping) return;
    const action = this.queue.shift();
    if (!action) {
      if (!this.awaited && context.job.close === 'delete') this.stop();
      return;
    }
    const timestamp = bug === 'null-timestamp' ? null : Date.now();
    this.awaited = { ...action, id: crypto.randomUUID(), timestamp };
    const signal = AbortSignal.any([this.signal, this.open.signal]);
    const sent = this.send('POST', `${this.path}/event`, signal, this.awaited);
    this.start(
      sent.catch((error) => {
        if (this.open.signal.aborted) return;
        if (!(error instanceof HttpFailure) || error.status === 0) throw error;
        this.refusal = { error, polls: 0 }; // Decided by the next polls: the session may be over.
      }),
    );
  }

  private stop(): void {
    if (this.stopping || !this.path || this.open.signal.aborted) return;
    this.stopping = true;
    const onStopped = () => {
      this.stopped = true;
      if (this.bug !== 'replies-after-cancel') this.open.abort(new Error('The task is stopped.'));
    };
    const onRefused = (error: unknown) => {
      if (!(error instanceof HttpFailure)) throw error; // Refused: the polls show whether the task is over.
    };
    this.start(this.send('DELETE', this.path, this.signal).then(onStopped, onRefused));
  }

  private async answer(ask: string, over: Promise<Json>): Promise<unknown> {
    if (ask === 'wait_again') await Promise.race([over, sleep(600, this.signal)]);
    if (ask === 'second_wait') return (await Promise.all([over, over]))[1];
    const end = await over;
    if (!ask.endsWith('_url')) return end;
    if (ask === 'live_url') return this.liveUrl;
    for (let reads = 0; reads < 30; reads++) {
      const query = ask === 'downloads_url' ? '?downloads=true' : '';
      const address = (await this.send('GET', this.path + query, this.signal))[ask];
      if (address != null) return address === '' ? null : address;
      await sleep(800, this.signal);
    }
    return null;
  }
}

export const createRun =
  (bug = ''): ClientFunction =>
  (context) =>
    new StreamRun(context, bug).run();
