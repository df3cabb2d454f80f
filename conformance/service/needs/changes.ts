import { openapi } from '../../../spec/generated/documents.js';
import { type Operation, type OperationId, operations } from '../../../spec/generated/operations.js';
import type { JsonObject } from '../../../spec/openapi-document.js';
import { isText, readField, show, toFields } from '../../conversation/json.js';
import type { ApiResponse } from '../http-client/response.js';

/** A change of one field in the body of a request. */
export interface BodyChange {
  /** The path of the field; `*` matches each entry of an array. */
  path: readonly string[];
  /** The need, as the continuation of "needs": `at most 3 in custom_tools`. */
  what: string;
  /** The field is added if it is missing or null. */
  isRequired?: true;
  /** Returns the new value, or undefined to keep the old one. Not called for a missing field, unless `isRequired`. */
  convert(value: unknown): unknown;
}

/** Objects defined by the caller: their fields are not fields of the API. */
const FOREIGN = ['inputs', 'response_model', 'schema', 'output', 'args'];

/**
 * Operations with fully stated bodies, and their fields that are optional or accept any value: a service that refuses a request
 * for these breaks the description. Requests of other operations have several forms that are tried in order. Sections "Task
 * creation request" and "Event endpoint rules".
 */
const STATED_BODIES: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  createTask: ['task', 'custom_tools', 'profile_id', 'response_model', 'files'],
  sendTaskEvent: ['id', 'name', 'payload.name', 'payload.code', 'payload.output', 'payload.input.js'],
  createProfile: [],
};

/** Synonyms for fields. */
const ALIASES: Readonly<Record<string, readonly string[]>> = { url: ['page', 'address', 'uri'] };

/** Plausible values for required fields, by name. */
const PLAUSIBLE: Readonly<Record<string, readonly unknown[]>> = {
  url: ['https://example.com/'],
  device: ['desktop', 'mobile'],
  metadata: [{}, { source: 'taskdouble' }],
  max_steps: [20],
};

const NUMBER_WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** `session`, `task`, the name of an action, `reply`: kinds of requests of one operation with separate needs. */
export function classifyRequest(operation: OperationId, body: unknown): string {
  if (operation === 'createTask') return typeof readField(body, 'task') === 'string' ? 'task' : 'session';
  if (operation !== 'sendTaskEvent') return '';
  return readField(body, 'name') === 'tool_call'
    ? 'reply'
    : String(readField(readField(body, 'payload'), 'name'));
}

/** Applies a change to a body; returns a changed copy, or the given body if nothing changes. */
export function applyChange(body: unknown, { path, isRequired, convert: to }: BodyChange): unknown {
  const changeAt = (value: unknown, [name, ...rest]: readonly string[]): unknown => {
    if (name === undefined) return to(value);
    if (name === '*') return Array.isArray(value) ? value.map((each) => changeAt(each, rest)) : value;
    const fields = toFields(value);
    if (!fields || ((fields[name] ?? null) === null && !isRequired)) return value;
    const changed = changeAt(fields[name], rest);
    return changed === fields[name] ? value : { ...fields, [name]: changed };
  };
  return changeAt(body, path);
}

/** Changes that may resolve a refusal with 400 or 422, for the fields that it names, most likely first. */
export function findChanges(
  operation: OperationId,
  body: unknown,
  { body: refusal }: ApiResponse,
): BodyChange[] {
  if (!toFields(body) || !STATED_BODIES[operation]) return [];
  // A message in another field is a failure of its own, which must not end the run.
  const detail = readField(refusal, 'detail') ?? Object.values(toFields(refusal) ?? {})[0];
  const parts = (Array.isArray(detail) ? detail : [detail]).map((each) => readDetail(operation, body, each));
  const changes = parts.flatMap(({ paths, hint }) =>
    paths.flatMap((path) => listChanges(operation, body, path, hint)),
  );
  // A missing field is the most common reason for a refusal.
  return changes.sort((one, other) => Number(other.isRequired ?? false) - Number(one.isRequired ?? false));
}

/** Hints in a refusal besides field names: numbers, and quoted or listed values. */
interface RefusalHint {
  numbers: number[];
  values: string[];
}

/** One text or one validation error: the fields that it names, and its full text. */
function readDetail(
  operation: OperationId,
  body: unknown,
  part: unknown,
): { paths: string[][]; hint: RefusalHint } {
  const text = isText(part)
    ? part
    : [readField(part, 'msg') ?? readField(part, 'message'), ...listContext(part)].join(' ');
  const loc = readField(part, 'loc');
  const steps = Array.isArray(loc) ? loc.map((step) => (typeof step === 'number' ? '*' : String(step))) : [];
  const isElsewhere = ['query', 'path', 'header', 'cookie'].includes(steps[0] ?? '');
  const located = steps[0] === 'body' ? steps.slice(1) : steps;
  const paths = isElsewhere ? [] : located.length > 0 ? [located] : findNamedPaths(text, operation, body);
  const names = new Set(paths.flat());
  const values = readQuotedValues(text).filter((each) => !names.has(each));
  return { paths, hint: { numbers: readNumbers(text), values } };
}

