import type { Operation, OperationParameter } from '../../spec/generated/operations.js';
import { type Problem, validators } from '../../spec/generated/validators.js';
import { findNearest } from '../../spec/nearest.js';
import { quote, truncateText } from '../../spec/show.js';
import { isForm } from '../exchange/body.js';
import { ApiError, createBodyError, type InputProblem, InvalidInput } from '../exchange/errors.js';
import { TOO_LARGE } from '../exchange/wire.js';
import type { RequestContext } from './context.js';
import { listParts, readMultipart } from './multipart.js';

/** Problems of a body that a response lists. */
const MOST_PROBLEMS = 20;

/**
 * Reads and validates the parameters and the body of a request; defaults are filled in. Throws InvalidInput
 * with every invalid parameter, or with all problems of the body.
 */
export function validate(context: RequestContext, operation: Operation): void {
  if (operation.params.length > 0) readParameters(context, operation);
  const { body, request } = context;
  if (request.body === TOO_LARGE) throw createTooLargeError(context);
  if (operation.body?.kind === 'multipart') {
    const { dialect } = context.organisation;
    context.parts = readMultipart(request, listParts(operation, dialect));
    return;
  }
  if (operation.body) {
    checkContentEncoding(context);
    checkContentType(context);
  }
  if (context.bodyProblem) throw context.bodyProblem;
  if (!operation.body) return;
  const problems = validators[operation.body.schema as keyof typeof validators](body);
  if (problems) throw new InvalidInput(problems.slice(0, MOST_PROBLEMS).map(toInputProblem));
  noteUnknownFields(context, operation.body.fields);
}

function createTooLargeError({ request, organisation: { dialect } }: RequestContext): ApiError {
  const limit = isForm(request) ? 'limits.upload-size' : 'limits.body-size';
  return new ApiError(413, `The body is larger than this service takes: ${dialect[limit]} bytes (${limit}).`);
}

const JSON_TYPE = /^application\/(?:[^\s;]+\+)?json\s*(?:;|$)/i;

/** The API defines no content coding for requests (RFC 9110, section 8.4). */
function checkContentEncoding({ request: { body, headers } }: RequestContext): void {
  const coding = headers['content-encoding'];
  if (!body || coding === undefined || /^\s*(identity)?\s*$/i.test(coding)) return;
  const detail = `A body with the header "content-encoding: ${truncateText(coding, 40)}" is not read. Send it as it is, without the header.`;
  throw new ApiError(415, detail, { 'accept-encoding': 'identity' });
}

/** A JSON body under another content type: dialect `errors.content-type`. */
function checkContentType({ organisation, request: { body, headers } }: RequestContext): void {
  const choice = organisation.dialect['errors.content-type'];
  const type = headers['content-type'] ?? '';
  if (choice === 'read' || !body || JSON_TYPE.test(type)) return;
  const found = type === '' ? 'none' : quote(type);
  const detail = `Expected the content type application/json, got ${found}.`;
  throw choice === '415' ? new ApiError(415, detail) : createBodyError(detail, 'content_type');
}

/** Unknown fields are ignored, but they are usually a mistake in the client. */
function noteUnknownFields({ body, exchange }: RequestContext, known: readonly string[] = []): void {
  if (known.length === 0) return;
  for (const name of Object.keys(body as object)) {
    if (known.includes(name)) continue;
    const meant = findNearest(name, known);
    exchange.note(`unknown field ${quote(name)}${meant === undefined ? '' : `: did you mean "${meant}"?`}`);
  }
}

type Values = Record<string, string | number | boolean>;

function readParameters(context: RequestContext, operation: Operation): void {
  const { pathValues, queryText } = context;
  const { headers } = context.request;
  const read: Record<'path' | 'query' | 'header', Values> = { path: {}, query: {}, header: {} };
  const search = queryText === '' ? undefined : readQuery(queryText);
  const problems: InputProblem[] = [];
  let position = 0;
  for (const parameter of operation.params) {
    const { name } = parameter;
    const where = parameter.in;
    const text =
      where === 'path' ? pathValues[position++] : where === 'query' ? search?.get(name) : headers[name];
    if (text === undefined || (where === 'header' && text === '')) {
      if (parameter.default !== undefined) read[where][name] = parameter.default;
      else if (parameter.required)
        problems.push({ loc: [where, name], msg: 'This parameter is required.', type: 'missing' });
      continue;
    }
    const value = readValue(parameter, text);
    if (typeof value === 'object') problems.push({ loc: [where, name], ...value });
    else read[where][name] = value;
  }
  if (problems.length > 0) throw new InvalidInput(problems);
  context.path = read.path;
  context.query = read.query;
  context.header = read.header;
}

/** Queries that need no decoding: nearly all. */
const PLAIN_QUERY = /^[\w.=&-]*$/;

/**
 * The parameters of a query; if a name repeats, the last one counts. Splitting a plain query here is much
 * faster than URLSearchParams.
 */
function readQuery(query: string): Map<string, string> {
  if (!PLAIN_QUERY.test(query)) return new Map(new URLSearchParams(query));
  const read = new Map<string, string>();
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    if (equals === -1) read.set(pair, '');
    else read.set(pair.slice(0, equals), pair.slice(equals + 1));
  }
  return read;
}

type ValueProblem = Pick<InputProblem, 'msg' | 'type'>;

function readValue(parameter: OperationParameter, text: string): string | number | boolean | ValueProblem {
  switch (parameter.type) {
    case 'integer':
      return readInteger(parameter, text);
    case 'boolean':
      if (/^(true|1)$/i.test(text)) return true;
      if (/^(false|0)$/i.test(text)) return false;
      return { msg: `Expected true or false, got "${truncateText(text, 60)}".`, type: 'bool_parsing' };
    case 'string': {
      const { enum: allowed } = parameter;
      if (allowed && !allowed.includes(text)) {
        const msg = `Expected one of ${allowed.join(', ')}, got "${truncateText(text, 60)}".`;
        return { msg, type: 'enum' };
      }
      return text;
    }
  }
}

function readInteger({ minimum, maximum }: OperationParameter, text: string): number | ValueProblem {
  const value = /^[+-]?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value))
    return { msg: `Expected an integer, got "${truncateText(text, 60)}".`, type: 'int_parsing' };
  if (minimum !== undefined && value < minimum)
    return { msg: `Expected at least ${minimum}, got ${value}.`, type: 'greater_than_equal' };
  if (maximum !== undefined && value > maximum)
    return { msg: `Expected at most ${maximum}, got ${value}.`, type: 'less_than_equal' };
  // -0 counts as 0.
  return value === 0 ? 0 : value;
}

function toInputProblem(problem: Problem): InputProblem {
  const steps = problem.instancePath.split('/').slice(1);
  const loc = steps.map((step) =>
    /^\d+$/.test(step) ? Number(step) : step.replaceAll('~1', '/').replaceAll('~0', '~'),
  );
  if (problem.keyword === 'required') {
    const missing = String(problem.params.missingProperty);
    return { loc: ['body', ...loc, missing], msg: 'This field is required.', type: 'missing' };
  }
  const allowed =
    problem.keyword === 'enum'
      ? `: ${(problem.params.allowedValues as unknown[]).map((value) => value ?? 'null').join(', ')}`
      : '';
  return { loc: ['body', ...loc], msg: `${problem.message}${allowed}`, type: problem.keyword };
}
