import { hashOf } from '../../spec/hash.js';
import { headerSecretRedactor, redactBody, redactHeaders, redactUrl } from '../../spec/redact.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { keyOf } from '../pipeline/authenticate.js';
import type { RequestContext } from '../pipeline/context.js';
import { isForm } from '../pipeline/read-body.js';
import { TOO_LARGE, type WireRequest, type WireResponse } from '../pipeline/wire.js';
import { toBase64 } from './base64.js';
import { latin1 } from './replay/comparable-request.js';

/** Largest body in a journal file, in bytes (of a text: characters). A larger one is left out, with its size in `left_out`. */
export const LARGEST_RECORDED_BODY = 16 * 1024 * 1024;

/** The organisation of page requests, which belong to none. */
export const NO_ORGANISATION = 'none';

/**
 * Records every exchange in full, as a replay needs it: complete bodies, binary ones in base64, dropped and truncated responses marked.
 * Keys are redacted and numbered. Requests of the admin API and preflight requests are not recorded.
 */
export class Recorder {
  readonly #keys = new KeyNumbers();
  #pages = 0;

  constructor(
    private readonly onRecord: (exchange: Exchange) => void,
    private readonly origin: () => string,
    private readonly wall: () => number,
  ) {}

  /** Records a completed request. */
  call(
    { request: wire, text, exchange, isAbandoned, organisation }: RequestContext,
    sent: WireResponse,
  ): void {
    const described = organisation.journal.describe(exchange);
    const { seq, kind, operation, task, scenario, request, response, network, notes } = described;
    const lost = isAbandoned || sent.fault?.kind === 'drop';
    const redact = headerSecretRedactor(wire.headers as Record<string, string>);
    this.onRecord({
      seq,
      kind,
      organisation: described.organisation,
      key: this.#keys.of(keyOf(wire.headers) ?? ''),
      ...(operation === undefined ? {} : { operation }),
      ...(task === undefined ? {} : { task }),
      ...(scenario === undefined ? {} : { scenario }),
      request: {
        method: request.method,
        url: request.url,
        headers: request.headers,
        ...requestBody(wire, isForm(wire) ? undefined : text, redact, request.body),
        at: request.at,
      },
      ...(lost ? {} : { response: this.#response(sent, response?.at ?? organisation.world.now, redact) }),
      ...(network ? { network } : {}),
      ...(notes ? { notes } : {}),
    });
  }

  /** Records a request for a page. */
  page(wire: WireRequest, sent: WireResponse): void {
    const at = this.wall();
    const text = typeof wire.body === 'string' ? wire.body : undefined;
    const headers = wire.headers as Record<string, string>;
    const redact = headerSecretRedactor(headers);
    this.onRecord({
      seq: ++this.#pages,
      kind: 'page',
      organisation: NO_ORGANISATION,
      request: {
        method: wire.method,
        url: redact(redactUrl(wire.url)),
        headers: redactHeaders(headers, redact),
        ...requestBody(wire, text, redact),
        at,
      },
      response: this.#response(sent, at, redact),
    });
  }

  #response(
    { status, headers, body, fault }: WireResponse,
    at: number,
    redact: Redact,
  ): NonNullable<Exchange['response']> {
    const origin = this.origin();
    return {
      status,
      headers,
      ...(typeof body === 'string' ? textBody(redact(body)) : binaryBody(body)),
      ...(fault?.kind === 'truncate' ? { cut_at: fault.bytes } : {}),
      ...(typeof body === 'string' && body.includes(origin) ? { origin } : {}),
      at,
    };
  }
}

type Redact = (text: string) => string;
type RequestBody = Pick<Exchange['request'], 'body' | 'body_base64' | 'left_out'>;

/** The body as a journal file keeps it, without its key. `described`: the journal's description of a body that is not text. */
export function requestBody(
  { body }: WireRequest,
  text: string | undefined,
  redact: Redact,
  described?: string,
): RequestBody {
  if (body === null || body === '' || body === TOO_LARGE)
    return described === undefined ? {} : { body: described, left_out: 0 };
  if (text !== undefined) return textBody(redact(redactBody(text)));
  const bytes = redactBytes(typeof body === 'string' ? new TextEncoder().encode(body) : body, redact);
  const { left_out, body_base64 } = binaryBody(bytes);
  return {
    body: described ?? `(${bytes.length} bytes)`,
    ...(left_out === undefined ? { body_base64 } : { left_out }),
  };
}

/** The fields of a form are plain text. */
function redactBytes(bytes: Uint8Array, redact: Redact): Uint8Array {
  const text = latin1(bytes);
  const shown = redact(text);
  return shown === text ? bytes : Uint8Array.from(shown, (character) => character.charCodeAt(0));
}

function textBody(body: string): { body: string; left_out?: number } {
  return body.length <= LARGEST_RECORDED_BODY
    ? { body }
    : { body: `(${body.length} characters)`, left_out: body.length };
}

function binaryBody(bytes: Uint8Array): { body: string; body_base64?: string; left_out?: number } {
  const body = `(${bytes.length} bytes)`;
  return bytes.length <= LARGEST_RECORDED_BODY
    ? { body, body_base64: toBase64(bytes) }
    : { body, left_out: bytes.length };
}

/** Keys that are numbered in the order of their first use. */
const MOST_COUNTED = 10_000;

/**
 * Numbers API keys for a journal file, which contains no keys: a replay treats exchanges with one number as one client. The first 10,000
 * keys are counted. Further keys get a number derived from the key, so that memory is bounded and no key changes its number.
 */
export class KeyNumbers {
  /** By the hash of the key. */
  readonly #numbers = new Map<number, number>();

  constructor(private readonly most = MOST_COUNTED) {}

  of(key: string): number {
    const made = hashOf(key);
    const known = this.#numbers.get(made);
    if (known !== undefined) return known;
    if (this.#numbers.size >= this.most) return this.most + 1 + made;
    const number = this.#numbers.size + 1;
    this.#numbers.set(made, number);
    return number;
  }
}
