/**
 * A client that records each step in a file: a request first as intended, then as done. After a failure it starts
 * again from the file. The file is a map here.
 */
import type { ClientContext, ClientFunction, ResultLine } from '../../../conformance/client/types.js';
import { Interruption, isActive, Journal, type StepFile, sleepUntil } from './journaled-file.js';

export { bugs, races, styles } from './journaled-list.js';

type Json = ReturnType<typeof JSON.parse>;

const filesByTask = new Map<string, StepFile>();
/** One attempt to do the job: begins with what the file holds, ends with the task or with an interruption. */
class Attempt {
  private readonly cancelAt: number;

  constructor(
    private readonly context: ClientContext,
    private readonly bug: string,
    private readonly journal: Journal,
    private readonly deadline: number,
    private readonly failures: number,
  ) {
    const after = context.job.cancel_after_ms ?? Number.POSITIVE_INFINITY;
    const from = bug === 'cancel-from-restart' ? Date.now() : (journal.read('created-at') ?? Date.now());
    this.cancelAt = from + after;
  }

  private get path(): string {
    return `/task/${encodeURIComponent(this.journal.read('create:done').id)}`;
  }

  /** When the current pause or request has to end at the latest: the cancel does not wait. */
  private get wakeAt(): number {
    const isStopped = this.journal.has('stop:done') || !this.journal.has('created-at');
    return isStopped ? this.deadline : Math.min(this.cancelAt, this.deadline);
  }

  private async pauseUntil(time: number): Promise<void> {
    await sleepUntil(Math.min(time, this.wakeAt));
    if (Date.now() >= this.deadline) throw new Error('The deadline has passed.');
    if (Date.now() < time) throw new Interruption('The cancel is due.');
  }

