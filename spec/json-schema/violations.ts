import { parsePointer } from '../json.js';
import { findNearest, formatSuggestion } from '../nearest.js';
import { show } from '../show.js';
import { createValidator, type SchemaValidator } from './evaluate.js';
import type { SchemaError, SchemaObject } from './schema.js';

/** Keys and indexes that lead from a value to one inside it. */
export type Path = readonly (string | number)[];

export function parsePath(pointer: string): Path {
  return parsePointer(pointer).map((key) => (/^\d+$/.test(key) ? Number(key) : key));
}

export interface Violation {
  path: Path;
  /** The subject. Default: the value. */
  at?: 'key' | 'value';
  /** `path: expected …; found …` */
  message: string;
}

/** An invalid external value. The message says where, what was expected and what was found. */
export class InvalidValue extends Error {
  override readonly name = 'InvalidValue';
}

/** `place`: such as `tasks[2].status`; empty for the whole value. */
export function createInvalidValue(place: string, expected: string, found: unknown): InvalidValue {
  return new InvalidValue(`${place && `${place}: `}expected ${expected}; found ${showKind(found)}`);
}

/** Does not show the contents of objects and lists: they may contain API keys. */
export function showKind(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === 'object' && value !== null ? 'an object' : show(value);
}

/** Throws InvalidValue with the first violation of an internal schema. `place`: the name of the value in the message. */
export function assertValid(schema: object, value: unknown, place = ''): void {
  const [violation] = findViolations(createValidator(schema), value, [], '', showKind);
  if (violation) throw new InvalidValue(`${place && `${place}: `}${violation.message}`);
}

/**
 * Checks a value by an internal schema. Messages say what was expected by `x-expected`, or by the other keywords. `path`: of
 * `value` in its file. `root`: the name of the value in messages.
 */
export function findViolations(
  validate: SchemaValidator,
  value: unknown,
  path: Path = [],
  root = '',
  showFound = show,
): Violation[] {
  const found = new Map<string, Violation>();
  // An `if` error repeats the error of its branch.
  const all = validate(value).filter(({ keyword }) => keyword !== 'if');
  const errors = all.filter((error) => !isMisspelled(error, all));
  // Of several errors about one value, the one that says what was expected is reported.
  for (const error of errors.sort((a, b) => rankError(a) - rankError(b))) {
    const reported = toViolation(error, path, root, showFound);
    const isOwn = error.keyword === 'required' || error.keyword === 'additionalProperties';
    const key = JSON.stringify([reported.path, isOwn ? reported.message : '']);
    if (!found.has(key)) found.set(key, reported);
  }
  return [...found.values()];
}

/** Whether a key is missing only because it is misspelled: the unknown key is reported. */
function isMisspelled({ keyword, instancePath, property, parentSchema }: SchemaError, all: SchemaError[]) {
  if (keyword !== 'required') return false;
  const known = Object.keys(parentSchema.properties ?? {});
  const unknown = all.filter((each) => each.keyword === 'additionalProperties');
  return unknown.some(
    (each) => each.instancePath === instancePath && findIntendedKey(each.property!, known) === property,
  );
}

function rankError(error: SchemaError): number {
  return typeof error.parentSchema['x-expected'] === 'string' ? 0 : 1;
}

function toViolation(error: SchemaError, above: Path, root: string, showFound: typeof show): Violation {
  const { keyword, property = '', parentSchema, data } = error;
  const inner = parsePath(error.instancePath);
  const path = [...above, ...inner];
  const name = inner.length > 0 ? formatPath(inner) : root;
  const known = Object.keys(parentSchema.properties ?? {});
  if (keyword === 'additionalProperties') {
    const meant = findIntendedKey(property, known);
    const advice = meant === undefined ? `known here: ${known.join(', ')}` : `did you mean ${meant}?`;
    const message = `unknown key "${property.slice(0, 80)}"${name && ` in ${name}`}; ${advice}`;
    return { path: [...path, property], at: 'key', message };
  }
  if (keyword === 'required') {
    const { description } = (parentSchema.properties?.[property] ?? {}) as SchemaObject;
    const about = description === undefined ? '' : `: ${String(description)}`;
    const message = `expected the key "${property}"${name && ` in ${name}`}, which is missing${about}`;
    return { path, message };
  }
  const message = `${name && `${name}: `}expected ${describeExpected(error)}; found ${showFound(data)}`;
  const values = keyword === 'enum' ? parentSchema.enum!.map(String) : [];
  return { path, message: message + formatSuggestion(data, values) };
}

/** Files use `time`, code uses `timeMs`. */
function findIntendedKey(key: string, known: readonly string[]): string | undefined {
  const withUnit = known.find((each) => each.startsWith(key) && /^(_m?s|Ms|S)$/.test(each.slice(key.length)));
  return withUnit ?? findNearest(key, known);
}

/** `after.polls`, `custom_tools[0]`. */
export function formatPath(path: Path): string {
  return path
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? key : `.${key}`))
    .join('');
}

function describeExpected({ keyword, message, parentSchema }: SchemaError): string {
  const { type, minimum, maximum, minLength, maxLength, 'x-expected': stated } = parentSchema;
  const values = parentSchema.enum?.map(String) ?? [];
  if (keyword === 'enum') return values.length === 1 ? values[0]! : `one of ${values.join(', ')}`;
  if (keyword === 'uniqueItems') return 'no value twice';
  const isBound = keyword === 'maximum' || keyword === 'maxLength';
  if (stated !== undefined) return `${String(stated)}${isBound ? `, at most ${parentSchema[keyword]}` : ''}`;
  if (type === undefined) return message;
  const words: Readonly<Record<string, string>> = {
    string: minLength === undefined ? 'a text' : `a text of ${minLength} to ${maxLength} characters`,
    boolean: 'true or false',
    number: `a number${formatBounds(minimum, maximum)}`,
    integer: `a whole number${formatBounds(minimum, maximum)}`,
    array: 'a list',
    object: 'an object',
    null: 'null',
  };
  const kinds = [type].flat().map((each) => words[each] ?? `a ${each}`);
  return kinds.join(' or ');
}

function formatBounds(minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER): string {
  const isFrom = minimum > Number.MIN_SAFE_INTEGER;
  const isTo = maximum < Number.MAX_SAFE_INTEGER;
  if (isFrom && isTo) return ` from ${minimum} to ${maximum}`;
  return isFrom ? ` from ${minimum} up` : isTo ? ` up to ${maximum}` : '';
}
