import type { Fault } from '../../scenarios/verbs/verb.js';
import type { EncodingFault } from '../../spec/vocabulary.js';

/**
 * A request and a response as plain objects, which the pipeline takes and gives. Transports (node:http, fetch, MSW) translate
 * to and from them and know nothing of tasks; the pipeline builds no Request and no Response.
 */
export interface WireRequest {
  /** Upper case. */
  method: string;
  /** Path and query as they were sent: `/api/v1/task?l=3`. */
  url: string;
  /** Lower-case names. */
  headers: Readonly<Record<string, string | undefined>>;
  /** `TOO_LARGE` when the transport stopped reading at the bound. */
  body: Uint8Array | string | null | 'too-large-body';
  /** True when the request comes from this machine, as the admin API requires. */
  loopback: boolean;
  /** Aborted when the client disconnects: pending requests are released. */
  signal?: AbortSignal | undefined;
}

export type MaybePromise<T> = T | Promise<T>;

/** Marks a body that the transport stopped reading. */
export const TOO_LARGE = 'too-large-body';

export interface WireResponse {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array;
  /** What the transport has to do besides sending status, headers and body. */
  fault?: Fault;
  /** Compressed on the way, where the client accepts that. A `slow` body is not. */
  compress?: true;
  /** Replaces `body`, with the same content; with a `fault`, up to the point of the fault, where reading it fails. */
  slow?: SlowBody;
  /** How much of the body is not in `body`, which is a part of it then: bytes. */
  left_out?: number;
  /** Of a proxy: the service encoded the body otherwise than its headers say. */
  encoding_fault?: EncodingFault;
  /** Of a proxy: what the service sent, which is passed on as it is as long as `body` is the text of it. */
  received?: ReceivedResponse;
}

/** A response as it came from the service behind a proxy. */
export interface ReceivedResponse {
  reason: string;
  /** Names and values in turn. */
  headers: readonly string[];
  /** Null where it is passed on as it comes, by `slow`. */
  body: Uint8Array | null;
  /** The body decoded, as rules see it. */
  text: string | Uint8Array;
}

/** A body that arrives in parts, as time passes on the mock's clock. */
export interface SlowBody {
  stream: ReadableStream<Uint8Array>;
  /** Settles once the last part has left. */
  end: Promise<void>;
  /** Nobody knows its length: it goes on until the client leaves. */
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

/** A JSON response. */
export function createJsonResponse(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = API_HEADERS,
): WireResponse {
  return { status, headers: headers as Record<string, string>, body: JSON.stringify(body) };
}

/** Characters that neither the value of a header nor a reason phrase may have (RFC 9110, section 5.5). */
const NOT_IN_HEADS = /[^\t\x20-\x7e\x80-\xff]/g;

/** A text as the head of a message may have it: characters that are not allowed there become spaces. */
export const toHeadText = (text: string): string => text.replace(NOT_IN_HEADS, ' ');
