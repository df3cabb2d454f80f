import type { ClientContext } from '../../../../conformance/client/types.js';

export type Json = ReturnType<typeof JSON.parse>;

/** What came back: `status` 0 if nothing did. `r` is undefined if the body cannot be read. */
export interface Received {
  status: number;
  r: Json;
  /** ms to wait, if the service said so. */
  waitMs: number | undefined;
}

export class Rejected extends Error {
  constructor(
    readonly received: Received,
    readonly wasLostBefore: boolean,
    name: string,
  ) {
    super(received.status === 0 ? `${name} got no response` : `${name} was refused with ${received.status}`);
  }
}

interface Outgoing {
  method: 'POST' | 'DELETE';
  path: string;
  makeBody: () => unknown;
  tries: number;
  notBefore: number;
  wasLost: boolean;
  resolve: (r: Json) => void;
  reject: (error: Error) => void;
}

export class Transport {
  constructor(
    readonly context: ClientContext,
    readonly bug: string | undefined,
  ) {}

  async send(method: string, path: string, body?: unknown, timeOutMs = 15_000): Promise<Received> {
    const { context } = this;
    const control = new AbortController();
    const timer = setTimeout(() => control.abort(), timeOutMs);
    const stop = () => control.abort();
    context.signal.addEventListener('abort', stop, { once: true });
    try {
      const response = await context.fetch(`${context.baseUrl}/api/v1${path}`, {
        method,
        headers:
          body === undefined ? this.headers() : { ...this.headers(), 'Content-Type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
        signal: control.signal,
      });
      const text = await response.text();
      const isOk = response.status >= 200 && response.status < 300;
      const waitMs = this.readWait(response.headers.get('Retry-After'));
      return { status: response.status, r: isOk ? this.parse(text) : undefined, waitMs };
    } catch {
      return { status: 0, r: undefined, waitMs: undefined };
    } finally {
      clearTimeout(timer);
      context.signal.removeEventListener('abort', stop);
    }
  }

  private headers(): Record<string, string> {
    const { apiKey } = this.context;
    return this.bug === 'cookie-too' ? { apikey: apiKey, cookie: `apikey=${apiKey}` } : { apikey: apiKey };
  }

  private parse(text: string): Json {
    const revive = (_: string, value: Json) =>
      typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value) ? new Date(value) : value;
    try {
      return (this.bug === 'dates-are-revived' ? JSON.parse(text, revive) : JSON.parse(text))?.r;
    } catch {
      return undefined;
    }
  }

  private readWait(header: string | null): number | undefined {
    if (header === null || header.trim() === '') return undefined;
    const seconds = Number(header);
    if (!Number.isNaN(seconds) || this.bug === 'retry-after-date-blocks') return 1000 * seconds;
    const date = new Date(header).getTime();
    return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
  }
}

/** Sends one request after the other. One that has to wait lets the others pass. */
export class Queue {
  private items: Outgoing[] = [];
  private draining: Promise<void> | undefined;
  private wake: () => void = () => {};
  private isStopped = false;

  constructor(
    private transport: Transport,
    private giveUpAt: number,
  ) {}

  add(method: 'POST' | 'DELETE', path: string, makeBody: () => unknown = () => undefined): Promise<Json> {
    return new Promise((resolve, reject) => {
      this.items.push({ method, path, makeBody, tries: 0, notBefore: 0, wasLost: false, resolve, reject });
      this.wake();
      this.draining ??= this.drain().finally(() => {
        this.draining = undefined;
      });
    });
  }

  /** Resolves when nothing is in flight. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.wake();
    await this.draining;
  }

  private async drain(): Promise<void> {
    while (this.items.length > 0 && !this.isStopped) {
      const index = this.items.findIndex((item) => item.notBefore <= Date.now());
      const item = this.items[index];
      if (item) {
        this.items.splice(index, 1);
        await this.sendItem(item);
      } else {
        const due = Math.min(
          ...this.items.map(({ notBefore }) => notBefore).filter((at) => !Number.isNaN(at)),
        );
        await this.sleep(Math.max(1, Math.min(due - Date.now(), 60_000)));
      }
    }
    for (const item of this.items.splice(0)) item.reject(new Error('The manager is stopped.'));
  }

  private sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private async sendItem(item: Outgoing): Promise<void> {
    const { bug } = this.transport;
    const received = await this.transport.send(item.method, item.path, item.makeBody());
    item.tries++;
    const { status, r } = received;
    const isOk = status >= 200 && status < 300;
    if (isOk && (r !== undefined || item.method === 'DELETE')) return item.resolve(r);
    const isLost = isOk || status === 0 || status >= 500;
    const canRepeat = status === 429 || (isLost && item.path !== '/task');
    if (bug === 'limit-empties-queue' && status === 429) this.items = [];
    if (!canRepeat || item.tries > 7 || Date.now() > this.giveUpAt)
      return item.reject(new Rejected(received, item.wasLost, `${item.method} ${item.path}`));
    item.wasLost ||= isLost;
    item.notBefore = Date.now() + (received.waitMs ?? 300 * item.tries);
    this.items.unshift(item);
  }
}
