import type { Dialect } from '../../spec/dialect.js';
import type { Operation, OperationPart } from '../../spec/generated/operations.js';
import { quote, truncateText } from '../../spec/show.js';
import { createBodyError, type InputProblem, InvalidInput } from '../exchange/errors.js';
import { decodeText } from '../exchange/read-body.js';
import type { WireRequest } from '../exchange/wire.js';
import type { FilePart, Parts } from './handler.js';
import { type FormPart, parseForm } from './parse-form.js';

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