function listContext(part: unknown): string[] {
  return Object.entries(toFields(readField(part, 'ctx')) ?? {}).map(
    ([name, value]) => `${name} ${JSON.stringify(value)}`,
  );
}

function readNumbers(text: string): number[] {
  const digits = [...text.matchAll(/(?<![\w.])-?\d+(?:\.\d+)?/g)].map(([each]) => Number(each));
  const words = text.toLowerCase().split(/\W+/);
  return [
    ...digits,
    ...words.flatMap((word) => (NUMBER_WORDS.includes(word) ? NUMBER_WORDS.indexOf(word) : [])),
  ];
}

/** Quoted texts, else the entries of a list after a colon or "of". */
function readQuotedValues(text: string): string[] {
  const quoted = [...text.matchAll(/["'`]([\w./:-]+)["'`]/g)].map(([, value]) => value!);
  const list =
    /(?:\bof\b|[:([])[\s:([]*([\w-]+(?:(?:\s*[,|/]\s*|\s+)(?:or\s+|and\s+)?[\w-]+)*)/i.exec(text)?.[1] ?? '';
  const listed = list.split(/\s*[,|/]\s*(?:or\s+|and\s+)?|\s+(?:or|and)\s+/);
  const isList = listed.length > 1 && listed.every((each) => /^[\w-]+$/.test(each));
  return [...new Set([...quoted, ...(isList ? listed : [])])];
}

/** Fields of this or similar requests that a text names, and a field that it reports as missing. */
function findNamedPaths(text: string, operation: OperationId, body: unknown): string[][] {
  const words = new Set(
    text
      .toLowerCase()
      .split(/\W+/)
      .flatMap((word) => [word, word.replace(/s$/, '')]),
  );
  const hasAlias = (name: string) => (ALIASES[name] ?? []).some((each) => words.has(each));
  const isNamed = (path: readonly string[]) => {
    const name = path.findLast((step) => step !== '*')!.toLowerCase();
    // "tools" refers to custom_tools.
    const last = name.split('_').at(-1)!.replace(/s$/, '');
    return words.has(name) || (name.includes('_') && last.length > 3 && words.has(last)) || hasAlias(name);
  };
  const absent = Object.keys(readProperties(operation)).filter(
    (name) => readField(body, name) === undefined && (words.has(name) || hasAlias(name)),
  );
  const named = [...collectPaths(body).filter(isNamed), ...absent.map((name) => [name])];
  const said = [...text.matchAll(MISSING)].flatMap(([, ...names]) =>
    names.filter((name) => name !== undefined),
  );
  const quoted = [...text.matchAll(/["'`](\w+)["'`]/g)].map(([, name]) => name!);
  const unknown = (said.length > 0 || named.length > 0 ? said : quoted).filter(
    (name) => !NO_NAMES.test(name) && !named.some((path) => path.includes(name)),
  );
  return [...named, ...unknown.map((name) => [name])];
}

/** `region is required`, `field: region`, `needs a region`; the name may be quoted. */
const MISSING =
  /\b(\w+)["'`]? (?:is|are) (?:required|missing)|(?:field|property|parameter)s?:? ["'`]?(\w+)|(?:requires?|missing|needs?):? (?:an? |the |required )?(?:field:? )?["'`]?(\w+)/gi;
const NO_NAMES = /^(field|property|parameter|value|the|an?|is|one|required|to|in)$/i;

function collectPaths(value: unknown, path: string[] = []): string[][] {
  if (Array.isArray(value)) return collectPaths(value[0], [...path, '*']);
  return Object.entries(toFields(value) ?? {}).flatMap(([name, each]) => [
    [...path, name],
    ...(FOREIGN.includes(name) ? [] : collectPaths(each, [...path, name])),
  ]);
}

/** The stated fields of the body. */
function readProperties(operation: OperationId): Readonly<Record<string, JsonObject>> {
  const { body } = operations[operation] as Operation;
  const schema = body && openapi.components.schemas[body.schema];
  return (schema?.properties ?? {}) as Readonly<Record<string, JsonObject>>;
}

function readValue(body: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, step) => (step === '*' ? (Array.isArray(value) ? value[0] : undefined) : readField(value, step)),
    body,
  );
}

function listChanges(
  operation: OperationId,
  body: unknown,
  path: readonly string[],
  hint: RefusalHint,
): BodyChange[] {
  const value = readValue(body, path) ?? undefined;
  const where = path.filter((step) => step !== '*').join('.');
  const isFree = STATED_BODIES[operation]?.includes(where);
  if (value === undefined) return isFree ? [] : listAdditions(operation, path, where, hint);
  if (isFree && operation === 'sendTaskEvent') return [];
  if (Array.isArray(value))
    return listLengths(value.length, hint).map((most) => limitLength(path, where, most));
  if (typeof value === 'number') return listNumberChanges(path, where, value, hint);
  if (typeof value !== 'string') return [];
  return isFree ? listLengthChanges(path, where, value, hint) : listTextChanges(path, where, value, hint);
}

/** Values for a missing field. */
function listAdditions(
  operation: OperationId,
  path: readonly string[],
  where: string,
  hint: RefusalHint,
): BodyChange[] {
  const name = path.at(-1)!;
  const schema = path.length === 1 ? readProperties(operation)[name] : undefined;
  const types = [schema?.type ?? []].flat();
  const typed: Record<string, unknown> = {
    object: {},
    array: [],
    integer: 1,
    number: 1,
    boolean: true,
    string: 'taskdouble',
  };
  const stated = (schema?.enum as unknown[] | undefined)?.filter((each) => each !== null) ?? [];
  const ofType = types.flatMap((type) => (String(type) in typed ? [typed[String(type)]] : []));
  const plausible = PLAUSIBLE[name] ?? [];
  const both = plausible.filter((each) => hint.values.includes(each as string));
  const guesses = schema ? [] : Object.values(typed).toReversed();
  return [...new Set([...both, ...hint.values, ...plausible, ...stated, ...ofType, ...guesses])].map(
    (value) => ({
      path,
      what: `${where}, such as ${show(value)}`,
      isRequired: true,
      convert: (given) => given ?? value,
    }),
  );
}

/** Array lengths that may be short enough. */
function listLengths(length: number, { numbers }: RefusalHint): number[] {
  const fitting = numbers.filter((each) => Number.isInteger(each) && each >= 1 && each < length);
  if (fitting.length > 0) return fitting;
  return Array.from({ length: Math.min(length - 1, 3) }, (_, at) => length - 1 - at);
}

function limitLength(path: readonly string[], where: string, most: number): BodyChange {
  const convert = (value: unknown) =>
    Array.isArray(value) && value.length > most ? value.slice(0, most) : value;
  return { path, what: `at most ${most} in ${where}`, convert };
}

function listNumberChanges(
  path: readonly string[],
  where: string,
  value: number,
  hint: RefusalHint,
): BodyChange[] {
  const bounds = hint.numbers.flatMap((bound): BodyChange[] => {
    if (bound === value) return [];
    const isLeast = bound > value;
    const convert = (given: unknown) =>
      typeof given !== 'number' ? given : isLeast ? Math.max(given, bound) : Math.min(given, bound);
    return [{ path, what: `${where} of ${bound} at ${isLeast ? 'least' : 'most'}`, convert }];
  });
  // The description has "integer Unix time" here, without a unit.
  const toSeconds = (given: unknown) => (Number(given) > 1e11 ? Math.floor(Number(given) / 1000) : given);
  const isTime = path.at(-1) === 'timestamp';
  return isTime ? [{ path, what: `${where} in seconds`, convert: toSeconds }] : bounds;
}

/** Shorter texts are not cut. */
const SHORTEST = 8;
/** Texts are not made longer than this: a greater number in a refusal is an id or a time. */
const LONGEST = 100_000;
const PADDING = ' Take all the time that you need, and tell me in the end what you have done.';

function listLengthChanges(
  path: readonly string[],
  where: string,
  value: string,
  { numbers }: RefusalHint,
): BodyChange[] {
  return numbers.flatMap((length): BodyChange[] => {
    const isLeast = length > value.length;
    // A shorter text would lose its meaning.
    if (length === value.length || length < SHORTEST || length > LONGEST) return [];
    const convert = (given: unknown) =>
      typeof given !== 'string' ? given : isLeast ? padText(length, given) : given.slice(0, length);
    return [{ path, what: `${where} of ${length} characters at ${isLeast ? 'least' : 'most'}`, convert }];
  });
}

function padText(length: number, text: string): string {
  const missing = Math.max(0, length - text.length);
  return text + PADDING.repeat(Math.ceil(missing / PADDING.length)).slice(0, missing);
}

/** Other spellings of a name that the caller chooses. */
const FORMS: readonly [what: string, form: (name: string) => string][] = [
  ['without underscores', (name) => name.replaceAll('_', '-')],
  ['without hyphens', (name) => name.replaceAll('-', '_')],
  ['of letters and digits', (name) => name.replaceAll(/[^A-Za-z0-9]/g, '')],
  ['in camel case', (name) => name.replaceAll(/[_-](\w)/g, (_, letter: string) => letter.toUpperCase())],
];

function listTextChanges(
  path: readonly string[],
  where: string,
  value: string,
  hint: RefusalHint,
): BodyChange[] {
  const { values } = hint;
  const createTextChange = (what: string, form: (text: string) => string): BodyChange => ({
    path,
    what: `${where} ${what}`,
    convert: (given) => (typeof given === 'string' ? form(given) : given),
  });
  const allowed = values.includes(value)
    ? []
    : values.map((one) =>
        createTextChange(`to be one of ${show(values)}`, (text) => (values.includes(text) ? text : one)),
      );
  const forms = /^[\w-]+$/.test(value) ? FORMS.filter(([, form]) => form(value) !== value) : [];
  return [
    ...allowed,
    ...(value.startsWith('http:')
      ? [createTextChange('to be https', (text) => text.replace(/^http:/, 'https:'))]
      : []),
    ...listLengthChanges(path, where, value, hint),
    ...forms.map(([what, form]) => createTextChange(what, form)),
  ];
}
