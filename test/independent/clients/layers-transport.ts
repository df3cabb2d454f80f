/** The lower layers of `layers.ts`: HTTP with repetition, and one method for each operation. */
import type { ClientContext } from '../../../conformance/client/types.js';

type Json = ReturnType<typeof JSON.parse>;

export interface RequestOptions {
  query?: Record<string, string | number | boolean>;
  body?: Json;
  signal?: AbortSignal;
  /** Statuses that may be repeated. 0 is a lost or incomplete response. */
  canRepeat?: (status: number) => boolean;
}

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly attempts: number,
    message: string,
  ) {
    super(message);
  }
}

export interface Deferred<T> {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (reason: unknown) => void;
}

export function defer<T>(): Deferred<T> {
  const parts: Partial<Deferred<T>> = {};
  const promise = new Promise<T>((resolve, reject) => Object.assign(parts, { resolve, reject }));
  return { promise, ...parts } as Deferred<T>;
}

export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  const { promise, resolve } = defer<void>();
  const timer = setTimeout(() => resolve(), ms);
  const onAbort = () => {
    clearTimeout(timer);
    resolve();
  };
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  return promise.finally(() => signal?.removeEventListener('abort', onAbort));
}

const isTransient = (status: number): boolean => status === 429 || status < 400 || status >= 500;
const isBusy = (status: number): boolean => status === 429;

function renameKeys(value: Json, rename: (key: string) => string): Json {
  if (Array.isArray(value)) return value.map((item) => renameKeys(item, rename));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [rename(key), renameKeys(item, rename)]),
  );
}

const toCamelCase = (key: string): string => key.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
const toSnakeCase = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
/** Fields of the envelope keep their names in both directions. */
const OWN_FIELDS = new Set('live_url recording_url downloads_url credits_used tool_call'.split(' '));

export class Transport {
  private failures = 0;
  private requests = 0;

  constructor(
    private readonly context: ClientContext,
    private readonly deadline: number,
    private readonly bug: string,
  ) {}

  async request(method: string, path: string, options: RequestOptions = {}): Promise<Json> {
    const { bug } = this;
    const { signal, canRepeat = isTransient } = options;
    for (let attempt = 1; ; attempt++) {
      const { status, json, retryAfter } = await this.send(method, path, options, attempt);
      if (status >= 200 && status < 300 && json !== undefined) return json;
      const failures = bug === 'shared-retries' ? ++this.failures : attempt;
      const wait = Math.max(retryAfter, Math.min(500 * 2 ** (attempt - 1), 8000));
      const delay = bug === 'seconds-as-ms' && retryAfter > 0 ? retryAfter / 1000 : wait;
      // An incomplete response says nothing, whatever its status.
      const isOver = failures >= 7 || Date.now() + delay > this.deadline || signal?.aborted;
      if (isOver || !canRepeat(status < 400 ? 0 : status))
        throw new ApiError(status, attempt, `${method} ${path}: HTTP ${status || 'failure'}`);
      await pause(delay, signal);
      if (signal?.aborted) throw new ApiError(0, attempt, 'No longer needed.');
    }
  }

  private async send(method: string, path: string, options: RequestOptions, attempt: number) {
    const { bug, context } = this;
    const result: { status: number; json: Json; retryAfter: number } = {
      status: 0,
      json: undefined,
      retryAfter: 0,
    };
    const query = new URLSearchParams(
      Object.entries(options.query ?? {}).map(([key, value]) => [key, String(value)]),
    );
    const base = bug === 'extra-slashes' ? `${context.baseUrl}//api/v1/` : `${context.baseUrl}/api/v1`;
    const url = `${base}${path}${query.size > 0 ? `?${query}` : ''}`;
    const isEmpty = options.body === undefined || (bug === 'repeats-without-body' && attempt > 1);
    const ends = [AbortSignal.timeout(30_000), ...(options.signal ? [options.signal] : [])];
    try {
      const response = await context.fetch(url, {
        method,
        headers: this.buildHeaders(),
        signal: AbortSignal.any(ends),
        ...(isEmpty ? {} : { body: this.encode(options.body) }),
      });
      result.status = response.status;
      const after = response.headers.get('retry-after')?.trim() ?? '';
      const ms = /^\d+(\.\d+)?$/.test(after) ? Number(after) * 1000 : Date.parse(after) - Date.now();
      if (ms > 0) result.retryAfter = ms;
      const text = await response.text();
      if (bug === 'html-ends-run' && response.status >= 500) JSON.parse(text || '{}');
      if (response.ok) result.json = method === 'DELETE' ? true : this.decode(text);
    } catch (error) {
      if (bug === 'html-ends-run' && error instanceof SyntaxError) throw error;
      if (bug === 'truncated-is-end' && result.status > 0 && method === 'GET') result.json = {};
      if (result.status === 200 && method === 'DELETE') result.json = true;
    }
    return result;
  }

