import type { Operation } from '../../spec/generated/operations.js';
import { truncateText } from '../../spec/show.js';
import { DEEPEST_BODY, isTooDeep } from '../../spec/too-deep.js';
import { createBodyError, type InvalidInput } from './errors.js';
import { TOO_LARGE, type WireRequest } from './wire.js';

const utf8 = new TextDecoder('utf-8', { fatal: true });

export function isForm({ headers }: Pick<WireRequest, 'headers'>): boolean {
  return /^multipart\//i.test(headers['content-type'] ?? '');
}

/** The text of bytes in a charset; undefined for bytes that are not in it, and for an unknown charset. */
export function decodeText(bytes: Uint8Array, charset?: string): string | undefined {
  try {
    return (charset === undefined ? utf8 : new TextDecoder(charset, { fatal: true })).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The body as text; undefined when there is none, for a form, and when it is not UTF-8. */
export function readBodyText(request: WireRequest, operation: Operation | undefined): string | undefined {
  const { body } = request;
  const isFormHere = operation ? operation.body?.kind === 'multipart' : isForm(request);
  if (body === null || body === TOO_LARGE || isFormHere) return undefined;
  return typeof body === 'string' ? body : decodeText(body);
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
    return { problem: createBodyError('The body is not valid UTF-8.', 'unicode_error') };
  if (!text) return { problem: createBodyError('The body is empty; a JSON object is required.', 'missing') };
  try {
    const value: unknown = JSON.parse(text);
    // So deep a body has this many brackets at least.
    if (text.length <= 2 * DEEPEST_BODY || !isTooDeep(value)) return { value };
    return { problem: createBodyError(`Nested deeper than ${DEEPEST_BODY} levels.`, 'json_invalid') };
  } catch (error) {
    const reason = truncateText(`Not valid JSON: ${(error as Error).message}`, 200);
    return { problem: createBodyError(reason, 'json_invalid') };
  }
}
