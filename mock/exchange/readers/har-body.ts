import { readField, readJson } from '../../../spec/json.js';
import type { Exchange } from '../../../spec/vocabulary.js';
import { decodeText, decompress, fromBase64, toLatin1 } from '../body.js';
import { LARGEST_RECORDED_BODY } from '../recorder.js';

type HarBody = Pick<Exchange['request'], 'body' | 'body_base64' | 'left_out'>;

/** Reports two different statements about the same fact in one entry. */
export type OnContradiction = (what: string) => void;

/** The statements of an entry about a body: `postData` or `content`, and its size and form. */
interface HarMessage {
  content: unknown;
  headers: Readonly<Record<string, string>>;
  /** `bodySize` of the entry. */
  bodySize: unknown;
  /** What taskdouble left out, in its own entries. */
  ownLeftOut: unknown;
}

/** The first bytes of gzip, as characters. */
const GZIP = '\x1f\x8b';

/** `takesBody`: the operation has a body. */
export function readRequestBody(
  message: HarMessage,
  takesBody: boolean,
  onContradiction: OnContradiction,
): HarBody {
  const { content, headers, bodySize } = message;
  const size = readSize(bodySize, readContentLength(headers));
  const form = readForm(content);
  const text = asText(readField(content, 'text'));
  if (text !== undefined && (text !== '' || form.length === 0)) {
    const body = readText(message, text, size, bodySize);
    const isForm = form.length > 0 && isUrlEncoded(content, headers) && body.body_base64 === undefined;
    if (!isForm || isSameForm(body.body, form)) return body;
    if (body.left_out !== undefined) return { body: String(new URLSearchParams(form)) };
    onContradiction('"text" and "params" of "postData" differ; the text is used');
    return body;
  }
  if (form.length > 0) {
    if (isUrlEncoded(content, headers)) return { body: String(new URLSearchParams(form)) };
    // Some programs record every text as a form.
    const [[name, value]] = form as [[string, string]];
    const json = value === '' ? name : `${name}=${value}`;
    return form.length === 1 && readJson(json) !== undefined ? { body: json } : toLeftOutBody(size);
  }
  if (size > 0) return toLeftOutBody(size);
  // Without a size it is unknown whether there was a body.
  const isEmpty = bodySize === 0 || headers['content-length'] !== undefined;
  return takesBody && !isEmpty ? toLeftOutBody(0) : {};
}

/** `mayBeEmpty`: the response to HEAD, or with a status without a body. */
export function readResponseBody(message: HarMessage, mayBeEmpty: boolean): HarBody {
  if (mayBeEmpty) return {};
  const { content, headers, bodySize } = message;
  const contentSize = readField(content, 'size');
  const size = readSize(contentSize, bodySize, readContentLength(headers));
  const text = asText(readField(content, 'text'));
  if (text !== undefined) return readText(message, text, size, readField(content, 'size'));
  // Playwright can put bodies into files beside the HAR.
  const isElsewhere = readField(content, '_file') !== undefined;
  const isEmpty = contentSize === 0 && headers['transfer-encoding'] === undefined;
  return isEmpty && size === 0 && !isElsewhere ? {} : toLeftOutBody(size);
}

/** Some programs omit bodies, cut them, or keep them compressed. `textSize`: the size in bytes that the entry states. */
function readText(
  { content, headers, ownLeftOut }: HarMessage,
  text: string,
  size: number,
  textSize: unknown,
): HarBody {
  if (text === '') return size > 0 ? toLeftOutBody(size) : {};
  if (typeof ownLeftOut === 'number') return { body: text, left_out: ownLeftOut };
  const encoding = headers['content-encoding'];
  const bytes = readBytes(content, text, encoding !== undefined);
  const sizes = [textSize, encoding === undefined ? readContentLength(headers) : 0];
  if (bytes === null) return toLeftOutBody(size);
  if (bytes === undefined) {
    // A compressed body that was read as text is destroyed.
    const isDestroyed = encoding !== undefined && text.includes('\ufffd') && readJson(text) === undefined;
    return isDestroyed ? toLeftOutBody(size) : toTextBody(text, sizes, content);
  }
  const plain = decodeText(bytes);
  if (plain !== undefined && (encoding === undefined || readJson(plain) !== undefined))
    return toTextBody(plain, sizes, content);
  const isPackedJson =
    toLatin1(bytes.subarray(0, 2)) === GZIP && /json/i.test(String(readField(content, 'mimeType')));
  const packing = encoding ?? (isPackedJson ? 'gzip' : undefined);
  if (packing === undefined) return toBinaryBody(bytes);
  const unpacked = decompress(bytes, packing, LARGEST_RECORDED_BODY);
  if (unpacked !== undefined) {
    const body = decodeText(unpacked);
    return body === undefined ? toBinaryBody(unpacked) : { body };
  }
  return plain === undefined ? toLeftOutBody(bytes.length) : toTextBody(plain, sizes, content);
}

/** The bytes of a body that is not recorded as text; null if they are damaged. */
function readBytes(content: unknown, text: string, isCompressed: boolean): Uint8Array | null | undefined {
  const encoding = asText(readField(content, 'encoding'))?.toLowerCase();
  // gzip in base64, not declared by the program.
  if (encoding === 'base64' || (isCompressed && /^H4sI[\w+/=\s]+$/.test(text))) {
    try {
      return fromBase64(text);
    } catch {
      return null;
    }
  }
  // Bytes as characters.
  if (!isCompressed || !text.startsWith(GZIP)) return undefined;
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  return toLatin1(bytes) === text ? bytes : null;
}

function toBinaryBody(bytes: Uint8Array): HarBody {
  return { body: `(${bytes.length} bytes)`, body_base64: btoa(toLatin1(bytes)) };
}

/** A text was cut if it is no JSON and either has a comment or is shorter than a stated size. */
function toTextBody(body: string, sizes: readonly unknown[], content: unknown): HarBody {
  if (readJson(body) !== undefined) return { body };
  const missing = readSize(...sizes) - new TextEncoder().encode(body).length;
  if (missing > 0 && body.length < readSize(...sizes)) return { body, left_out: missing };
  const hasComment = (asText(readField(content, 'comment')) ?? '') !== '';
  return hasComment && /json/i.test(String(readField(content, 'mimeType')))
    ? { body, left_out: 0 }
    : { body };
}

function toLeftOutBody(size: number): HarBody {
  return { body: `(${size} bytes left out)`, left_out: size };
}

function readSize(...sizes: unknown[]): number {
  return Math.max(0, ...sizes.filter((each): each is number => Number.isFinite(each)));
}

function readContentLength(headers: Readonly<Record<string, string>>): number {
  return Number(headers['content-length'] ?? 0);
}

/** The fields of a form that the program has parsed. */
function readForm(content: unknown): [string, string][] {
  const params = readField(content, 'params');
  return (Array.isArray(params) ? params : []).flatMap((each): [string, string][] => {
    const name = asText(readField(each, 'name'));
    return name === undefined ? [] : [[name, asText(readField(each, 'value')) ?? '']];
  });
}

function isUrlEncoded(content: unknown, headers: Readonly<Record<string, string>>): boolean {
  const type = headers['content-type'] ?? String(readField(content, 'mimeType'));
  return /^application\/x-www-form-urlencoded\b/i.test(type);
}

function isSameForm(body: string | undefined, form: [string, string][]): boolean {
  return String(new URLSearchParams(body)) === String(new URLSearchParams(form));
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
