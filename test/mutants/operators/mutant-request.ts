import type { Fields } from '../../../conformance/conversation/json.js';
import { readRequestTarget } from '../../../conformance/conversation/request-target.js';
import type { OperationId } from '../../../spec/generated/operations.js';
import { API_PREFIX } from '../../../spec/vocabulary.js';

type MutantBody = string | Uint8Array | FormData | undefined;

/** A request on its way to the service: read it, change it, hand it on. */
export class MutantRequest {
  readonly headers: Record<string, string>;
  readonly url: URL;
  method: string;
  body: MutantBody;
  /** Undefined where none has this path and method. */
  readonly operation: OperationId | undefined;
  /** Values of the path parameters. */
  readonly path: ReadonlyMap<string, string>;

  constructor(
    address: string,
    private readonly init: RequestInit = {},
  ) {
    this.url = new URL(address);
    this.method = (init.method ?? 'GET').toUpperCase();
    this.headers = Object.fromEntries(new Headers(init.headers));
    this.body = init.body as MutantBody;
    const { method, url, headers } = this;
    const wire = { method, url: url.pathname + url.search, headers, at: 0 };
    const { operation, path } = readRequestTarget({ seq: 1, kind: '', organisation: '', request: wire });
    this.operation = operation?.id;
    this.path = path;
  }

  is(...operations: OperationId[]): boolean {
    return this.operation !== undefined && operations.includes(this.operation);
  }

  /** Value of the path parameter `task_id`. */
  get task(): string {
    return this.path.get('task_id') ?? '';
  }

  get query(): URLSearchParams {
    return this.url.searchParams;
  }

  /** `event_t` of a poll; 0 without one. */
  get since(): number {
    return Number(this.query.get('event_t') ?? 0);
  }

  /** The body as an object; empty when it is none. A copy. */
  get json(): Record<string, unknown> {
    const value = this.#parseBody();
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  }

  set json(value: unknown) {
    this.body = JSON.stringify(value);
  }

  /** Payload of an event that is sent. */
  get payload(): Fields {
    const { payload } = this.json;
    return typeof payload === 'object' && payload !== null ? (payload as Fields) : {};
  }

  /** The key, wherever it stands. */
  get key(): string | undefined {
    const cookie = /(?:^|;\s*)apikey=([^;]*)/.exec(this.headers.cookie ?? '')?.[1];
    return this.headers.apikey || (cookie === undefined ? undefined : decodeURIComponent(cookie));
  }

  set key(value: string | undefined) {
    delete this.headers.cookie;
    if (value === undefined) delete this.headers.apikey;
    else this.headers.apikey = value;
  }

  /** The same request at another address below `/api/v1`, or with another method; without its body. */
  derive(method: string, path: string): MutantRequest {
    const { cookie, apikey } = this.headers;
    const headers: Record<string, string> = { accept: 'application/json' };
    if (cookie !== undefined) headers.cookie = cookie;
    if (apikey !== undefined) headers.apikey = apikey;
    const { body: _, ...init } = this.init;
    return new MutantRequest(this.url.origin + API_PREFIX + path, { ...init, method, headers });
  }

  copy(): MutantRequest {
    return new MutantRequest(String(this.url), this.toInit());
  }

  toInit(): RequestInit {
    const { body: _, ...init } = this.init;
    const { method, headers, body } = this;
    return body === undefined
      ? { ...init, method, headers }
      : { ...init, method, headers, body: body as BodyInit };
  }

  #parseBody(): unknown {
    if (typeof this.body !== 'string') return undefined;
    try {
      return JSON.parse(this.body);
    } catch {
      return undefined;
    }
  }
}
