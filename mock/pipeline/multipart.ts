import type { Dialect } from '../../spec/dialect.js';
import type { Operation, OperationPart } from '../../spec/generated/operations.js';
import { quote, truncateText } from '../../spec/show.js';
import { decodeText, toLatin1 } from '../exchange/body.js';
import { createBodyError, type InputProblem, InvalidInput } from '../exchange/errors.js';
import type { WireRequest } from '../exchange/wire.js';
import type { FilePart, Parts } from './context.js';

/**
 * The parts of an operation's form; the name of an extension upload's part depends on the dialect
 * (`upload.part-names`).
 */
export function listParts({ body }: Operation, dialect: Dialect): readonly OperationPart[] {
  const parts = body?.parts ?? [];
  if (body?.schema !== 'ExtensionUpload') return parts;
  return parts.map((part) => ({ ...part, name: String(dialect['upload.part-names']) }));
}

/**
 * Reads a multipart form and validates it against `expected`; unknown parts are ignored. Throws only
 * InvalidInput, for any body.
 */
export function readMultipart(wire: WireRequest, expected: readonly OperationPart[]): Parts {
  const form = readForm(wire);
  const parts = { files: [] as FilePart[], texts: Object.create(null) as Record<string, string> };
  const problems: InputProblem[] = [];
  for (const part of expected) {
    const own = form.filter(({ name }) => name === part.name);
    const problem = checkCount(part, own, form);
    if (problem) problems.push({ loc: ['body', part.name], ...problem });
    for (const each of problem ? [] : own) {
      const problem = addPart(part, each, parts);
      if (problem) problems.push({ loc: ['body', part.name], ...problem });
    }
  }
  if (problems.length > 0) throw new InvalidInput(problems);
  return parts;
}

function readForm({ headers, body }: WireRequest): FormPart[] {
  const type = headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*(;|$)/i.test(type)) {
    const found = type === '' ? 'no content type' : truncateText(type, 60);
    throw createBodyError(`Expected a form as multipart/form-data, got ${found}.`, 'content_type');
  }
  const boundary = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(type)?.slice(1).find(Boolean);
  if (boundary === undefined) {
    const msg = 'The content type names no boundary: let the HTTP library set the header.';
    throw createBodyError(msg, 'content_type');
  }
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  if (bytes === null || bytes.length === 0)
    throw createBodyError('The body is empty; a form is required.', 'missing');
  return parseForm(bytes, boundary);
}

type PartProblem = Pick<InputProblem, 'msg' | 'type'>;

function checkCount(
  part: OperationPart,
  own: readonly FormPart[],
  form: readonly FormPart[],
): PartProblem | undefined {
  if (own.length === 0) {
    if (!part.required) return undefined;
    const sent = [...new Set(form.map(({ name }) => name))].slice(0, 5).map(quote).join(', ');
    return { msg: `This part is required; the form has ${sent || 'no parts'}.`, type: 'missing' };
  }
  if (own.length === 1 || part.many) return undefined;
  return { msg: `Expected one part, got ${own.length}.`, type: 'too_long' };
}

function addPart(
  { name, kind, maxLength }: OperationPart,
  { filename, type, content }: FormPart,
  parts: { files: FilePart[]; texts: Record<string, string> },
): PartProblem | undefined {
  if (kind === 'file') {
    if (filename === undefined)
      return { msg: 'Expected a file (a part with a filename), got a text.', type: 'file_type' };
    parts.files.push({ part: name, filename, type, bytes: new Uint8Array(content) });
    return undefined;
  }
  if (filename !== undefined)
    return { msg: 'Expected a text (a part without a filename), got a file.', type: 'string_type' };
  const charset = /;\s*charset="?([^\s;"]+)/i.exec(type)?.[1] ?? 'utf-8';
  const text = decodeText(content, charset);
  if (text === undefined)
    return { msg: `The text is not valid ${truncateText(charset, 40)}.`, type: 'unicode_error' };
  const { length } = [...text];
  if (maxLength !== undefined && length > maxLength)
    return { msg: `Expected at most ${maxLength} characters, got ${length}.`, type: 'string_too_long' };
  parts.texts[name] = text;
  return undefined;
}

interface FormPart {
  name: string;
  /** Undefined for a text field. */
  filename: string | undefined;
  type: string;
  content: Uint8Array;
}

const MOST_PARTS = 64;
/** Longest headers of one part, in bytes. */
const LONGEST_HEAD = 16 * 1024;
const CRLF = '\r\n';

/**
 * Splits a form into its parts (RFC 7578 and RFC 2046), synchronously and with the same result in every
 * Node.js and browser. `Response.formData()` is not used because its parser differs between versions. Throws
 * InvalidInput, which names the part.
 */
