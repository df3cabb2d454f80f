import { truncateText } from '../../../spec/show.js';
import type { KeyName } from '../test-case/test-case.js';

/** What is sent, beside the operation. */
export interface ApiRequest {
  path?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as multipart/form-data in place of `body`. */
  form?: FormData;
  /** Sent as it stands in place of `body` and `form`. */
  raw?: { content: string | Uint8Array; type?: string };
  /** Whose key; null sends none; `{ value }` sends that one. Default `main`. */
  key?: KeyName | null | { value: string };
  /** Where the key stands. Default `header`. */
  keyIn?: 'header' | 'cookie';
  /** A refusal is no fault, as where it is invalid on purpose. It is sent as it stands; others are amended by what is needed. */
  mayBeRefused?: true;
  /** Statuses that are responses like any other: they are not waited out. */
  takes?: readonly number[];
}

export interface ApiResponse {
  /** Of its exchange, for evidence. */
  readonly seq: number;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body as JSON; undefined when it is none. */
  readonly body: unknown;
  /** `r` of the envelope; undefined when there is none. */
  readonly r: unknown;
  /** 2xx. */
  readonly ok: boolean;
  /** When it came, ms of the case's clock. */
  readonly at: number;
  /** The request as it was accepted, where the service needs more of it than was given. */
  readonly amended?: ApiRequest;
}

/** The service could not take the request at the time and did nothing about it: sent again later it may be taken. */
export function isTransient({ status, headers }: Pick<ApiResponse, 'status' | 'headers'>): boolean {
  return status === 429 || (status === 503 && 'retry-after' in headers);
}

/** The response on one line, for messages. */
export function summarize({ status, text }: Pick<ApiResponse, 'status' | 'text'>): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return `${status} ${truncateText(line, 160)}`.trim();
}

/** The target sent no response: no connection, or none within the time for one request. */
export class NoResponse extends Error {
  constructor(
    message: string,
    readonly seq: number,
    /** The connection broke, and the request may be sent again: HTTP allows it, or the service cannot have processed it. */
    readonly canResend = false,
    /** Of the system: `ECONNREFUSED`. */
    readonly code?: string,
  ) {
    super(message);
  }
}
