import type { Dialect } from '../../spec/dialect.js';
import type { Operation, OperationPart } from '../../spec/generated/operations.js';
import { quote, shorten } from '../../spec/show.js';
import { latin1 } from '../journal/base64.js';
import { type InputProblem, InvalidInput, invalidBody } from './errors.js';
import type { FilePart, Parts } from './handler.js';
import type { WireRequest } from './wire.js';

/** Parts of one form. */
const MOST_PARTS = 64;

/** The parts that an operation takes; the one of an extension upload has its name from the dialect (`upload.part-names`). */
export function partsOf({ body }: Operation, dialect: Dialect): readonly OperationPart[] {
  const parts = body?.parts ?? [];
  if (body?.schema !== 'ExtensionUpload') return parts;
  return parts.map((part) => ({ ...part, name: String(dialect['upload.part-names']) }));
}

/**
 * Reads a multipart form and holds it against `expected`; other parts are let through. Throws InvalidInput, whatever the
 * body is.
 */
export async function readMultipart(wire: WireRequest, expected: readonly OperationPart[]): Promise<Parts> {
  const form = await parseForm(wire);
  const parts = { files: [] as FilePart[], texts: Object.create(null) as Record<string, string> };
  const problems: InputProblem[] = [];
  for (const part of expected) {
    const values = form.getAll(part.name);
    const problem = checkPart(part, values, form);
    if (problem) {
      problems.push({ loc: ['body', part.name], ...problem });
      continue;
    }
    for (const value of values) {
      if (typeof value === 'string') parts.texts[part.name] = value;
      else parts.files.push(await readFile(part.name, value));
    }
  }
  if (problems.length > 0) throw new InvalidInput(problems);
  return parts;
}

type Form = Awaited<ReturnType<Response['formData']>>;

async function parseForm({ headers, body }: WireRequest): Promise<Form> {
  const type = headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*(;|$)/i.test(type)) {
    const found = type === '' ? 'no content type' : shorten(type, 60);
    throw invalidBody(`Expected a form as multipart/form-data, got ${found}.`, 'content_type');
  }
  const boundary = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(type)?.slice(1).find(Boolean);
  if (boundary === undefined) {
    const msg = 'The content type names no boundary: let the HTTP library set the header.';
    throw invalidBody(msg, 'content_type');
  }
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  if (bytes === null || bytes.length === 0)
    throw invalidBody('The body is empty; a form is required.', 'missing');
  // Counted before anything is parsed: thousands of tiny parts would take long.
  if (latin1(bytes).split(`\r\n--${boundary}`, MOST_PARTS + 2).length > MOST_PARTS + 1) {
    throw invalidBody(`Expected at most ${MOST_PARTS} parts.`, 'too_long');
  }
  try {
    const headers = { 'content-type': type };
    return await new Response(bytes as Uint8Array<ArrayBuffer>, { headers }).formData();
  } catch {
    const msg = 'Not a form that can be read: it must be cut into parts by the boundary of the content type.';
    throw invalidBody(msg, 'form_invalid');
  }
}

function checkPart(
  part: OperationPart,
  values: unknown[],
  form: Form,
): Pick<InputProblem, 'msg' | 'type'> | undefined {
  if (values.length === 0) {
    if (!part.required) return undefined;
    const sent = [...new Set(form.keys())].slice(0, 5).map(quote).join(', ');
    return { msg: `This part is required; the form has ${sent || 'no parts'}.`, type: 'missing' };
  }
  if (values.length > 1 && !part.many)
    return { msg: `Expected one part, got ${values.length}.`, type: 'too_long' };
  for (const value of values) {
    if (part.kind === 'file' && typeof value === 'string') {
      return { msg: 'Expected a file (a part with a filename), got a text.', type: 'file_type' };
    }
    if (part.kind === 'text' && typeof value !== 'string') {
      return { msg: 'Expected a text (a part without a filename), got a file.', type: 'string_type' };
    }
    if (part.maxLength !== undefined && typeof value === 'string') {
      const { length } = [...value];
      const msg = `Expected at most ${part.maxLength} characters, got ${length}.`;
      if (length > part.maxLength) return { msg, type: 'string_too_long' };
    }
  }
  return undefined;
}

async function readFile(part: string, file: File): Promise<FilePart> {
  const type = file.type || 'application/octet-stream';
  return { part, filename: file.name, type, bytes: new Uint8Array(await file.arrayBuffer()) };
}
