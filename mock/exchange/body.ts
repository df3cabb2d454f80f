import type { Operation } from '../../spec/generated/operations.js';
import { DEEPEST_BODY, isTooDeep } from '../../spec/json.js';
import { truncateText } from '../../spec/show.js';
import type { EncodingFault } from '../../spec/vocabulary.js';
import { createBodyError, type InvalidInput } from './errors.js';
import { TOO_LARGE, type WireRequest } from './wire.js';

/** Most characters in one call of `String.fromCharCode`. */
const CHUNK = 8192;

/** One character for each byte. */
export function toLatin1(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += CHUNK) text += String.fromCharCode(...bytes.subarray(i, i + CHUNK));
  return text;
}

/** Also works without Buffer. */
export function toBase64(bytes: Uint8Array): string {
  return btoa(toLatin1(bytes));
}

/** Throws DOMException for invalid base64. */
export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

export interface DecodedBody {
  /** Text with its byte order mark; bytes if it is no text, decompressed where possible. */
  body: string | Uint8Array;
  /** Present if the body was not decoded as its headers and RFC 8259 specify. */
  encoding_fault?: EncodingFault;
}

/** Keyed by lower-case names. */
type BodyHeaders = Readonly<Record<string, string | undefined>>;

const utf8WithMark = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** Encoding of texts that are neither JSON nor UTF-8, if the header names none. */
const OTHER_CHARSET = 'windows-1252';
const GZIP = [0x1f, 0x8b];

/**
 * Decodes a body in the same way for all rules, even if its headers are wrong. `most`: limit in bytes for a decompressed body; a larger
 * one, and any compressed body in a browser, is not decompressed.
 */
export function decodeBody(bytes: Uint8Array, headers: BodyHeaders, most: number): DecodedBody {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  const type = headers['content-type'] ?? '';
  if (bytes.length > 0 && coding !== '' && coding !== 'identity') {
    const plain = decompress(bytes, coding, most);
    if (plain) return decodeTextBody(plain, type);
    const text = decodeUtf8(bytes);
    return text === undefined ? { body: bytes } : { body: text, encoding_fault: 'content-encoding' };
  }
  if (GZIP.every((byte, at) => bytes[at] === byte) && isText(type)) {
    const plain = decompress(bytes, 'gzip', most);
    if (plain) return { ...decodeTextBody(plain, type), encoding_fault: 'content-encoding' };
  }
  return decodeTextBody(bytes, type);
}

function decodeTextBody(bytes: Uint8Array, type: string): DecodedBody {
  const text = decodeUtf8(bytes);
  if (text !== undefined) return { body: text };
  if (!isText(type)) return { body: bytes };
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const named = /charset="?([^\s;"]+)/i.exec(type)?.[1];
  const charset = isUtf16 ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : named;
  return { body: decodeAs(bytes, charset ?? OTHER_CHARSET), encoding_fault: 'charset' };
}

function decodeAs(bytes: Uint8Array, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder(OTHER_CHARSET).decode(bytes);
  }
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8WithMark.decode(bytes);
  } catch {
    return undefined;
  }
}

function isText(type: string): boolean {
  return /\bjson\b|^text\//i.test(type);
}

type Decoder = (bytes: Uint8Array, options: { maxOutputLength: number }) => Uint8Array;

const { process } = globalThis as { process?: NodeJS.Process };
/** Absent in browsers: compressed bodies are not decoded there. */
const zlib: Partial<typeof import('node:zlib')> = process?.getBuiltinModule?.('node:zlib') ?? {};

/** Some services send `deflate` without the zlib header. */
const inflate: Decoder = (bytes, options) => {
  const isZlib = bytes.length > 1 && (bytes[0]! & 15) === 8 && ((bytes[0]! << 8) | bytes[1]!) % 31 === 0;
  return (isZlib ? zlib.inflateSync! : zlib.inflateRawSync!)(bytes, options);
};

const DECODERS: ReadonlyMap<string, Decoder | undefined> = new Map<string, Decoder | undefined>([
  ['gzip', zlib.gunzipSync],
  ['x-gzip', zlib.gunzipSync],
  ['deflate', zlib.inflateSync && inflate],
  ['br', zlib.brotliDecompressSync],
  // Node.js 22.15 and later.
  ['zstd', (zlib as { zstdDecompressSync?: Decoder }).zstdDecompressSync],
  ['identity', (bytes) => bytes],
]);

/** The bytes without their `content-encoding`; undefined if they cannot be decompressed within the limit. */
export function decompress(
  bytes: Uint8Array,
  encoding: string,
  maxOutputLength: number,
): Uint8Array | undefined {
  let plain = bytes;
  try {
    for (const each of encoding.split(',').reverse()) {
      const decode = DECODERS.get(each.trim().toLowerCase());
      if (!decode) return undefined;
      plain = decode(plain, { maxOutputLength });
    }
    return plain;
  } catch {
    return undefined;
  }
}

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
