import { appendPointer, findByPointer } from '../../../spec/json.js';
import { isObject, type Schema, type SchemaObject } from '../../../spec/json-schema/schema.js';
import { compilePattern, MOST_STEPS } from '../../../spec/linear-pattern.js';
import { showJson } from '../../../spec/show.js';
import { checkForm, KEYWORDS, refuse, UNSUPPORTED } from './metaschema.js';

export interface SchemaDocument {
  root: Schema;
  resolve(reference: string): Schema;
}

/** Dialects whose common keywords mean the same in draft 2020-12. Nothing is ever fetched. */
const KNOWN_DIALECT =
  /^https?:\/\/json-schema\.org\/(?:draft-0[4-7]\/schema|draft\/20(?:19-09|20-12)\/schema|schema)#?$/;

/** The direct subschemas of a schema, with their pointers. */
function* listSubschemas(schema: SchemaObject, pointer: string): Generator<[Schema, pointer: string]> {
  for (const keyword of KEYWORDS.schema) {
    const inner = schema[keyword];
    if (inner !== undefined) yield [inner as Schema, appendPointer(pointer, keyword)];
  }
  for (const keyword of [...KEYWORDS.schemas, ...KEYWORDS.map]) {
    for (const [key, inner] of Object.entries(schema[keyword] ?? {}))
      yield [inner as Schema, appendPointer(appendPointer(pointer, keyword), key)];
  }
}

/**
 * Checks a schema with all subschemas and resolves their references. `root` must be JSON of bounded depth.
 */
export function readDocument(root: Schema): SchemaDocument {
  const visited = new Set<SchemaObject>();
  const anchors = new Map<string, SchemaObject>();
  const references = new Map<string, string>();
  const targets = new Map<string, Schema>();
  let steps = 0;

  visitChecked(root, '');
  // References found in the loop are added to the map during the iteration.
  for (const [reference, pointer] of references) {
    const fragment = readFragment(reference);
    const target = fragment === undefined ? undefined : findTarget(fragment);
    if (typeof target !== 'boolean' && !isObject(target)) {
      const got = `"${reference.slice(0, 60)}"; nothing outside the schema is loaded`;
      return refuse(pointer, 'a reference to a schema that exists inside this one ("#...")', got);
    }
    targets.set(reference, target as Schema);
    // A reference may use any value as a schema.
    visitChecked(target as Schema, fragment!);
  }
  return { root, resolve: (reference) => targets.get(reference) ?? false };

  function visitChecked(schema: Schema, pointer: string): void {
    if (typeof schema === 'object' && visited.has(schema)) return;
    checkForm(schema, pointer);
    visit(schema, pointer);
  }

  function visit(schema: Schema, pointer: string): void {
    if (typeof schema === 'boolean' || visited.has(schema)) return;
    visited.add(schema);
    const { $anchor, $ref } = schema;
    if ($anchor !== undefined && anchors.has($anchor))
      refuse(appendPointer(pointer, '$anchor'), 'a name used once', `"${$anchor}" again`);
    if ($anchor !== undefined) anchors.set($anchor, schema);
    if ($ref !== undefined && !references.has($ref)) references.set($ref, appendPointer(pointer, '$ref'));
    checkKeywords(schema, pointer);
    for (const [inner, at] of listSubschemas(schema, pointer)) visit(inner, at);
  }

  function checkKeywords(schema: SchemaObject, pointer: string): void {
    const { $schema, $id, pattern, patternProperties = {} } = schema;
    const check = (isUsable: boolean, keyword: string, expected: string) =>
      isUsable || refuse(appendPointer(pointer, keyword), expected, showJson(schema[keyword]));
    const isKnown = $schema === undefined || KNOWN_DIALECT.test(String($schema));
    check(isKnown, '$schema', 'JSON Schema draft 2020-12');
    check($id === undefined || schema === root, '$id', '$id at the root only');
    const unsupported = UNSUPPORTED.find((keyword) => schema[keyword] !== undefined) ?? '';
    check(unsupported === '', unsupported, 'keywords of draft 2020-12 that are supported');
    check(schema.enum?.length !== 0, 'enum', 'at least one value');
    const inNames = appendPointer(pointer, 'patternProperties');
    for (const name of Object.keys(patternProperties)) checkPattern(name, appendPointer(inNames, name));
    if (pattern !== undefined) checkPattern(pattern, appendPointer(pointer, 'pattern'));
  }

  function checkPattern(source: string, pointer: string): void {
    const compiled = compilePattern(source);
    if (typeof compiled === 'object') steps += compiled.steps;
    if (typeof compiled === 'object' && steps <= MOST_STEPS) return;
    const reason = typeof compiled === 'string' ? compiled : `more than ${MOST_STEPS} steps in all patterns`;
    refuse(
      pointer,
      'a pattern that an engine of linear time (RE2) can run',
      `${showJson(source)}: ${reason}`,
    );
  }

  function findTarget(fragment: string): unknown {
    const isPointer = fragment === '' || fragment.startsWith('/');
    return isPointer ? findByPointer(root, fragment) : anchors.get(fragment);
  }
}

/** Undefined for a reference to another document, or one that cannot be decoded. */
function readFragment(reference: string): string | undefined {
  try {
    return reference.startsWith('#') ? decodeURIComponent(reference.slice(1)) : undefined;
  } catch {
    return undefined;
  }
}
