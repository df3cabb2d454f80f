/** The requests of `streams.ts`: retries, back-off and abort signals. */
import type { ClientContext } from '../../../conformance/client/types.js';

type Json = ReturnType<typeof JSON.parse>;

export class HttpFailure extends Error {
  constructor(
    readonly status: number,
    what: string,
  ) {
    super(`${what}: HTTP ${status}`);
  }
}

export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

function parseBody(text: string, bug: string): Json {
  try {
    if (bug === 'numeric-strings')
      return JSON.parse(text, (_, value) => (/^\d+$/.test(value) ? Number(value) : value));
    if (bug === 'trims-text')
      return JSON.parse(text, (_, value) => (typeof value === 'string' ? value.trim() : value));
    return JSON.parse(bug === 'first-64k' ? text.slice(0, 65_536) : text);
  } catch {
    return undefined;
  }
}

function formatBody(body: unknown, bug: string): string {
  const text = JSON.stringify(body, null, bug === 'pretty-json' ? 2 : undefined);
  if (bug !== 'escaped-json') return text;
  return text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function readRetryAfter(header: string | null): number {
  const ms = /^\d+$/.test(header ?? '') ? 1000 * Number(header) : Date.parse(header ?? '') - Date.now();
  return Number.isFinite(ms) ? Math.max(ms, 0) : 0;
}

export type Send = (method: string, path: string, signal: AbortSignal, body?: unknown) => Promise<Json>;

export function createSend({ baseUrl, apiKey, fetch }: ClientContext, deadline: number, bug: string): Send {
  const headers = { apikey: apiKey, 'content-type': 'application/json' };
  return async (method, path, signal, body) => {
    for (let attempt = 1; ; attempt++) {
      let status = 0;
      let wait = Math.min(125 * 2 ** attempt, 4000);
      try {
        const limit = AbortSignal.any([signal, AbortSignal.timeout(20_000)]);
        const init = { method, headers, signal: limit, ...(body ? { body: formatBody(body, bug) } : {}) };
        const response = await fetch(`${baseUrl}/api/v1${path}`, init);
        status = response.status;
        wait = Math.max(wait, readRetryAfter(response.headers.get('retry-after')));
        const json = parseBody(await response.text(), bug);
        if (response.ok && (method === 'DELETE' || json?.r != null)) return json?.r;
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        if (bug === 'held-poll-ends' && (error as Error).name === 'TimeoutError') throw error;
      }
      // The event was accepted, and only the response was lost.
      if (status === 409 && attempt > 1 && path.endsWith('/event')) return {};
      const canRepeat = status === 429 || (path !== '/task' && (status < 400 || status >= 500));
      if (!canRepeat || attempt === 8 || Date.now() + wait > deadline)
        throw new HttpFailure(status, `${method} ${path}`);
      if (status === 429 && bug === 'drops-limited-reply' && body && (body as Json).payload?.code) return {};
      await sleep(wait, signal);
    }
  };
}
