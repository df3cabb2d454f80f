import type { Job, ToolOutcome } from '../../../../conformance/client/types.js';
import type { Manager } from './loop.js';
import { type Json, Rejected } from './queue.js';

export type ServiceEvent = { id: string; name: string; timestamp: number; payload: Record<string, Json> };
export type End = { status: string; output: Json };

/** One task of a manager. */
export class Handle {
  status: string;
  output: Json = null;
  isOver = false;
  isStopped = false;
  nextPoll = 0;
  failures = 0;
  readonly path: string;
  private address: string | null;
  private waiting = new Map<string, (payload: Json) => void>();
  private watchers = new Set<() => void>();
  private failure: Error | undefined;

  constructor(
    private manager: Manager,
    readonly id: string,
    created: Json,
    private runTool: (name: string, input: Json) => ToolOutcome,
  ) {
    this.path = `/task/${id}`;
    this.status = created.status;
    this.address = created.live_url ?? null;
  }

  live_url(): string | null {
    return this.address || null;
  }

  /** The end of the task. After a failure it polls again. */
  result({ timeoutMs }: { timeoutMs?: number } = {}): Promise<End> {
    if (this.failure) {
      this.failure = undefined;
      this.failures = 0;
      this.manager.add(this);
    }
    const end = this.until(() => this.isOver).then(() => ({ status: this.status, output: this.output }));
    if (timeoutMs === undefined) return end;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`The task is ${this.status} after ${timeoutMs} ms.`)),
        timeoutMs,
      );
      end.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }

  until(isReached: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const watch = () => {
        if (isReached() || this.isOver) resolve();
        else if (this.failure) reject(this.failure);
        else return;
        this.watchers.delete(watch);
      };
      this.watchers.add(watch);
      watch();
    });
  }

  fail(error: Error): void {
    this.failure = error;
    this.notify();
  }

  private notify(): void {
    for (const watch of [...this.watchers]) watch();
  }

  end(status: string): void {
    this.status = status;
    this.isOver = true;
    for (const resolve of this.waiting.values()) resolve(undefined);
    this.notify();
  }

  /** What a poll response says. */
  apply(task: Json): void {
    const { bug } = this.manager.transport;
    if (this.isOver) return;
    this.status = task.status;
    this.output = bug === 'empty-text-is-absent' && task.output === '' ? null : (task.output ?? null);
    if (bug !== 'live-url-of-creation') this.address = task.live_url ?? this.address;
    const isOver = task.status !== 'waiting' && task.status !== 'running';
    const events: ServiceEvent[] = task.events ?? [];
    if (bug === 'handled-per-response') this.manager.handledOf(this.id).clear();
    const last = new Map(events.map((event) => [event.payload['name'], event]));
    for (const event of events) {
      if (bug === 'one-call-a-tool' && event.payload['name'] && last.get(event.payload['name']) !== event)
        continue;
      if (isOver && bug === 'no-results-at-end') break;
      if (!this.manager.handledOf(this.id).has(event.id)) this.handle(event, isOver);
    }
    if (isOver) this.end(bug === 'failed-is-done' && task.status === 'failed' ? 'done' : task.status);
    else this.notify();
  }

  private handle(event: ServiceEvent, isOver: boolean): void {
    const { bug } = this.manager.transport;
    const { id, name, payload } = event;
    const isResult = Object.hasOwn(payload, 'code');
    if (isResult && name !== 'tool_call' && this.waiting.has(id)) {
      if (bug === 'only-200-is-result' && payload['code'] !== 200) return;
      this.manager.handledOf(this.id).add(id);
      this.waiting.get(id)?.(payload);
      this.waiting.delete(id);
    } else if (!isResult && name === 'tool_call' && !isOver && !this.isStopped) {
      this.manager.handledOf(this.id).add(id);
      this.answer(event);
    }
  }

  private answer({ id, name, payload }: ServiceEvent): void {
    const { bug } = this.manager.transport;
    const run = () => this.runTool(payload['name'], payload['input']);
    let outcome: ToolOutcome | undefined;
    const makeBody = () => {
      outcome = bug === 'tool-runs-when-sent' ? run() : (outcome ?? run());
      return { id, name, payload: outcome, timestamp: this.manager.stamp() };
    };
    const body = makeBody();
    if (bug === 'failed-tool-is-silent' && body.payload.code !== 200) return;
    const reply = this.manager.outgoing.add(
      'POST',
      `${this.path}/event`,
      bug === 'tool-runs-when-sent' ? makeBody : () => body,
    );
    reply.catch((error) => {
      // Refused: answered before, or the task is over. The next poll says which.
      if (bug === 'refused-reply-is-fatal' && error instanceof Rejected) this.fail(error);
    });
  }

  /** Resolves with the payload of the result, or with undefined if the task ended without it. */
  async perform({ name, payload }: Job['actions'][number]): Promise<Json> {
    const { bug } = this.manager.transport;
    let id = this.manager.makeId();
    const result = new Promise<Json>((resolve) => {
      this.waiting.set(id, resolve);
      if (this.isOver) resolve(undefined);
    });
    try {
      let tries = 0;
      await this.manager.outgoing.add('POST', `${this.path}/event`, () => {
        if (bug === 'repeat-with-new-id' && tries++ > 0) {
          const resolve = this.waiting.get(id);
          id = this.manager.makeId();
          if (resolve) this.waiting.set(id, resolve);
        }
        return { id, name, payload, timestamp: this.manager.stamp() };
      });
    } catch (error) {
      // The task may be over, or the service knows this id from a try whose response was lost.
      await this.manager.poll(this);
      if (!this.isOver && !(error instanceof Rejected && error.wasLostBefore)) throw error;
    }
    return Promise.race([result, this.until(() => false).then(() => result)]);
  }

  async stop(): Promise<void> {
    const { bug } = this.manager.transport;
    const queue = bug === 'cancel-behind-work' ? this.manager.outgoing : this.manager.stops;
    await queue.add('DELETE', this.path).then(
      () => {
        this.isStopped = true;
      },
      () => {}, // Refused: the task is over. The next poll says how.
    );
  }
}
