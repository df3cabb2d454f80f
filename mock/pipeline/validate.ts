import type { Operation, OperationParameter } from '../../spec/generated/operations.js';
import { type Problem, validators } from '../../spec/generated/validators.js';
import { type InputProblem, InvalidInput } from './errors.js';

/** Longest id or text in a path or a header, in characters. */
const LONGEST_PARAMETER = 1024;
/** Deepest nesting of a JSON body. */
const DEEPEST_BODY = 64;

export interface Parameters {
  path: Record<string, string | number | boolean>;
  query: Record<string, string | number | boolean>;
  header: Record<string, string | number | boolean>;
}

const NO_PARAMETERS: Parameters = Object.freeze({
  path: Object.freeze({}),
  query: Object.freeze({}),
  header: Object.freeze({}),
});

/** Reads and checks the parameters of a request; defaults are filled in. Throws InvalidInput with all mistakes. */
export function readParameters(
  operation: Operation,
  pathValues: readonly string[],
  query: string,
  headers: Readonly<Record<string, string | undefined>>,
): Parameters {
  if (operation.params.length === 0) return NO_PARAMETERS;
  const read: Parameters = { path: {}, query: {}, header: {} };
  const search = query === '' ? undefined : readQuery(query);
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
  return read;
}

/** What needs no decoding, as nearly all there is. */
const PLAIN_QUERY = /^[\w.=&-]*$/;

/** The parameters of a query; the last one of a name counts. Taking a plain one apart here costs a fraction of what the platform takes. */
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

type Mistake = Pick<InputProblem, 'msg' | 'type'>;

function readValue(parameter: OperationParameter, text: string): string | number | boolean | Mistake {
  switch (parameter.type) {
    case 'integer':
      return readInteger(parameter, text);
    case 'boolean':
      if (/^(true|1)$/i.test(text)) return true;
      if (/^(false|0)$/i.test(text)) return false;
      return { msg: `Expected true or false, got "${shorten(text)}".`, type: 'bool_parsing' };
    case 'string': {
      const longest = parameter.maxLength ?? LONGEST_PARAMETER;
      if (text.length > longest) {
        return {
          msg: `Expected at most ${longest} characters, got ${text.length}.`,
          type: 'string_too_long',
        };
      }
      if (parameter.enum && !parameter.enum.includes(text)) {
        return { msg: `Expected one of ${parameter.enum.join(', ')}, got "${shorten(text)}".`, type: 'enum' };
      }
      return text;
    }
  }
}

function readInteger(parameter: OperationParameter, text: string): number | Mistake {
  const value = /^[+-]?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value)) {
    return { msg: `Expected an integer, got "${shorten(text)}".`, type: 'int_parsing' };
  }
  if (parameter.minimum !== undefined && value < parameter.minimum) {
    return { msg: `Expected at least ${parameter.minimum}, got ${value}.`, type: 'greater_than_equal' };
  }
  if (parameter.maximum !== undefined && value > parameter.maximum) {
    return { msg: `Expected at most ${parameter.maximum}, got ${value}.`, type: 'less_than_equal' };
  }
  // -0 is no integer that anybody means.
  return value === 0 ? 0 : value;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The text of a body. Throws InvalidInput when it is not UTF-8. */
export function readText(body: Uint8Array | string | null): string {
  if (body === null || typeof body === 'string') return body ?? '';
  try {
    return utf8.decode(body);
  } catch {
    throw new InvalidInput([{ loc: ['body'], msg: 'The body is not valid UTF-8.', type: 'unicode_error' }]);
  }
}

/** Parses a JSON body, bounded in depth. Throws InvalidInput. */
export function parseJson(text: string): unknown {
  if (text.length >= DEEPEST_BODY && isTooDeep(text)) {
    throw new InvalidInput([
      { loc: ['body'], msg: `Nested deeper than ${DEEPEST_BODY} levels.`, type: 'json_invalid' },
    ]);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason =
      text === ''
        ? 'The body is empty; a JSON object is required.'
        : `Not valid JSON: ${(error as Error).message}`;
    throw new InvalidInput([
      { loc: ['body'], msg: shorten(reason, 200), type: text === '' ? 'missing' : 'json_invalid' },
    ]);
  }
}

/** Holds a JSON body against the operation's schema. Throws InvalidInput. */
export function checkBody(operation: Operation, body: unknown): void {
  const name = operation.body?.validator;
  if (name === undefined) return;
  const problem = validators[name as keyof typeof validators](body);
  if (problem) throw new InvalidInput([toInputProblem(problem)]);
}

function toInputProblem(problem: Problem): InputProblem {
  const steps = problem.instancePath.split('/').slice(1);
  const loc = steps.map((step) =>
    /^\d+$/.test(step) ? Number(step) : step.replaceAll('~1', '/').replaceAll('~0', '~'),
  );
  if (problem.keyword === 'required') {
    return {
      loc: ['body', ...loc, String(problem.params.missingProperty)],
      msg: 'This field is required.',
      type: 'missing',
    };
  }
  const allowed =
    problem.keyword === 'enum'
      ? `: ${(problem.params.allowedValues as unknown[]).map((value) => value ?? 'null').join(', ')}`
      : '';
  return { loc: ['body', ...loc], msg: `${problem.message}${allowed}`, type: problem.keyword };
}

/** Whether JSON text goes beyond the depth that bodies may have. Counts brackets outside texts: JSON.parse itself would take any depth, what comes after it would not. */
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

function shorten(text: string, most = 60): string {
  return text.length > most ? `${text.slice(0, most - 3)}...` : text;
}
