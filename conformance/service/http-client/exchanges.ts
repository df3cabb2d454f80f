import { type OperationId, operations } from '../../../spec/generated/operations.js';
import { REDACTED, redactHeaders } from '../../../spec/redact.js';
import { API_PREFIX, classifyRequest, type Exchange } from '../../../spec/vocabulary.js';
import { KeptBodies } from '../../common/kept-bodies.js';
import { Judge } from '../../rules/judge.js';
import type { Rule } from '../../rules/rule.js';
import type { ApiRequest } from './response.js';
import type { Keys } from './target.js';

/** A request in the form that `fetch` takes. */
interface BuiltRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | Uint8Array | FormData | undefined;
  /** The name of the key. */
  owner: string;
}

export interface PreparedRequest extends Pick<BuiltRequest, 'headers' | 'body'> {
  /** The recorded request, without keys. `at` is set when it is sent. */
  exchange: Omit<Exchange, 'seq'>;
}

/** Throws TypeError if a path parameter has no value, which is a defect of the case. */
export function prepareRequest(operation: OperationId, sending: ApiRequest, keys: Keys): PreparedRequest {
  const { method, url, headers, body, owner } = buildRequest(operation, sending, keys);
  return {
    headers,
    body,
    exchange: {
      kind: classifyRequest(operation, sending.body),
      operation,
      organisation: owner,
      ...(canBeRefused(operation, sending) && { may_be_refused: true }),
      request: {
        method,
        url,
        headers: redactHeaders(headers.cookie ? { ...headers, cookie: `apikey=${REDACTED}` } : headers),
        ...describeBody(body),
        at: 0,
      },
    },
  };
}

/** A missing or unknown key has to be refused. */
function canBeRefused(operation: OperationId, { mayBeRefused: may, key }: ApiRequest): boolean {
  return may === true || (operations[operation].auth === 'key' && (key === null || typeof key === 'object'));
}

/** The same without a recorded exchange. */
export function buildRequest(operation: OperationId, sending: ApiRequest, keys: Keys): BuiltRequest {
  const { method, path: template } = operations[operation];
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = sending.path?.[name];
    if (value === undefined) throw new TypeError(`${operation}: no value for {${name}}`);
    return encodeURIComponent(value);
  });
  const { form, raw, query = {}, keyIn } = sending;
  const json = sending.body === undefined ? undefined : JSON.stringify(sending.body);
  const body = raw?.content ?? form ?? json;
  const type = raw || form || json === undefined ? raw?.type : 'application/json';
  const { value, owner } = resolveKey(sending.key, keys);
  const headers: Record<string, string> = { accept: 'application/json' };
  if (type !== undefined) headers['content-type'] = type;
  Object.assign(headers, sending.headers);
  if (value !== undefined && keyIn === 'cookie')
    headers.cookie = [headers.cookie, `apikey=${encodeURIComponent(value)}`].filter(Boolean).join('; ');
  else if (value !== undefined) headers.apikey = value;
  const pairs = Object.entries(query).flatMap(([name, each]) =>
    each === undefined ? [] : [[name, String(each)]],
  );
  const search = pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
  return { method, url: `${API_PREFIX}${path}${search}`, headers, body, owner };
}

function resolveKey(key: ApiRequest['key'], keys: Keys): { value?: string; owner: string } {
  if (key === null) return { owner: 'nobody' };
  if (typeof key === 'object') return { value: key.value, owner: 'stranger' };
  const owner = key ?? 'main';
  const value = keys[owner];
  if (value === undefined) throw new TypeError(`there is no key "${owner}"`);
  return { value, owner };
}

function describeBody(body: PreparedRequest['body']): { body?: string; left_out?: number } {
  if (body === undefined) return {};
  if (typeof body === 'string') return { body };
  if (body instanceof Uint8Array) return { body: `(${body.length} bytes)`, left_out: body.length };
  const parts = [...body].map(([name, value]) =>
    typeof value === 'string' ? name : `${name}: ${value.name}, ${value.size} bytes`,
  );
  return { body: `(multipart: ${parts.join('; ')})`, left_out: 0 };
}

/** Numbers the exchanges of a run and keeps them in the order of their start. */
export class ExchangeRecorder {
  readonly exchanges: Exchange[] = [];
  readonly bodies = new KeptBodies();

  /** `onEnd` is called with each completed exchange. */
  constructor(readonly onEnd: (exchange: Exchange) => void = () => {}) {}

  begin(exchange: Omit<Exchange, 'seq'>): Exchange {
    const begun: Exchange = { seq: this.exchanges.length + 1, ...exchange };
    this.exchanges.push(begun);
    return begun;
  }
}

/** A shared list, since compiled rules are cached per list. */
const NO_RULES: readonly Rule[] = [];

/** The exchanges of one case. Rules observe them as they complete. */
export class ExchangeStream {
  readonly judge: Judge;
  readonly #ended: Exchange[] = [];
  /** Server errors to reads that got another response in a retry, grouped by read. Rules do not observe them. */
  readonly resent: (readonly Exchange[])[] = [];
  #isClosed = false;

  constructor(
    private readonly recorder: ExchangeRecorder,
    rules: readonly Rule[] = NO_RULES,
  ) {
    this.judge = new Judge(rules);
  }

  /** Exchanges that completed before the end of the case. */
  get ended(): readonly Exchange[] {
    return this.#ended;
  }

  begin(exchange: Omit<Exchange, 'seq'>): Exchange {
    return this.recorder.begin(exchange);
  }

  end(exchange: Exchange): void {
    this.recorder.onEnd(exchange);
    if (this.#isClosed) this.#keep(exchange, 'passed');
    else {
      this.#ended.push(exchange);
      this.judge.observe(exchange);
    }
  }

  /** Excludes server errors to one read that finally got another response. */
  setAside(errors: readonly Exchange[]): void {
    this.resent.push(errors);
  }

  /** Ends the case. `failed`: exchanges that show a failure. Cleanup requests are not judged. */
  close(failed: ReadonlySet<number>): void {
    for (const exchange of [...this.#ended.splice(0), ...this.resent.flat()])
      this.#keep(exchange, failed.has(exchange.seq) ? 'failed' : 'passed');
    this.#isClosed = true;
  }

  #keep(exchange: Exchange, interest: 'passed' | 'failed'): void {
    this.recorder.bodies.add(this.recorder.exchanges, exchange.seq - 1, interest);
  }
}
