import type { ClientContext } from '../../../../conformance/client/types.js';

export type Json = ReturnType<typeof JSON.parse>;
export type Payload = Record<string, Json>;

export class HttpError extends Error {
  constructor(
    readonly status: number,
    /** An attempt before this one may have reached the service. */
    readonly maybeDone: boolean,
    what: string,
  ) {
    super(`${what}: ${status === 0 ? 'no response' : `HTTP ${status}`}`);
  }
}

export class Connection {
  readonly closing = new AbortController();
  readonly giveUpAt: number;

  constructor(
    readonly context: ClientContext,
    readonly bug: string | undefined,
  ) {
    this.giveUpAt = Date.now() + 0.9 * context.job.deadline_ms;
    context.signal.addEventListener('abort', () => this.closing.abort(), { once: true });
  }

  async request(method: string, path: string, body?: () => unknown): Promise<Json> {
    const isCreation = path === '/task' && method === 'POST';
    let maybeDone = false;
    for (let attempt = 1; ; attempt++) {
      const { status, json, retryAfter } = await this.attempt(method, path, body?.());
      const isRead = status >= 200 && status < 300;
      if (isRead && (method === 'DELETE' || json?.r !== undefined)) return json?.r;
      if (this.bug === 'html-error-stops-poller' && status >= 500 && json === undefined && method === 'GET')
        return new Promise(() => {});
      const isLost = isRead || status === 0 || status >= 500;
      const canRepeat = status === 429 || (isLost && !isCreation);
      if (!canRepeat || attempt === 8 || Date.now() > this.giveUpAt || this.closing.signal.aborted)
        throw new HttpError(status, maybeDone, `${method} ${path}`);
      maybeDone ||= isLost;
      await this.pause(this.readWait(retryAfter) ?? Math.min(4000, 250 * 2 ** attempt));
    }
  }

  private readWait(retryAfter: string | null): number | undefined {
    if (!retryAfter) return undefined;
    if (/^\d+$/.test(retryAfter)) return 1000 * Number(retryAfter);
    if (this.bug === 'retry-after-date') return 1000 * Number(retryAfter);
    const at = Date.parse(retryAfter);
    return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
  }

  private async attempt(method: string, path: string, body: unknown) {
    const { baseUrl, apiKey, fetch, signal } = this.context;
    const timeOut = new AbortController();
    const abort = () => timeOut.abort();
    const timer = setTimeout(abort, this.bug === 'held-poll-is-lost-task' ? 3000 : 10_000);
    signal.addEventListener('abort', abort);
    const headers: Record<string, string> = { apikey: apiKey, 'content-type': 'application/json' };
    if (this.bug === 'other-headers')
      Object.assign(headers, { accept: '*/*', 'x-client': 'emitter/2 (test)' });
    const base = this.bug === 'extra-slash' ? `${baseUrl}//api/v1` : `${baseUrl}/api/v1`;
    try {
      const init = { method, headers, signal: timeOut.signal };
      const response = await fetch(
        base + path,
        body === undefined ? init : { ...init, body: JSON.stringify(body) },
      );
      const json: Json = await response.json().catch(() => undefined);
      return { status: response.status, json, retryAfter: response.headers.get('retry-after') };
    } catch {
      if (this.bug === 'held-poll-is-lost-task' && method === 'GET')
        return { status: 404, json: {}, retryAfter: null };
      return { status: 0, json: undefined, retryAfter: null };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  }

  pause(ms: number): Promise<void> {
    const { signal } = this.closing;
    return new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const stop = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        resolve();
      };
      const timer = setTimeout(stop, ms);
      signal.addEventListener('abort', stop);
    });
  }
}