  private buildHeaders(): Record<string, string> {
    const { bug, context } = this;
    const type = { 'content-type': 'application/json' };
    if (bug === 'upper-case-header') return { ...type, APIKEY: context.apiKey };
    const own = { ...type, apikey: context.apiKey };
    if (bug !== 'more-headers') return own;
    return {
      ...own,
      accept: 'application/json',
      'user-agent': 'layers/1.0',
      'x-request-number': `${++this.requests}`,
    };
  }

  private encode(body: Json): string {
    if (this.bug === 'snake-case') return JSON.stringify(renameKeys(body, toSnakeCase));
    return JSON.stringify(body);
  }

  /** The payload of the envelope. Throws if there is none. */
  private decode(text: string): Json {
    const { bug } = this;
    let { r } = JSON.parse(text);
    if (bug === 'camel-case') r = renameKeys(r, (key) => (OWN_FIELDS.has(key) ? key : toCamelCase(key)));
    if (bug === 'revives-dates')
      r = JSON.parse(JSON.stringify(r), (_, value) =>
        /^\d{4}-\d\d-\d\d(T|$)/.test(value) && !Number.isNaN(Date.parse(value)) ? new Date(value) : value,
      );
    if (bug === 'long-digits')
      r = JSON.parse(JSON.stringify(r), (_, value) => (/^\d{16,}$/.test(value) ? `${Number(value)}` : value));
    if (bug === 'unescapes-html')
      r = JSON.parse(
        JSON.stringify(r).replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
      );
    if (bug === 'removes-empty')
      r = JSON.parse(JSON.stringify(r), (key, value) =>
        key !== 'events' && Array.isArray(value) && value.length === 0 ? undefined : value,
      );
    if (r === null || r === undefined) throw new Error('The response has no field r.');
    return r;
  }
}

/** A thin method for each operation that the handles need. */
export class ApiClient {
  constructor(
    private readonly transport: Transport,
    private readonly bug: string,
  ) {}

  createTask(body: Json): Promise<Json> {
    const isRefusal = (status: number) => isBusy(status) || status === 503;
    // A second creation after a lost response could be a second task.
    const canRepeat = this.bug === 'creation-after-503' ? isRefusal : isBusy;
    return this.transport.request('POST', '/task', { body, canRepeat });
  }

  getTask(id: string, eventT: number, signal: AbortSignal): Promise<Json> {
    const query: RequestOptions['query'] = { event_t: eventT };
    if (this.bug === 'explicit-downloads') query.downloads = false;
    return this.transport.request('GET', `/task/${encodeURIComponent(id)}`, {
      query,
      signal,
    });
  }

  readTask(id: string, downloads: boolean): Promise<Json> {
    return this.transport.request('GET', `/task/${encodeURIComponent(id)}`, {
      query: downloads ? { downloads } : {},
    });
  }

  stopTask(id: string, signal: AbortSignal): Promise<Json> {
    return this.transport.request('DELETE', `/task/${encodeURIComponent(id)}`, { signal });
  }

  /** Resolves as well if an earlier attempt has arrived: 409 on a repetition. */
  async sendEvent(id: string, event: Json, signal: AbortSignal): Promise<void> {
    const options = { body: event, signal };
    await this.transport
      .request('POST', `/task/${encodeURIComponent(id)}/event`, options)
      .catch((error: unknown) => {
        const isRepetition = error instanceof ApiError && error.status === 409 && error.attempts > 1;
        if (!isRepetition) throw error;
      });
  }

  getVisibility(id: string): Promise<Json> {
    return this.transport.request('GET', `/task/${encodeURIComponent(id)}/visibility`);
  }
}
