import { openapi } from '../../../spec/generated/documents.js';
import type { Operation } from '../../../spec/generated/operations.js';
import type { JsonObject } from '../../../spec/openapi-document.js';
import { field } from '../../conversation/json.js';

/** As much of a JSON Schema as the API itself states. */
export interface Stated {
  types?: readonly string[];
  values?: readonly unknown[];
  required?: readonly string[];
  properties?: Readonly<Record<string, Stated>>;
  /** Of the entries of a map. */
  others?: Stated;
  items?: Stated;
  anyOf?: readonly Stated[];
}

/** Nothing is stated: everything fits. */
const ANYTHING: Stated = Object.freeze({});

/** A record whose fields are open is a record all the same. */
const SOME_RECORD: Stated = Object.freeze({ types: ['object', 'array'] });

/** Polls may leave `events` out or say null while there are none (open point `poll.events-when-empty`). */
const LOOSER: Readonly<Record<string, string>> = { TaskResponsePlusInternals: 'TaskResponse' };

/** What a success of the operation has to be: the body, or the payload in the envelope. */
export function statedAnswer(operation: Operation): Stated {
  const path = openapi.paths[`${operation.path}`]?.[operation.method.toLowerCase()] as JsonObject;
  const responses = path.responses as Readonly<Record<string, JsonObject>>;
  const schema = schemaIn(responses[String(operation.successStatuses[0])]!);
  if (!operation.envelope) return stated(schema);
  return stated((schema.properties as Readonly<Record<string, JsonObject>>).r!);
}

function schemaIn(response: JsonObject): JsonObject {
  const { $ref } = response;
  if (typeof $ref === 'string') return schemaIn(openapi.components.responses[$ref.split('/').at(-1)!]!);
  const content = response.content as Readonly<Record<string, { schema: JsonObject }>>;
  return content['application/json']!.schema;
}

/** Leaves out what the description marks as a choice of ours or as known from clients alone. */
export function stated(schema: JsonObject): Stated {
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').at(-1)!;
    return stated(openapi.components.schemas[LOOSER[name] ?? name]!);
  }
  if (isOpen(schema)) return schema.type === 'object' ? SOME_RECORD : ANYTHING;
  const found: Stated = {};
  if (schema.type !== undefined) found.types = [schema.type].flat() as string[];
  if (Array.isArray(schema.enum)) found.values = schema.enum;
  if (Array.isArray(schema.anyOf)) found.anyOf = schema.anyOf.map(stated);
  if (schema.items !== undefined) found.items = stated(schema.items as JsonObject);
  if (typeof schema.additionalProperties === 'object')
    found.others = stated(schema.additionalProperties as JsonObject);
  const properties = Object.entries((schema.properties ?? {}) as Readonly<Record<string, JsonObject>>);
  const closed = properties.filter(([, property]) => !isOpen(property));
  if (closed.length > 0)
    found.properties = Object.fromEntries(closed.map(([name, property]) => [name, stated(property)]));
  const names = new Set(closed.map(([name]) => name));
  const required = ((schema.required ?? []) as string[]).filter((name) => names.has(name));
  if (required.length > 0) found.required = required;
  return found;
}

/** Marked as something that no implementation may be judged by. */
export function isOpen(schema: JsonObject): boolean {
  return schema['x-taskdouble-choice'] === true || schema['x-taskdouble-source'] === 'clients';
}

/** Says where a value does not fit, what was expected there and what came; undefined when it fits. */
export function misfit(value: unknown, schema: Stated, at = ''): string | undefined {
  const { types, values, required, properties, others, items, anyOf } = schema;
  if (types && !types.some((type) => isOf(type, value)))
    return `${at || 'the payload'}: expected ${types.join(' or ')}, got ${shorten(value)}`;
  if (values && !values.includes(value))
    return `${at || 'the payload'}: expected one of ${values.join(', ')}, got ${shorten(value)}`;
  if (anyOf) {
    const misfits = anyOf.map((each) => misfit(value, each, at));
    if (!misfits.includes(undefined)) return misfits[0];
  }
  if (Array.isArray(value)) return items && firstMisfit(value.entries(), () => items, at);
  if (value === null || typeof value !== 'object') return undefined;
  const missing = required?.find((name) => field(value, name) === undefined);
  if (missing !== undefined)
    return `${at || 'the payload'}: expected the field "${missing}", got ${shorten(value)}`;
  const members = Object.entries(value);
  const named = firstMisfit(
    members,
    (name) => (properties && Object.hasOwn(properties, name) ? properties[name] : undefined),
    at,
  );
  if (named || !others || members.length === 0) return named;
  // Beside the entries of a map there may be more: one that fits shows what it is.
  const misfits = members.map((member) => firstMisfit([member], () => others, at));
  return misfits.includes(undefined) ? undefined : misfits[0];
}

function firstMisfit<Name extends string | number>(
  members: Iterable<[Name, unknown]>,
  schemaOf: (name: Name) => Stated | undefined,
  at: string,
): string | undefined {
  for (const [name, member] of members) {
    const schema = schemaOf(name);
    const found = schema && misfit(member, schema, at === '' ? String(name) : `${at}.${name}`);
    if (found) return found;
  }
  return undefined;
}

function isOf(type: string, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return value !== null && typeof value === 'object' && !Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    case 'string':
      return typeof value === 'string';
    case 'boolean':
      return typeof value === 'boolean';
    default:
      return typeof value === 'number';
  }
}

function shorten(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 120 ? `${text.slice(0, 117)}...` : text;
}
