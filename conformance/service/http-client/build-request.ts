import { type Operation, type OperationId, operations } from '../../../spec/generated/operations.js';
import { API_PREFIX, type RequestKind, requestKindOf } from '../../../spec/vocabulary.js';
import type { KeyName } from '../test-case/test-case.js';
import type { ApiRequest } from './response.js';

/** A request ready to be sent, and what may be told of it. */
export interface Prepared {
  operation: OperationId | undefined;
  kind: RequestKind;
  method: string;
  /** Path and query. */
  path: string;
  headers: Record<string, string>;
  /** The headers without keys: these alone are kept. */
  shown: Record<string, string>;
  body: string | Uint8Array | FormData | undefined;
  /** The body as it is kept. */
  text: string | undefined;
  organisation: string;
}

const REDACTED = '<redacted>';

/** Throws TypeError where a path parameter has no value: a mistake of the case. */
export function prepareOperation(
  id: OperationId,
  sending: ApiRequest,
  keys: Readonly<Partial<Record<KeyName, string>>>,
): Prepared {
  const operation: Operation = operations[id];
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = sending.path?.[name];
    if (value === undefined) throw new TypeError(`${id}: no value for {${name}}`);
    return encodeURIComponent(value);
  });
  return prepare(operation.method, path, sending, keys, id);
}

export function prepare(
  method: string,
  path: string,
  sending: ApiRequest,
  keys: Readonly<Partial<Record<KeyName, string>>>,
  operation?: OperationId,
): Prepared {
  const headers: Record<string, string> = { accept: 'application/json', ...sending.headers };
  const body = bodyOf(sending, headers);
  const { value, name } = keyOf(sending.key, keys);
  const shown = { ...headers };
  if (value !== undefined) {
    const inCookie = sending.keyIn === 'cookie';
    headers[inCookie ? 'cookie' : 'apikey'] = inCookie ? `apikey=${encodeURIComponent(value)}` : value;
    shown[inCookie ? 'cookie' : 'apikey'] = inCookie ? `apikey=${REDACTED}` : REDACTED;
  }
  return {
    operation,
    kind: operation === undefined ? 'other' : requestKindOf(operation, sending.body),
    method,
    path: `${API_PREFIX}${path}${queryOf(sending.query)}`,
    headers,
    shown,
    body,
    text: body instanceof FormData ? describeForm(body) : textOf(body),
    organisation: name,
  };
}

function keyOf(
  key: ApiRequest['key'],
  keys: Readonly<Partial<Record<KeyName, string>>>,
): { value?: string; name: string } {
  if (key === null) return { name: 'nobody' };
  if (typeof key === 'object') return { value: key.value, name: 'stranger' };
  const name = key ?? 'main';
  const value = keys[name];
  if (value === undefined) throw new TypeError(`there is no key "${name}"`);
  return { value, name };
}

function bodyOf(sending: ApiRequest, headers: Record<string, string>): Prepared['body'] {
  if (sending.form) return sending.form;
  if (sending.raw) {
    if (sending.raw.type !== undefined) headers['content-type'] ??= sending.raw.type;
    return sending.raw.content;
  }
  if (sending.body === undefined) return undefined;
  headers['content-type'] ??= 'application/json';
  return JSON.stringify(sending.body);
}

function queryOf(query: ApiRequest['query']): string {
  const pairs = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  if (pairs.length === 0) return '';
  return `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}`;
}

function textOf(body: string | Uint8Array | undefined): string | undefined {
  return body instanceof Uint8Array ? `(${body.length} bytes)` : body;
}

function describeForm(form: FormData): string {
  const parts = [...form].map(([name, value]) =>
    typeof value === 'string' ? name : `${name}: ${value.name}, ${value.size} bytes`,
  );
  return `(multipart: ${parts.join('; ')})`;
}
