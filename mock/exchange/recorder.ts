import { hashText } from '../../spec/hash.js';
import { createHeaderRedactor, redactBody, redactHeaders, redactUrl } from '../../spec/redact.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { type DecodedBody, decodeBody, describeBody, isForm, toLatin1 } from './body.js';
import { type JournalEntry, toExchange } from './journal-entry.js';
import { readKey, TOO_LARGE, type WireRequest, type WireResponse } from './wire.js';

/** Largest body in a journal file, in bytes (of a text: characters). A larger one is left out, with its size in `left_out`. */
export const LARGEST_RECORDED_BODY = 16 * 1024 * 1024;

interface CompletedRequest {
  request: WireRequest;
  exchange: JournalEntry;
  organisation: { name: string; now: number };
  /** The client disconnected before the response. */
  isAbandoned: boolean;
}

/** The organisation of page requests, which belong to none. */
export const NO_ORGANISATION = 'none';

/**
 * Records every exchange in full for replays: complete bodies, binary ones in base64, dropped and truncated responses marked. Keys are
 * redacted and numbered. Requests of the admin API and preflight requests are not recorded.
 */
export class Recorder {
  /** Numbers of API keys, by the hash of the key: a journal file contains no keys. */
  readonly #keys = new Map<number, number>();
  #pages = 0;

  constructor(
    private readonly onRecord: (exchange: Exchange) => void,
    private readonly origin: () => string,
    private readonly wall: () => number,
  ) {}

  recordExchange(
    { request: wire, exchange, isAbandoned, organisation }: CompletedRequest,
    sent: WireResponse,
  ): void {
    const described = toExchange(exchange, organisation.name);
    const {
      seq,
      kind,
      organisation: name,
      request,
      response,
      network,
      upstream,
      notes,
      ...about
    } = described;
    const isLost = isAbandoned || sent.fault?.kind === 'drop';
    this.onRecord({
      seq,
      kind,
      organisation: name,
      key: this.#assignNumber(readKey(wire.headers) ?? ''),
      ...about,
      request: recordRequest(wire, request.at),
      ...(!isLost && { response: this.#recordResponse(wire, sent, response?.at ?? organisation.now) }),
      ...(network && { network }),
      ...(upstream && { upstream }),
      ...(notes && { notes }),
    });
  }

  recordPage(wire: WireRequest, sent: WireResponse): void {
    const at = this.wall();
    this.onRecord({
      seq: ++this.#pages,
      kind: 'page',
      organisation: NO_ORGANISATION,
      request: recordRequest(wire, at),
      response: this.#recordResponse(wire, sent, at),
    });
  }

  /** In the order of first use. A replay treats exchanges with one number as one client. */
  #assignNumber(key: string): number {
    const hash = hashText(key);
    const number = this.#keys.get(hash) ?? this.#keys.size + 1;
    this.#keys.set(hash, number);
    return number;
  }

  #recordResponse(
    wire: WireRequest,
    { status, headers, fault, left_out, encoding_fault, ...sent }: WireResponse,
    at: number,
  ) {
    const body = wire.method === 'HEAD' ? '' : sent.body;
    const redact = createHeaderRedactor(wire.headers as Record<string, string>);
    const origin = this.origin();
    return {
      status,
      headers,
      ...(left_out !== undefined
        ? { body: `(${body.length + left_out} bytes)`, left_out: body.length + left_out }
        : typeof body === 'string'
          ? recordText(redact(body))
          : recordBytes(toLatin1(body))),
      ...(encoding_fault && { encoding_fault }),
      ...(fault?.kind === 'truncate' && { cut_at: fault.bytes }),
      ...(typeof body === 'string' && body.includes(origin) && { origin }),
      at,
    };
  }
}

type RecordedBody = Pick<
  NonNullable<Exchange['response']>,
  'body' | 'body_base64' | 'left_out' | 'encoding_fault'
>;

/** A complete request in the form of a journal file, without its key. `at` in ms. */
export function recordRequest(wire: WireRequest, at: number): Exchange['request'] {
  const headers = wire.headers as Record<string, string>;
  const redact = createHeaderRedactor(headers);
  return {
    method: wire.method,
    url: redact(redactUrl(wire.url)),
    headers: redactHeaders(headers, redact),
    ...recordRequestBody(wire, redact),
    at,
  };
}

function recordRequestBody(wire: WireRequest, redact: (text: string) => string): Partial<RecordedBody> {
  const { body } = wire;
  if (body === null || body.length === 0) return {};
  if (body === TOO_LARGE) return describeBody(wire)!;
  const { body: read, encoding_fault }: DecodedBody =
    typeof body === 'string' || isForm(wire)
      ? { body }
      : decodeBody(body, wire.headers, LARGEST_RECORDED_BODY);
  if (typeof read === 'string' && !isForm(wire))
    return { ...recordText(redact(redactBody(read))), ...(encoding_fault && { encoding_fault }) };
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  // The fields of a form are plain text.
  return recordBytes(redact(toLatin1(bytes)), describeBody(wire)!.body);
}

function recordText(body: string): RecordedBody {
  return body.length <= LARGEST_RECORDED_BODY
    ? { body }
    : { body: `(${body.length} characters)`, left_out: body.length };
}

/** `bytes` as latin1 text. */
function recordBytes(bytes: string, body = `(${bytes.length} bytes)`): RecordedBody {
  return bytes.length <= LARGEST_RECORDED_BODY
    ? { body, body_base64: btoa(bytes) }
    : { body, left_out: bytes.length };
}
