import { EventEmitter } from 'node:events';
import type { ToolOutcome } from '../../../../conformance/client/types.js';
import type { Connection, HttpError, Json, Payload } from './connection.js';

export type TaskEvent = { id: string; name: string; timestamp: number; payload: Payload };

// What stays in the process from job to job: only a bug uses it.
const handledInProcess = new Set<string>();

/** Emits 'call', 'result', 'status', 'end' and 'error'. The first listener starts the poller. */
export class Task extends EventEmitter {
  status: string;
  output: Json = null;
  liveUrl: string | null;
  isOver = false;
  isStopped = false;
  private cursor = 0;
  private handled = new Set<string>();
  private poller: Promise<void> | undefined;
  private sent = new Set<string>();
  readonly path: string;

  constructor(
    private connection: Connection,
    created: Json,
    private bug: string | undefined,
  ) {
    super({ captureRejections: false });
    this.setMaxListeners(0);
    this.path = `/task/${created.id}`;
    this.status = created.status;
    this.liveUrl = created.live_url || null;
    if (bug === 'handled-in-process') this.handled = handledInProcess;
    super.on('error', () => {});
  }

  override on(name: string, listener: (...args: Json[]) => void): this {
    super.on(name, listener);
    this.poller ??= this.poll();
    return this;
  }

  private async poll(): Promise<void> {
    try {
      if (this.bug === 'head-first') await this.connection.request('HEAD', this.path).catch(() => {});
      while (!this.isOver && !this.connection.closing.signal.aborted) {
        if (this.bug === 'polls-twice') await this.connection.request('GET', this.pollPath());
        await this.refresh();
        if (Date.now() > this.connection.giveUpAt)
          throw new Error(`The task is ${this.status} at the deadline.`);
        if (!this.isOver) await this.connection.pause(this.bug === 'polls-slowly' ? 4000 : 500);
      }
    } catch (error) {
      this.poller = undefined;
      if (this.bug === 'poll-404-is-cancelled' && (error as HttpError).status === 404) {
        this.status = 'cancelled';
        this.finish();
      } else if (this.bug === 'limited-poll-is-failed' && (error as HttpError).status === 429) {
        this.status = 'failed';
        this.finish();
      } else this.emit('error', error);
    }
  }

  private pollPath(): string {
    if (this.bug === 'no-event-t') return this.path;
    const cursor = this.bug === 'event-t-in-seconds' ? Math.floor(this.cursor / 1000) : this.cursor;
    return `${this.path}?event_t=${cursor}`;
  }

  async refresh(): Promise<void> {
    this.read(await this.connection.request('GET', this.pollPath()));
  }

  private read(task: Json): void {
    if (this.isOver) return;
    this.status = task.status;
    this.liveUrl = task.live_url || this.liveUrl;
    this.output = this.bug === 'falsy-output-is-null' ? task.output || null : (task.output ?? null);
    if (this.bug === 'failed-without-output' && task.status === 'failed') this.output = null;
    const isRunning =
      task.status === 'running' || (task.status === 'waiting' && this.bug !== 'waiting-is-end');
    const isOver =
      this.bug === 'cancelled-is-not-end' ? !isRunning && task.status !== 'cancelled' : !isRunning;
    if (isOver && this.bug === 'end-before-result') this.finish();
    if (this.isOver) return;
    const inLastPoll = new Set<string>();
    for (const event of (task.events ?? []) as TaskEvent[]) {
      this.cursor = Math.max(this.cursor, event.timestamp);
      if (this.handled.has(event.id) || inLastPoll.has(event.id)) continue;
      const isResult = 'code' in event.payload;
      if (isResult && event.name !== 'tool_call' && this.sent.has(event.id)) {
        this.handled.add(event.id);
        this.emit('result', event);
        if (this.bug === 'one-event-a-response') {
          this.cursor = task.events.at(-1).timestamp;
          break;
        }
      } else if (!isResult && event.name === 'tool_call' && !isOver && !this.isStopped) {
        (this.bug === 'handled-of-one-response' ? inLastPoll : this.handled).add(event.id);
        this.emit('call', event);
      }
    }
    if (this.bug === 'handled-of-one-response' && inLastPoll.size > 0) this.handled = inLastPoll;
    this.emit('status');
    if (isOver) this.finish();
  }

  private finish(): void {
    this.isOver = true;
    this.emit('end');
  }

  private stamp(body: Payload): Payload {
    if (this.bug === 'no-timestamp') return body;
    return {
      ...body,
      timestamp: this.readClock(),
    };
  }

  private readClock(): number {
    if (this.bug === 'timestamp-in-seconds') return Math.floor(Date.now() / 1000);
    return this.bug === 'skewed-clock' ? Date.now() + 200_000 : Date.now();
  }

  /** Resolves with the payload of the result, or with undefined if the task ended without it. */
  async act(name: string, payload: Payload): Promise<Payload | undefined> {
    let id: string = crypto.randomUUID();
    this.sent.add(id);
    const listen = () =>
      new Promise<Payload | undefined>((resolve, reject) => {
        this.on('result', (event: TaskEvent) => event.id === id && resolve(event.payload));
        this.on('end', () => resolve(undefined));
        this.on('error', reject);
        if (this.isOver) resolve(undefined);
      });
    const early = this.bug === 'listens-after-sending' ? undefined : listen();
    early?.catch(() => {});
    try {
      await this.connection.request('POST', `${this.path}/event`, () => {
        if (this.bug === 'new-id-for-repeat') id = crypto.randomUUID();
        this.sent.add(id);
        return this.stamp({ name, payload, id });
      });
    } catch (error) {
      const { maybeDone, status } = error as HttpError;
      if (!this.isOver && status !== 401) await this.refresh();
      if (!this.isOver && !maybeDone) throw error;
    }
    return early ?? listen();
  }

  async reply({ id, name }: TaskEvent, outcome: ToolOutcome): Promise<void> {
    let attempts = 0;
    await this.connection
      .request('POST', `${this.path}/event`, () => {
        const isRepeat = attempts++ > 0;
        const lost = { code: 500, output: 'The reply was not sent.' };
        return this.stamp({
          id,
          name,
          payload: this.bug === 'lost-reply-is-500' && isRepeat ? lost : outcome,
        });
      })
      .catch(() => {}); // Refused: the call is answered, or the task is over. The next poll says which.
  }

  async cancel(): Promise<void> {
    if (this.bug === 'cancel-is-believed') {
      void this.connection.request('DELETE', this.path).catch(() => {});
      this.status = 'cancelled';
      return this.finish();
    }
    const stop = () => this.connection.request('DELETE', this.path);
    await stop().then(
      () => {
        this.isStopped = this.bug !== 'runs-tools-after-cancel';
      },
      () => {}, // Refused: the task is over. The next poll says how.
    );
  }

  /** Starts the poller again if an earlier wait failed. */
  wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.on('end', resolve);
      this.on('error', reject);
      if (this.isOver) resolve();
    });
  }

  async whenRunning(): Promise<void> {
    if (this.status === 'running' || this.isOver) return;
    await new Promise<void>((resolve, reject) => {
      this.on('status', () => (this.status === 'running' || this.isOver) && resolve());
      this.on('error', reject);
    });
  }
}
