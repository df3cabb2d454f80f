import { truncateText } from '../../../spec/show.js';
import type { KeyName } from '../test-case/test-case.js';

/** The request data besides the operation. */
export interface ApiRequest {
  path?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as multipart/form-data instead of `body`. */
  form?: FormData;
  /** Sent unchanged instead of `body` and `form`. */
  raw?: { content: string | Uint8Array; type?: string };
  /** The account whose key is sent; null sends none; `{ value }` sends this value. Default `main`. */
  key?: KeyName | null | { value: string };
  /** Where the key is sent. Default `header`. */
  keyIn?: 'header' | 'cookie';
  /** A refusal is not a finding, for example of an invalid request. The request is not amended. */
  mayBeRefused?: true;
  /** Statuses that are normal responses and cause no retry. */
  takes?: readonly number[];
}

export interface ApiResponse {
  /** The number of its exchange, for evidence. */
  readonly seq: number;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The parsed JSON body; undefined if it is not JSON. */
  readonly body: unknown;
  /** `r` of the envelope; undefined without an envelope. */
  readonly r: unknown;
  /** 2xx. */
  readonly ok: boolean;
  /** Time of arrival, ms of the case's clock. */
  readonly at: number;
  /** The accepted request, if the service needed additional fields. */
  readonly amended?: ApiRequest;
}

/** A temporary refusal: the service did not process the request, and may accept it later. */
export function isTransient({ status, headers }: Pick<ApiResponse, 'status' | 'headers'>): boolean {
  return status === 429 || (status === 503 && 'retry-after' in headers);
}

/** The response on one line, for messages. */
export function summarize({ status, text }: Pick<ApiResponse, 'status' | 'text'>): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return `${status} ${truncateText(line, 160)}`.trim();
}

/** The target sent no response: no connection, or a timeout. */
export class NoResponse extends Error {
  constructor(
    message: string,
    readonly seq: number,
    /** The connection broke, and the request may be retried: HTTP allows it, or the service cannot have processed it. */
    readonly canResend = false,
    /** System error code: `ECONNREFUSED`. */
    readonly code?: string,
  ) {
    super(message);
  }
}
