import type { Fault } from '../../scenarios/verbs/verb.js';
import type { EncodingFault } from '../../spec/vocabulary.js';

/**
 * Requests and responses of the pipeline as plain objects. Transports (node:http, fetch, MSW) translate them and do not know tasks; the
 * pipeline creates no Request and no Response.
 */
export interface WireRequest {
  /** Upper case. */
  method: string;
  /** Path and query, not decoded: `/api/v1/task?l=3`. */
  url: string;
  /** Lower-case names. */
  headers: Readonly<Record<string, string | undefined>>;
  /** `TOO_LARGE` if the transport stopped reading at the limit. */
  body: Uint8Array | string | null | 'too-large-body';
  /** True for a request from this machine, as the admin API requires. */
  loopback: boolean;
  /** Number of the connection, on which one request follows the other; undefined if the transport has none. */
  connection?: number | undefined;
  /** Aborted when the client disconnects: pending requests are released. */
  signal?: AbortSignal | undefined;
}

export type MaybePromise<T> = T | Promise<T>;

export const TOO_LARGE = 'too-large-body';

export interface WireResponse {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array;
  /** What the transport does besides sending status, headers and body. */
  fault?: Fault;
  /** Compressed in transit if the client accepts that. A `slow` body is not. */
  compress?: true;
  /** Replaces `body`, with the same content; with a `fault`, up to the point of the fault, where reading it fails. */
  slow?: SlowBody;
  /** Bytes missing in an incomplete `body`. */
  left_out?: number;
  /** Proxy only: the service encoded the body differently from its headers. */
  encoding_fault?: EncodingFault;
  /** Proxy only: the original response, forwarded unchanged while `body` is its text. */
  received?: ReceivedResponse;
}

export interface ReceivedResponse {
  reason: string;
  /** Names and values in turn. */
  headers: readonly string[];
  /** Null if `slow` forwards it while it arrives. */
  body: Uint8Array | null;
  /** The decoded body for rules. */
  text: string | Uint8Array;
}

/** A body that is sent in parts, according to the mock's clock. */
export interface SlowBody {
  stream: ReadableStream<Uint8Array>;
  /** Settles after the last part was sent. */
  end: Promise<void>;
  /** The length is unknown: it continues until the client disconnects. */
  isEndless?: true;
}

/** The error of reading a body that ends too soon. */
export function createTerminatedError(): TypeError {
  return new TypeError('terminated: the connection was closed in the middle of the body');
}

/** Headers of every API response. Browsers may call the API from any page; the admin API sends none of these. */
export const API_HEADERS: Readonly<Record<string, string>> = Object.freeze({
  'content-type': 'application/json',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'retry-after, x-taskdouble-misfit',
});

export function createJsonResponse(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = API_HEADERS,
): WireResponse {
  return { status, headers: headers as Record<string, string>, body: JSON.stringify(body) };
}

/** Characters that are not allowed in header values and reason phrases (RFC 9110, section 5.5). */
const NOT_IN_HEADS = /[^\t\x20-\x7e\x80-\xff]/g;

/** Replaces characters that are not allowed in the head of a message by spaces. */
export const toHeadText = (text: string): string => text.replace(NOT_IN_HEADS, ' ');

/** The key of a request: the header `apikey`, else the cookie of that name. Section "Authentication", rules 1 and 2. */
export function readKey(headers: Readonly<Record<string, string | undefined>>): string | undefined {
  const key = headers.apikey?.trim();
  if (key) return key;
  const { cookie } = headers;
  if (cookie === undefined) return undefined;
  const found = /(?:^|;\s*)apikey=([^;]*)/.exec(cookie)?.[1]?.trim();
  return found || undefined;
}