function parseForm(body: Uint8Array, boundary: string): FormPart[] {
  const delimiter = `--${boundary}`;
  const readText = (from: number, length: number) => toLatin1(body.subarray(from, from + length));
  const parts: FormPart[] = [];
  let at = 0;
  if (readText(0, delimiter.length) !== delimiter) {
    const before = findText(body, CRLF + delimiter, 0);
    if (before === -1)
      throw createFormError(`no line begins with ${quote(delimiter)}, the boundary of the content type`);
    at = before + CRLF.length;
  }
  at += delimiter.length;
  while (readText(at, 2) !== '--') {
    const which = `part ${parts.length + 1}`;
    if (parts.length === MOST_PARTS)
      throw createBodyError(`Expected at most ${MOST_PARTS} parts.`, 'too_long');
    const lineEnd = at + /^[ \t]*/.exec(readText(at, 100))![0].length;
    if (readText(lineEnd, 2) !== CRLF) {
      const found = quote(readText(lineEnd, 20));
      throw createFormError(`${which}: expected a line end (CR LF) after the boundary, got ${found}`);
    }
    // A part without headers begins at the end of the boundary's line.
    const headEnd = findText(body, CRLF + CRLF, lineEnd);
    const end = findText(body, CRLF + delimiter, lineEnd);
    if (headEnd === -1 || (end !== -1 && end < headEnd))
      throw createFormError(`${which}: its headers do not end with an empty line (CR LF CR LF)`);
    if (headEnd - lineEnd > LONGEST_HEAD)
      throw createFormError(`${which}: its headers are longer than ${LONGEST_HEAD} bytes`);
    const head = readHead(body.subarray(lineEnd + CRLF.length, headEnd), which);
    if (end === -1)
      throw createFormError(
        `${which} (${quote(head.name)}) is cut off: there is no ${quote(delimiter)} behind it`,
      );
    parts.push({ ...head, content: body.subarray(headEnd + 2 * CRLF.length, end) });
    at = end + CRLF.length + delimiter.length;
  }
  // Further data is ignored (RFC 2046, section 5.1.1).
  if (findText(body, CRLF + delimiter, at) !== -1)
    throw createFormError(`part ${parts.length + 1} follows the closing boundary ${quote(`${delimiter}--`)}`);
  return parts;
}

function createFormError(reason: string): InvalidInput {
  return createBodyError(`Not a form that can be read: ${reason}.`, 'form_invalid');
}

/** Index of the ASCII text in the bytes; -1 if it is missing. */
function findText(bytes: Uint8Array, text: string, from: number): number {
  const first = text.charCodeAt(0);
  for (let at = bytes.indexOf(first, from); at !== -1; ) {
    let matched = 1;
    while (matched < text.length && bytes[at + matched] === text.charCodeAt(matched)) matched++;
    if (matched === text.length) return at;
    // Repetitions of the first character are skipped without a search for each.
    at = bytes[at + 1] === first ? at + 1 : bytes.indexOf(first, at + 1);
  }
  return -1;
}

const HEADER = /^([\w!#$%&'*+.^`|~-]+)[ \t]*:(.*)$/s;

function readHead(bytes: Uint8Array, which: string): Omit<FormPart, 'content'> {
  const headers = new Map<string, string>();
  const text = decodeText(bytes) ?? toLatin1(bytes);
  for (const line of text === '' ? [] : text.replace(/\r\n[ \t]+/g, ' ').split(CRLF)) {
    const [, name, value] = HEADER.exec(line) ?? [];
    if (name === undefined)
      throw createFormError(`${which}: expected a header such as "Name: value", got ${quote(line)}`);
    headers.set(name.toLowerCase(), value!.trim());
  }
  const disposition = headers.get('content-disposition');
  if (disposition === undefined) throw createFormError(`${which} has no header Content-Disposition`);
  const parameters = readDisposition(disposition);
  if (!parameters) {
    const expected = 'form-data; name="..."; filename="..."';
    throw createFormError(
      `${which}: expected a Content-Disposition such as ${expected}, got ${quote(disposition)}`,
    );
  }
  const { name, filename } = parameters;
  if (name === undefined) throw createFormError(`${which} has no name in its Content-Disposition`);
  return { name, filename, type: headers.get('content-type') ?? 'text/plain' };
}

/** A quoted value with escapes (Go, curl), one with an unescaped backslash (browsers), or a value without quotes (.NET). */
const PARAMETER = /\s*;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|"([^"]*)"|([^;"]*))/sy;

/** Undefined for an invalid header. */
function readDisposition(text: string): { name?: string; filename?: string } | undefined {
  const type = /^form-data(?=\s*(?:;|$))/i.exec(text);
  if (!type) return undefined;
  const values = new Map<string, string>();
  PARAMETER.lastIndex = type[0].length;
  let end = PARAMETER.lastIndex;
  for (let found = PARAMETER.exec(text); found; found = PARAMETER.exec(text)) {
    const [, key, escaped, quoted, plain] = found;
    const value = escaped?.replace(/\\(["\\])/g, '$1') ?? quoted ?? plain!.trim();
    values.set(key!.toLowerCase(), value);
    end = PARAMETER.lastIndex;
  }
  if (!/^\s*;?\s*$/.test(text.slice(end))) return undefined;
  const read: { name?: string; filename?: string } = {};
  for (const key of ['name', 'filename'] as const) {
    const extended = values.get(`${key}*`);
    const value = decodeExtended(extended) ?? values.get(key)?.replace(/%(?:22|0D|0A)/gi, decodeURIComponent);
    if (value !== undefined) read[key] = value;
    else if (extended !== undefined) return undefined;
  }
  return read;
}

/** A value such as `utf-8''a%20b.txt` (RFC 5987). */
function decodeExtended(value: string | undefined): string | undefined {
  const [, charset, encoded] = /^([^']+)'[^']*'(.*)$/s.exec(value ?? '') ?? [];
  const bytes = encoded?.replace(/%([\da-f]{2})/gi, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return (
    bytes &&
    decodeText(
      Uint8Array.from(bytes, (character) => character.charCodeAt(0)),
      charset,
    )
  );
}
