import { childPointer, valueAt } from '../../../spec/json-pointer.js';
import { isObject, type Schema, type SchemaObject } from '../../../spec/json-schema/schema.js';
import { checkForm, KEYWORDS, type SchemaProblem } from './metaschema.js';

/** A schema with all its subschemas found and its references resolved. */
export interface SchemaDocument {
  root: Schema;
  /** Every object schema, with its JSON pointer. */
  pointers: Map<SchemaObject, string>;
  /** What a `$ref` names. */
  resolve(reference: string): Schema;
}

/** The schemas directly inside one, with their pointers. */
function* subschemas(schema: SchemaObject, pointer: string): Generator<[Schema, pointer: string]> {
  for (const keyword of KEYWORDS.schema) {
    const inner = schema[keyword];
    if (inner !== undefined) yield [inner as Schema, childPointer(pointer, keyword)];
  }
  for (const keyword of [...KEYWORDS.schemas, ...KEYWORDS.map]) {
    for (const [key, inner] of Object.entries(schema[keyword] ?? {}))
      yield [inner as Schema, childPointer(childPointer(pointer, keyword), key)];
  }
}

/** Finds subschemas and references. `root` must be JSON of bounded depth. */
export function readDocument(root: Schema): { document: SchemaDocument } | { problem: SchemaProblem } {
  const pointers = new Map<SchemaObject, string>();
  const anchors = new Map<string, SchemaObject>();
  const references = new Map<string, string>();
  const targets = new Map<string, Schema>();

  const walk = (schema: Schema, pointer: string): SchemaProblem | undefined => {
    if (typeof schema === 'boolean' || pointers.has(schema)) return undefined;
    pointers.set(schema, pointer);
    const { $anchor, $ref } = schema;
    if ($anchor !== undefined && anchors.has($anchor)) {
      const at = childPointer(pointer, '$anchor');
      return { pointer: at, expected: 'a name used once', got: `"${$anchor}" again` };
    }
    if ($anchor !== undefined) anchors.set($anchor, schema);
    if ($ref !== undefined && !references.has($ref)) references.set($ref, childPointer(pointer, '$ref'));
    for (const [inner, at] of subschemas(schema, pointer)) {
      const problem = walk(inner, at);
      if (problem) return problem;
    }
    return undefined;
  };

  const problem = checkForm(root, '') ?? walk(root, '');
  if (problem) return { problem };
  // References found on the way are added to the map while it is gone through.
  for (const [reference, pointer] of references) {
    const found = reference.startsWith('#') ? find(root, anchors, reference) : undefined;
    if (!found) {
      const expected = 'a reference to a schema that exists inside this one ("#...")';
      const got = `"${reference.slice(0, 60)}"; nothing outside the schema is loaded`;
      return { problem: { pointer, expected, got } };
    }
    const { schema } = found;
    targets.set(reference, schema);
    // A reference may make a schema of any place.
    const isNew = typeof schema !== 'boolean' && !pointers.has(schema);
    const problem = isNew ? (checkForm(schema, found.pointer) ?? walk(schema, found.pointer)) : undefined;
    if (problem) return { problem };
  }
  const resolve = (reference: string) => targets.get(reference) ?? false;
  return { document: { root, pointers, resolve } };
}

function find(root: Schema, anchors: Map<string, SchemaObject>, reference: string) {
  let fragment: string;
  try {
    fragment = decodeURIComponent(reference.slice(1));
  } catch {
    return undefined;
  }
  if (fragment !== '' && !fragment.startsWith('/')) {
    const schema = anchors.get(fragment);
    return schema && { schema: schema as Schema, pointer: '' };
  }
  const schema = valueAt(root, fragment);
  const isSchema = typeof schema === 'boolean' || isObject(schema);
  return isSchema ? { schema: schema as Schema, pointer: fragment } : undefined;
}
