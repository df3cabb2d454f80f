import { headerSecretRedactor, redactBody, redactHeaders, redactUrl } from '../../spec/redact.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { keyOf } from '../pipeline/authenticate.js';
import type { RequestContext } from '../pipeline/context.js';
import { isForm } from '../pipeline/read-body.js';
import { TOO_LARGE, type WireRequest, type WireResponse } from '../pipeline/wire.js';
import { toBase64 } from './base64.js';
import { KeyNumbers } from './key-numbers.js';
import { latin1 } from './replay/comparable-request.js';

/** Largest body that a journal file keeps, in bytes (of a text: characters). A larger one is told to be left out. */
export const LARGEST_RECORDED_BODY = 16 * 1024 * 1024;

/** The organisation of requests that belong to none: those of pages. */
export const NO_ORGANISATION = 'none';

/**
 * Writes down every exchange in full, as a replay needs it: bodies whole, binary ones in base64, lost and cut answers as
 * such. Keys are redacted and numbered. Requests of the admin API and those that browsers ask first are left out.
 */
export class Recorder {
  readonly #keys = new KeyNumbers();
  #pages = 0;

  constructor(
    private readonly tell: (exchange: Exchange) => void,
    private readonly origin: () => string,
    private readonly wall: () => number,
  ) {}

  /** A request that is over, to whatever address. */
  call(
    { request: wire, text, exchange, isAbandoned, organisation }: RequestContext,
    answer: WireResponse,
  ): void {
    const said = organisation.journal.describe(exchange);
    const { seq, kind, operation, task, scenario, request, response, network, notes } = said;
    const lost = isAbandoned || answer.fault?.kind === 'drop';
    const redact = headerSecretRedactor(wire.headers as Record<string, string>);
    this.tell({
      seq,
      kind,
      organisation: said.organisation,
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
      ...(lost ? {} : { response: this.#response(answer, response?.at ?? organisation.world.now, redact) }),
      ...(network ? { network } : {}),
      ...(notes ? { notes } : {}),
    });
  }

  /** A request for a page, and what came of it. */
  page(wire: WireRequest, answer: WireResponse): void {
    const at = this.wall();
    const text = typeof wire.body === 'string' ? wire.body : undefined;
    const headers = wire.headers as Record<string, string>;
    const redact = headerSecretRedactor(headers);
    this.tell({
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
      response: this.#response(answer, at, redact),
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

/** The body as a journal file keeps it, without its key. `described`: what the journal says of one that is no text. */
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

/** A form has its fields in plain text. */
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
