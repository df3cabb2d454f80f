import { expect } from 'vitest';
import { route } from '../../../mock/exchange/route.js';
import type { OperationId } from '../../../spec/types.js';
import { API_PREFIX } from '../../../spec/vocabulary.js';

interface PrismRequest {
  /** Default: `tour`. */
  key?: string;
  json?: unknown;
  form?: FormData;
  headers?: Record<string, string>;
  /** Expected status. Default: 200. */
  status?: number;
}

/** The result of Prism for one exchange. */
interface PrismResult {
  status: number;
  /** Message of Prism about a violation in the request or response. */
  violation: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  body: any;
}

/** Sends requests through a Prism proxy and records the statuses. */
export class PrismClient {
  /** Statuses by operation. */
  readonly seen = new Map<OperationId, Set<number>>();
  exchanges = 0;

  constructor(private readonly url: string) {}

  /** Sends a request, expects no violation, and resolves to the body. */
  async send(method: string, path: string, sent: PrismRequest = {}) {
    const { status, violation, body } = await this.request(method, path, sent);
    expect(violation, `${method} ${path}`).toBeUndefined();
    expect(status, `${method} ${path}: ${JSON.stringify(body)}`).toBe(sent.status ?? 200);
    const found = route(method, API_PREFIX + path.split('?')[0]!);
    if (!('operation' in found)) throw new Error(`no operation at ${method} ${path}`);
    const statuses = this.seen.get(found.operation.id) ?? new Set();
    this.seen.set(found.operation.id, statuses.add(status));
    return body;
  }

  async request(
    method: string,
    path: string,
    { key = 'tour', json, form, headers }: PrismRequest = {},
  ): Promise<PrismResult> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        apikey: key,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: form ?? (json === undefined ? null : JSON.stringify(json)),
    });
    this.exchanges++;
    const text = await response.text();
    const own = response.headers.get('content-type')?.startsWith('application/problem+json');
    const violation = own ? text : (response.headers.get('sl-violations') ?? undefined);
    return { status: response.status, violation, body: text === '' ? undefined : JSON.parse(text) };
  }
}

/** The `base_url` of a mock in the form that Prism needs. */
export function toUpstreamUrl(base_url: string): string {
  return base_url + API_PREFIX;
}

/** A form with one file for each name, and texts. */
export function createForm(parts: Record<string, string | File[]>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(parts)) {
    if (typeof value === 'string') form.append(name, value);
    else for (const file of value) form.append(name, file);
  }
  return form;
}

export function createTextFile(name: string, text: string): File {
  return new File([text], name, { type: 'text/plain' });
}

/** An archive without files. */
export function createEmptyZip(name: string): File {
  return new File([Uint8Array.from([0x50, 0x4b, 5, 6, ...Array<number>(18).fill(0)])], name);
}
