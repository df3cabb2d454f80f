import type { EncodingFault } from '../../spec/vocabulary.js';
import { decompress } from './decompress.js';

export interface DecodedBody {
  /** Text with its byte order mark; bytes if it is no text, decompressed where possible. */
  body: string | Uint8Array;
  /** Present if the body was not decoded as its headers and RFC 8259 specify. */
  encoding_fault?: EncodingFault;
}

/** Keyed by lower-case names. */
type BodyHeaders = Readonly<Record<string, string | undefined>>;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
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
    if (plain) return decodeText(plain, type);
    const text = decodeUtf8(bytes);
    return text === undefined ? { body: bytes } : { body: text, encoding_fault: 'content-encoding' };
  }
  if (GZIP.every((byte, at) => bytes[at] === byte) && isText(type)) {
    const plain = decompress(bytes, 'gzip', most);
    if (plain) return { ...decodeText(plain, type), encoding_fault: 'content-encoding' };
  }
  return decodeText(bytes, type);
}

function decodeText(bytes: Uint8Array, type: string): DecodedBody {
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
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function isText(type: string): boolean {
  return /\bjson\b|^text\//i.test(type);
}
