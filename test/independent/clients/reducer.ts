// A pure reducer, (state, message) → [state, effects], and a runner of its effects.
import type {
  ClientContext,
  ClientFunction,
  ResultLine,
  ToolOutcome,
} from '../../../conformance/client/types.js';
import {
  createState,
  type Effect,
  type Json,
  type Message,
  type Request,
  type State,
} from './reducer/state.js';
import { step } from './reducer/step.js';

export { bugs, races, styles } from './reducer/names.js';

class Runner {
  state: State;
  readonly runs: { name: string; input: Json }[] = [];
  private counts: Record<string, number>;
  private inbox: Message[] = [];
  private isBusy = false;
  private timers = new Map<string, ReturnType<typeof setTimeout>>();
  private inFlight = new Set<Promise<void>>();
  private waiters: (() => void)[] = [];

  constructor(
    private context: ClientContext,
    private bug: string | undefined,
  ) {
    this.state = createState(context.job, bug);
    this.counts = bug === 'counts-in-plain-object' ? {} : Object.create(null);
    context.signal.addEventListener('abort', () => this.clear(), { once: true });
  }

  dispatch(message: Message): void {
    this.inbox.push(message);
    if (this.isBusy) return;
    this.isBusy = true;
    for (let next = this.inbox.shift(); next; next = this.inbox.shift()) {
      const [state, effects] = step(this.state, next, this.bug);
      this.state = state;
      for (const effect of effects) this.run(effect);
    }
    this.isBusy = false;
  }

  private run(effect: Effect): void {
    if (effect.type === 'request') this.track(this.request(effect));
    else if (effect.type === 'timer') this.startTimer(effect.key, effect.ms);
    else if (effect.type === 'run') this.runTool(effect);
    else {
      this.clear();
      for (const wake of this.waiters.splice(0)) wake();
    }
  }

  private startTimer(key: string, ms: number): void {
    clearTimeout(this.timers.get(key));
    this.timers.set(
      key,
      setTimeout(() => this.dispatch({ type: 'timer', key }), ms),
    );
  }

  private clear(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
  }

  private track(work: Promise<void>): void {
    this.inFlight.add(work);
    work.finally(() => this.inFlight.delete(work));
  }

  private runTool({ id, name, input }: Extract<Effect, { type: 'run' }>): void {
    const finish = () =>
      this.dispatch({ type: 'ran', id, outcome: this.findOutcome(name, input), at: Date.now() });
    if (this.bug === 'tools-take-time') this.timers.set(`tool ${id}`, setTimeout(finish, 900));
    else finish();
  }

  private findOutcome(name: string, input: Json): ToolOutcome {
    const tool = Object.entries(this.context.job.tools).find(([known]) => known === name);
    if (!tool) {
      const text = `unknown tool: ${name}`;
      return { code: 400, output: this.bug === 'error-is-object' ? { error: text } : text };
    }
    const [, outcomes] = tool;
    this.runs.push({ name, input });
    const count = this.counts[name] ?? 0;
    this.counts[name] = count + 1;
    return outcomes[Math.min(count, outcomes.length - 1)] ?? { code: 500, output: 'no outcome' };
  }

  private async request({ key, method, path, body }: Request): Promise<void> {
    const received = await this.exchange(method, path, body);
    this.dispatch({ type: 'received', key, at: Date.now(), ...received });
  }

  async exchange(method: string, path: string, body?: Json) {
    const { baseUrl, apiKey, fetch, signal } = this.context;
    const limit = new AbortController();
    const abort = () => limit.abort();
    const timer = setTimeout(abort, 20_000);
    signal.addEventListener('abort', abort);
    const headers = new Headers({ [this.bug === 'upper-case-header' ? 'APIKEY' : 'apikey']: apiKey });
    if (body !== undefined) headers.set('content-type', 'application/json; charset=utf-8');
    const text =
      body === undefined ? null : JSON.stringify(body, null, this.bug === 'indented-bodies' ? 2 : 0);
    const query = this.bug === 'downloads-false' && path.includes('?event_t') ? '&downloads=false' : '';
    try {
      const url = `${baseUrl}/api/v1${path}${query}`;
      const response = await fetch(url, { method, headers, body: text, signal: limit.signal });
      const { status } = response;
      const waitMs = readRetryAfter(response.headers.get('retry-after'));
      const json: Json = await response.json().catch(() => undefined);
      return { status, r: json?.r, waitMs };
    } catch {
      return { status: 0, r: undefined, waitMs: undefined };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  }

  /** Resolves at the end of the task; rejects if the client gave up, or after `ms`. */
  wait(ms?: number): Promise<{ status: string | null; output: Json }> {
    return new Promise((resolve, reject) => {
      const limit = ms === undefined ? undefined : setTimeout(() => reject(new Error('timed out')), ms);
      const look = () => {
        clearTimeout(limit);
        const { phase, status, output, problem } = this.state;
        if (phase === 'failed') reject(new Error(problem));
        else resolve({ status, output });
      };
      if (this.state.phase === 'over' || this.state.phase === 'failed') look();
      else this.waiters.push(look);
    });
  }

  async close(): Promise<void> {
    this.clear();
    await Promise.all(this.inFlight);
  }
}

function readRetryAfter(header: string | null): number | undefined {
  if (!header?.trim()) return undefined;
  if (Number.isFinite(Number(header))) return 1000 * Number(header);
  const wait = Date.parse(header) - Date.now();
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

async function readAddress(runner: Runner, name: string): Promise<string | null> {
  if (name === 'live_url') return runner.state.liveUrl || null;
  for (let reads = 0; reads < 20; reads++) {
    const { r } = await runner.exchange(
      'GET',
      `/task/${runner.state.id}${name === 'downloads_url' ? '?downloads=true' : ''}`,
    );
    if (typeof r?.[name] === 'string') return r[name] || null;
    await new Promise((resolve) => setTimeout(resolve, 700));
  }
  return null;
}

async function ask(runner: Runner, asks: ClientContext['job']['asks']): Promise<Record<string, Json>> {
  const asked: Record<string, Json> = {};
  const first = runner.wait();
  if (asks.includes('second_wait')) asked['second_wait'] = await runner.wait();
  if (asks.includes('wait_again')) {
    await runner.wait(600).catch(() => runner.dispatch({ type: 'resume' }));
    asked['wait_again'] = await runner.wait();
    first.catch(() => {});
  } else await first;
  for (const name of asks) if (name.endsWith('_url')) asked[name] = await readAddress(runner, name);
  return asked;
}

async function perform(context: ClientContext, bug: string | undefined): Promise<ResultLine> {
  const runner = new Runner(context, bug);
  let asked: Record<string, Json> = {};
  let error: string | undefined;
  try {
    runner.dispatch({ type: 'start' });
    asked = await ask(runner, context.job.asks);
    const { id } = runner.state;
    if (bug === 'reads-from-zero-at-end') await runner.exchange('GET', `/task/${id}?event_t=0`);
    if (bug === 'deletes-at-exit' && !runner.state.isStopping) await runner.exchange('DELETE', `/task/${id}`);
  } catch (thrown) {
    error = (thrown as Error).message;
  } finally {
    await runner.close();
  }
  const { status, output, results } = runner.state;
  const line = { status, output, results, tool_runs: runner.runs, asked };
  return error === undefined ? line : { ...line, error };
}

export function createRun(bug?: string): ClientFunction {
  return (context) => perform(context, bug);
}
