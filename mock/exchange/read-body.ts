import type { Operation } from '../../spec/generated/operations.js';
import { truncateText } from '../../spec/show.js';
import { DEEPEST_BODY, isTooDeep } from '../../spec/too-deep.js';
import { createBodyError, type InvalidInput } from './errors.js';
import { TOO_LARGE, type WireRequest } from './wire.js';

const utf8 = new TextDecoder('utf-8', { fatal: true });

export function isForm({ headers }: Pick<WireRequest, 'headers'>): boolean {
  return /^multipart\//i.test(headers['content-type'] ?? '');
}

/** Undefined for bytes that are invalid in the charset, and for an unknown charset. */
export function decodeText(bytes: Uint8Array, charset?: string): string | undefined {
  try {
    return (charset === undefined ? utf8 : new TextDecoder(charset, { fatal: true })).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Undefined for a missing body, for a form, and if it is not UTF-8. */
export function readBodyText(request: WireRequest, operation: Operation | undefined): string | undefined {
  const { body } = request;
  const isFormHere = operation ? operation.body?.kind === 'multipart' : isForm(request);
  if (body === null || body === TOO_LARGE || isFormHere) return undefined;
  return typeof body === 'string' ? body : decodeText(body);
}

/** The description of a binary body for the journal; undefined without a body. */
export function describeBody(request: WireRequest): { body: string; left_out: number } | undefined {
  const { body } = request;
  if (body === null || body === '') return undefined;
  if (body === TOO_LARGE) return { body: '(too large to be read)', left_out: 0 };
  const kind = isForm(request) ? 'multipart' : 'no UTF-8 text';
  return { body: `(${body.length} bytes, ${kind})`, left_out: body.length };
}

/** The value of a JSON body of limited depth, or its problem. `text`: the part that could be read. */
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
    // A body that is too deep has at least this many brackets.
    if (text.length <= 2 * DEEPEST_BODY || !isTooDeep(value)) return { value };
    return { problem: createBodyError(`Nested deeper than ${DEEPEST_BODY} levels.`, 'json_invalid') };
  } catch (error) {
    const reason = truncateText(`Not valid JSON: ${(error as Error).message}`, 200);
    return { problem: createBodyError(reason, 'json_invalid') };
  }
}