  /** One request, without repetition. Returns undefined if it is refused. Throws if it can be repeated. */
  private async request(method: string, path: string, body?: Json): Promise<{ status: number; r?: Json }> {
    const { bug, context, journal } = this;
    const kind = method + path.replace(/\?.*/, '');
    const end = method === 'DELETE' || path === '/task' ? this.deadline : this.wakeAt;
    const notBefore = journal.read(`not-before/${kind}`) ?? 0;
    if (method === 'DELETE') await sleepUntil(Math.min(notBefore, this.deadline));
    else await this.pauseUntil(notBefore);
    const type = bug === 'charset-header' ? 'application/json; charset=utf-8' : 'application/json';
    const limit = Math.min(bug === 'short-polls' ? 5000 : 30_000, Math.max(1, end - Date.now()));
    let status = 0;
    let wait = Math.min(200 * 2 ** this.failures, 5000);
    try {
      const response = await context.fetch(`${context.baseUrl}/api/v1${path}`, {
        method,
        headers: { apikey: context.apiKey, 'content-type': type },
        signal: AbortSignal.timeout(limit),
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      status = response.status;
      const header = response.headers.get('retry-after') ?? '';
      const seconds = header.trim() === '' ? Number.NaN : Number(header);
      const asked = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : 1000 * seconds;
      if (asked > 0) wait = Math.max(asked, wait);
      if (response.ok && method === 'DELETE') return { status };
      const json: Json = await response.json().catch(() => undefined);
      if (response.ok && json?.r != null) return { status, r: json.r };
    } catch {
      // No response, or half of one. The status decides.
    }
    const isLost = status < 400 || status >= 500;
    if (status === 429 && bug === 'limit-ends-run') throw new Error(`${method} ${path}: HTTP 429`);
    if (bug === 'stops-once' && method === 'DELETE' && status > 0) return { status };
    if (status !== 429 && (!isLost || path === '/task')) return { status };
    journal.write(`not-before/${kind}`, Date.now() + wait);
    throw new Interruption(`${method} ${path}: HTTP ${status}`, Date.now() + wait);
  }

  /** Sends an event that is recorded as intended, and records it as done. */
  private async sendEvent(key: string, event: Json): Promise<number> {
    const { bug, journal } = this;
    const isRepeated = journal.has(`${key}:intended`);
    if (!isRepeated) journal.write(`${key}:intended`, event);
    if (isRepeated && bug === 'new-id-on-repeat' && key.startsWith('action/'))
      journal.write(`${key}:intended`, { ...journal.read(`${key}:intended`), id: crypto.randomUUID() });
    if (isRepeated && bug === 'intended-is-done') {
      journal.write(`${key}:done`, true);
      return 200;
    }
    let { status } = await this.request('POST', `${this.path}/event`, journal.read(`${key}:intended`));
    if (status === 409 && bug === 'conflict-is-error') throw new Error('HTTP 409');
    if (status === 409 && isRepeated) status = 200; // The first one arrived, only its response was lost.
    journal.write(`${key}:done`, status);
    return status;
  }

  private buildEvent(name: string, id: string, payload: Json): Json {
    if (this.bug === 'without-timestamp') return { name, id, payload };
    if (this.bug === 'timestamp-first') return { timestamp: Date.now(), id, payload, name };
    return { name, payload, id, timestamp: Date.now() };
  }

  private async create(): Promise<void> {
    const { bug, context, journal } = this;
    if (journal.has('create:done')) return;
    if (journal.has('create:intended')) throw new Error('The task may exist already, under an unknown id.');
    if (bug === 'lists-tasks-first') await this.request('GET', '/task?l=1');
    const known = ['task', 'url', 'device', 'custom_tools', 'response_model'];
    const fields = Object.entries(context.job.request).filter(
      ([name]) => bug !== 'known-fields-only' || known.includes(name),
    );
    journal.write('create:intended', Object.fromEntries(fields));
    try {
      const { status, r } = await this.request('POST', '/task', journal.read('create:intended'));
      if (!r) throw new Error(`The task is not created: HTTP ${status}`);
      journal.write('create:done', r);
      journal.write('created-at', Date.now());
      journal.write('task', r);
    } catch (error) {
      if (error instanceof Interruption) journal.delete('create:intended'); // 429: nothing was created.
      throw error;
    }
    throw new Interruption('A new attempt knows when the cancel is due.');
  }

  private async stopIfDue(): Promise<void> {
    const { context, journal } = this;
    const isClosing = context.job.close === 'delete' && this.nextAction() === undefined;
    const isDue = Date.now() >= this.cancelAt || (isClosing && journal.read('task').status === 'running');
    if (!isDue || journal.has('stop:done')) return;
    const { status } = await this.request('DELETE', this.path);
    journal.write('stop:done', status);
  }

  /** The number of the action to send or to await; undefined if all have their results. */
  private nextAction(): number | undefined {
    const { bug, journal } = this;
    const isOver = (key: string) => journal.has(`result/${key}`);
    const number = this.actions().findIndex((_, index) => !isOver(this.actionKey(index)));
    if (bug === 'closes-early' && number === this.actions().length - 2 && number >= 0)
      return journal.has(`action/${this.actionKey(number)}:done`) ? number + 1 : number;
    return number === -1 ? undefined : number;
  }

  private actions(): Json[] {
    const { actions, close } = this.context.job;
    return close === 'event' ? [...actions, { name: 'session_action', payload: { name: 'close' } }] : actions;
  }

  private actionKey(number: number): string {
    return this.bug === 'keys-by-name' ? this.actions()[number].payload.name : String(number);
  }

  private async sendAction(): Promise<void> {
    const { bug, journal } = this;
    const number = this.nextAction();
    const isBlocked = journal.read('task').status !== 'running' || journal.has('stop:done');
    if (number === undefined || isBlocked || journal.has('refused')) return;
    const key = `action/${this.actionKey(number)}`;
    if (journal.has(`${key}:done`)) return;
    const { name, payload } = this.actions()[number];
    const id = bug === 'counted-ids' ? `step-${number + 1}` : crypto.randomUUID();
    const status = await this.sendEvent(key, this.buildEvent(name, id, payload));
    if (status < 400) return;
    if (bug === 'ended-session-is-error') throw new Error(`The action is refused: HTTP ${status}`);
    journal.write('refused', `The action is refused: HTTP ${status}`);
  }

  private runTool(id: string, { name, input }: Json): Json {
    const { bug, context, journal } = this;
    const { tools } = context.job;
    const unknown = { code: bug === 'unknown-tool-500' ? 500 : 400, output: `There is no tool ${name}.` };
    if (!Object.hasOwn(tools, name)) return unknown;
    const key = bug === 'runs-by-input' ? `run/${name}${JSON.stringify(input)}` : `run/${id}`;
    if (journal.has(key) && bug !== 'outcome-not-recorded') return journal.read(key).outcome;
    const runs = journal.list('run/').filter((run) => run.name === name).length;
    const outcome = tools[name]?.[Math.min(runs, tools[name].length - 1)];
    journal.write(journal.has(key) ? `${key}/again` : key, { name, input, outcome });
    return outcome;
  }

  private async handle(event: Json, isOver: boolean): Promise<void> {
    const { bug, journal } = this;
    const { id, name, payload } = event;
    if (journal.has(`handled/${id}`)) return;
    if ('code' in payload) {
      const number = this.actions().findIndex(
        (_, index) => journal.read(`action/${this.actionKey(index)}:intended`)?.id === id,
      );
      const output = bug === 'falsy-not-recorded' ? payload.output || null : (payload.output ?? null);
      const result = { name: this.actions()[number]?.payload.name, code: payload.code, output };
      if (number >= 0) journal.write(`result/${this.actionKey(number)}`, result);
    } else if (name === 'tool_call' && !isOver && !journal.has('stop:done')) {
      const key = `reply/${id}`;
      if (!journal.has(`${key}:done`))
        await this.sendEvent(key, this.buildEvent(name, id, this.runTool(id, payload)));
    }
    journal.write(`handled/${id}`, true);
  }

  private async poll(): Promise<boolean> {
    const { bug, journal } = this;
    const cursor = journal.read('cursor') ?? 0;
    const { status, r: task } = await this.request('GET', `${this.path}?event_t=${cursor}`);
    if (!task) throw new Error(`The task cannot be read: HTTP ${status}`);
    const events: Json[] = task.events ?? [];
    const last = Math.max(cursor, ...events.map(({ timestamp }) => timestamp));
    if (bug === 'cursor-before-events') journal.write('cursor', last);
    for (const event of events) {
      await this.handle(event, !isActive(task.status));
      if (bug === 'call-ends-handling' && event.name === 'tool_call') break;
    }
    journal.write('cursor', last);
    journal.write('task', { ...task, live_url: task.live_url || journal.read('task').live_url, events: [] });
    if (isActive(task.status) && journal.has('refused')) throw new Error(journal.read('refused'));
    return bug === 'failed-is-retried' ? task.status === 'done' : !isActive(task.status);
  }

  /** Returns when the task is over. */
  async resume(): Promise<void> {
    const { bug, journal } = this;
    await this.create();
    const interval = bug === 'interval-4s' ? 4000 : bug === 'interval-1s' ? 1000 : 500;
    while (!journal.has('over')) {
      await this.stopIfDue();
      await this.sendAction();
      if (await this.poll()) journal.write('over', true);
      else if (this.nextAction() === undefined || journal.has(`action/${this.nextAction()}:done`))
        await this.pauseUntil(Date.now() + interval);
    }
  }

  async readAddress(name: string): Promise<unknown> {
    for (let reads = 0; reads < 30; reads++) {
      const query = name === 'downloads_url' ? '?downloads=true' : '';
      const address = (await this.request('GET', this.path + query)).r?.[name];
      if (address != null) return address || null;
      await sleepUntil(Date.now() + 800);
    }
    return null;
  }
}

/** Attempts until the task is over, and the report from the file. */
async function runJob(context: ClientContext, bug: string, file: StepFile): Promise<ResultLine> {
  const { job } = context;
  const journal = new Journal(file, bug);
  const deadline = Date.now() + 0.9 * job.deadline_ms;
  const asked: Json = {};
  const attempt = async (work: (attempt: Attempt) => Promise<Json>): Promise<Json> => {
    let size = -1;
    for (let failures = 0; ; failures = journal.size > size ? 0 : failures + 1) {
      size = journal.size;
      try {
        return await work(new Attempt(context, bug, journal, deadline, failures));
      } catch (error) {
        if (!(error instanceof Interruption) || failures === 10) throw error;
      }
    }
  };
  const readEnd = () => ({
    status: journal.read('task')?.status,
    output: journal.read('task')?.output ?? null,
  });
  let problem: string | undefined;
  try {
    const over = attempt((current) => current.resume()).then(readEnd);
    over.catch(() => {});
    for (const ask of job.asks) {
      if (ask === 'wait_again') await Promise.race([over, sleepUntil(Date.now() + 600)]);
      asked[ask] = await over;
      if (ask === 'second_wait') asked[ask] = (await Promise.all([over, over]))[1];
      if (ask === 'live_url') asked[ask] = journal.read('task').live_url || null;
      else if (ask.endsWith('_url')) asked[ask] = await attempt((current) => current.readAddress(ask));
    }
    await over;
  } catch (error) {
    problem = (error as Error).message;
  }
  const tool_runs = journal.list('run/').map(({ name, input }) => ({ name, input }));
  const line = { ...readEnd(), results: journal.list('result/'), tool_runs, asked };
  return problem === undefined ? line : { ...line, error: problem };
}

export const createRun =
  (bug = ''): ClientFunction =>
  (context) => {
    let file: StepFile = new Map();
    if (bug === 'file-by-task') {
      const name = String(context.job.request.task);
      file = filesByTask.get(name) ?? file;
      filesByTask.set(name, file);
    }
    return runJob(context, bug, file);
  };
