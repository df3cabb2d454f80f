import type { ClientContext, ToolOutcome } from '../../../../conformance/client/types.js';
import { Handle } from './handle.js';
import { type Json, Queue, Rejected, Transport } from './queue.js';

// What stays in the process from job to job: only some bugs use it.
const cursorsOfProcess = new Map<string, number>();
const optionsOfProcess: Record<string, unknown> = {};

/** Polls all its tasks in one loop, and sends all their requests. */
export class Manager {
  readonly transport: Transport;
  readonly outgoing: Queue;
  readonly stops: Queue;
  private readonly giveUpAt: number;
  private handles = new Set<Handle>();
  private handled = new Map<string, Set<string>>();
  private cursors = new Map<string, number>();
  private looping: Promise<void> | undefined;
  private isStopped = false;
  private wake: () => void = () => {};
  private lastId = 0;

  constructor(
    context: ClientContext,
    private bug: string | undefined,
  ) {
    this.transport = new Transport(context, bug);
    this.giveUpAt = Date.now() + Math.floor(0.85 * context.job.deadline_ms);
    this.outgoing = new Queue(this.transport, this.giveUpAt);
    this.stops = new Queue(this.transport, this.giveUpAt);
    if (bug === 'cursors-of-process') this.cursors = cursorsOfProcess;
    context.signal.addEventListener('abort', () => void this.stop(), { once: true });
  }

  async start(
    request: Record<string, unknown>,
    runTool: (name: string, input: Json) => ToolOutcome,
  ): Promise<Handle> {
    if (this.bug === 'lists-first') await this.transport.send('GET', '/task?l=1');
    let body = request;
    if (this.bug === 'options-of-process') body = Object.assign(optionsOfProcess, request);
    if (this.bug === 'unset-is-null')
      body = { response_model: null, files: null, profile_id: null, ...request };
    const created = await this.outgoing.add('POST', '/task', () => body);
    const handle = new Handle(this, created.id, created, runTool);
    if (this.bug === 'starts-late') handle.nextPoll = Date.now() + 2500;
    this.add(handle);
    return handle;
  }

  add(handle: Handle): void {
    this.handles.add(handle);
    this.wake();
    this.looping ??= this.loop().finally(() => {
      this.looping = undefined;
    });
  }

  handledOf(id: string): Set<string> {
    const handled = this.handled.get(id) ?? new Set();
    this.handled.set(id, handled);
    return handled;
  }

  makeId(): string {
    return this.bug === 'ids-count' ? `my event/${++this.lastId} ✓` : crypto.randomUUID();
  }

  stamp(): number {
    return this.bug === 'constant-timestamp' ? 1_700_000_000_000 : Date.now();
  }

  /** Resolves when nothing is in flight. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.wake();
    await Promise.all([this.looping, this.outgoing.stop(), this.stops.stop()]);
  }

  private async loop(): Promise<void> {
    while (this.handles.size > 0 && !this.isStopped) {
      for (const handle of [...this.handles]) if (handle.nextPoll <= Date.now()) await this.poll(handle);
      const next = Math.min(...[...this.handles].map(({ nextPoll }) => nextPoll));
      if (this.handles.size > 0) await this.sleep(next - Date.now());
    }
  }

  private sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.isStopped) return resolve();
      const timer = setTimeout(resolve, ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async poll(handle: Handle): Promise<void> {
    if (handle.isOver) return;
    const cursor = this.cursors.get(handle.id);
    const isFirst = cursor === undefined && this.bug === 'event-t-when-known';
    const path = isFirst ? handle.path : `${handle.path}?event_t=${cursor ?? 0}`;
    const received = await this.transport.send('GET', path);
    const { status, r } = received;
    const isRead = status >= 200 && status < 300 && typeof r?.status === 'string';
    const isFinal = !isRead && status >= 400 && status < 500 && status !== 429;
    const error = new Rejected(received, false, `GET ${handle.path}`);
    handle.failures = isRead ? 0 : handle.failures + 1;
    const backOff = received.waitMs || Math.min(5000, 400 * handle.failures);
    handle.nextPoll = Date.now() + (isRead ? this.pollEvery() : backOff);
    if (isRead) {
      this.moveCursor(handle, r);
      handle.apply(r);
    } else if (this.bug === 'failed-poll-drops-handle' && status >= 500) this.handles.delete(handle);
    else if (isFinal || handle.failures > 9) this.drop(handle, error);
    if (handle.isOver) this.handles.delete(handle);
    else if (Date.now() > this.giveUpAt && this.bug === 'deadline-is-end') handle.end(handle.status);
    else if (Date.now() > this.giveUpAt)
      this.drop(handle, new Error(`The task is ${handle.status} at the deadline.`));
  }

  private pollEvery(): number {
    return this.bug === 'polls-every-8-s' ? 8000 : 700;
  }

  private drop(handle: Handle, error: Error): void {
    this.handles.delete(handle);
    handle.fail(error);
  }

  private moveCursor({ id }: Handle, task: Json): void {
    const times: number[] = (task.events ?? []).map(({ timestamp }: { timestamp: number }) => timestamp);
    if (this.bug === 'cursor-of-clock') times.push(Date.now());
    if (times.length === 0) return;
    if (this.bug === 'cursor-of-first-event') this.cursors.set(id, times[0] ?? 0);
    else this.cursors.set(id, Math.max(this.cursors.get(id) ?? 0, ...times));
  }
}
