import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';

/** A request as undici (the platform's `fetch`) tells of it. */
interface UndiciRequest {
  origin?: string | URL;
}

/** Counts the requests that this process makes through `fetch`, undici and node:http. */
export class RequestCount {
  /** Requests to the service, ever. */
  started = 0;
  /** Of these, those that were given up before anything of them was sent. */
  unsent = 0;
  /** Raised whenever one begins or ends. */
  changes = 0;
  /** Those of undici under way, and whether their head has been sent. */
  #undici = new Map<UndiciRequest, { ours: boolean; sent: boolean }>();
  #http = new Map<ClientRequest, boolean>();
  readonly #port: string | undefined;
  readonly #host: string | undefined;

  constructor(base_url: string | undefined) {
    const url = base_url !== undefined && URL.canParse(base_url) ? new URL(base_url) : undefined;
    this.#host = url?.hostname;
    this.#port = url && portOf(url);
    this.#watchUndici();
    this.#watchHttp();
  }

  /** Requests to the service that wait for their answer or for the rest of it. */
  open(): number {
    return this.#count(true);
  }

  /** The same of requests to anybody else. */
  openElsewhere(): number {
    return this.#count(false);
  }

  #count(ours: boolean): number {
    let count = 0;
    for (const request of this.#undici.values()) if (request.ours === ours) count++;
    for (const [request, isOurs] of this.#http) {
      // An answer that nobody reads is complete all the same.
      const res = (request as ClientRequest & { res?: { complete: boolean } }).res;
      if (isOurs === ours && !request.destroyed && !res?.complete) count++;
    }
    return count;
  }

  #watchUndici(): void {
    subscribe('undici:request:create', (message) => {
      const { request } = message as { request: UndiciRequest };
      const ours = this.#isOurs(String(request.origin));
      this.#undici.set(request, { ours, sent: false });
      if (ours) this.started++;
      this.changes++;
    });
    subscribe('undici:client:sendHeaders', (message) => {
      const entry = this.#undici.get((message as { request: UndiciRequest }).request);
      if (entry) entry.sent = true;
    });
    const over = (message: unknown) => {
      const { request } = message as { request: UndiciRequest };
      const entry = this.#undici.get(request);
      if (!entry) return;
      this.#undici.delete(request);
      if (entry.ours && !entry.sent) this.unsent++;
      this.changes++;
    };
    subscribe('undici:request:trailers', over);
    subscribe('undici:request:error', over);
  }

  #watchHttp(): void {
    subscribe('http.client.request.start', (message) => {
      const { request } = message as { request: ClientRequest };
      const ours = this.#isOurs(`${request.protocol}//${request.getHeader('host')}`);
      this.#http.set(request, ours);
      if (ours) this.started++;
      this.changes++;
      request.once('close', () => {
        this.#http.delete(request);
        const sent = request.reusedSocket || (request.socket?.bytesWritten ?? 0) > 0;
        if (ours && !sent) this.unsent++;
        this.changes++;
      });
    });
  }

  #isOurs(origin: string): boolean {
    if (this.#host === undefined || !URL.canParse(origin)) return true;
    const url = new URL(origin);
    if (portOf(url) !== this.#port) return false;
    return url.hostname === this.#host || (isLoopback(url.hostname) && isLoopback(this.#host));
  }
}

function portOf(url: URL): string {
  return url.port || (url.protocol === 'https:' ? '443' : '80');
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host.startsWith('127.');
}
