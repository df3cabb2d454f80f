import type { Operation } from '../../spec/generated/operations.js';
import { shorten } from '../../spec/show.js';
import { type InvalidInput, invalidBody } from './errors.js';
import { TOO_LARGE, type WireRequest } from './wire.js';

/** Deepest nesting of a JSON body. */
const DEEPEST_BODY = 64;

const utf8 = new TextDecoder('utf-8', { fatal: true });

export function isForm({ headers }: WireRequest): boolean {
  return headers['content-type']?.startsWith('multipart/') === true;
}

/** The text of bytes; undefined when they are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The body as text; undefined when there is none, for a form, and when it is not UTF-8. */
export function bodyText(request: WireRequest, operation: Operation | undefined): string | undefined {
  const { body } = request;
  const isFormHere = operation ? operation.body?.kind === 'multipart' : isForm(request);
  if (body === null || body === TOO_LARGE || isFormHere) return undefined;
  return typeof body === 'string' ? body : decodeUtf8(body);
}

/** The journal describes a body that is not text. Undefined for no body. */
export function describeBody(request: WireRequest): { body: string; left_out: number } | undefined {
  const { body } = request;
  if (body === null || body === '') return undefined;
  if (body === TOO_LARGE) return { body: '(too large to be read)', left_out: 0 };
  const kind = isForm(request) ? 'multipart' : 'no UTF-8 text';
  return { body: `(${body.length} bytes, ${kind})`, left_out: body.length };
}

/** Reads a JSON body, bounded in depth: its value, or what is wrong with it. `text` is what could be read of it. */
export function parseJson(
  body: WireRequest['body'],
  text: string | undefined,
): { value?: unknown; problem?: InvalidInput } {
  if (body === TOO_LARGE) return {};
  if (text === undefined && body !== null)
    return { problem: invalidBody('The body is not valid UTF-8.', 'unicode_error') };
  if (!text) return { problem: invalidBody('The body is empty; a JSON object is required.', 'missing') };
  if (text.length >= DEEPEST_BODY && isTooDeep(text))
    return { problem: invalidBody(`Nested deeper than ${DEEPEST_BODY} levels.`, 'json_invalid') };
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    const reason = `Not valid JSON: ${(error as Error).message}`;
    return {
      problem: invalidBody(shorten(reason, 200), 'json_invalid'),
    };
  }
}

/**
 * Whether JSON text is nested deeper than bodies may be. Counts brackets outside strings: JSON.parse itself takes any
 * depth, the code after it does not.
 */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 0x22) {
      i = endOfString(text, i);
    } else if (c === 0x7b || c === 0x5b) {
      if (++depth > DEEPEST_BODY) return true;
    } else if (c === 0x7d || c === 0x5d) {
      depth--;
    }
  }
  return false;
}

function endOfString(text: string, start: number): number {
  for (let i = text.indexOf('"', start + 1); i !== -1; i = text.indexOf('"', i + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(i - 1 - backslashes) === 0x5c) backslashes++;
    if (backslashes % 2 === 0) return i;
  }
  return text.length;
}
