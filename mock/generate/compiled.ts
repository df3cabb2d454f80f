import type { Format, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type Checker, type Complaint, MOST_FOLLOWED, TooManySteps } from './checker.js';
import { readDocument, type SchemaDocument } from './document.js';
import { LINEAR_FORMATS } from './formats.js';
import { linearPattern } from './patterns.js';
import { type Schema, type SchemaObject, shown } from './schema.js';

/**
 * Validation by functions that are made of the schema: the quickest, where making functions of text is allowed. In
 * bundles for browsers interpreted.ts is in its place (package.json, `browser`).
 */

const STEP = 'x-followed';

/** A checker for a document whose JSON text is `text`. Throws where it cannot be compiled. */
export function checkerOf(document: SchemaDocument, text: string): Checker {
  // One instance a schema: an instance never forgets the code it made, and schemas must not meet by their $id.
  const ajv = new Ajv2020({
    strict: false,
    meta: false,
    validateSchema: false,
    logger: false,
    inlineRefs: false,
    ownProperties: true,
    // 19.99 is a multiple of 0.01 to everybody but to binary fractions.
    multipleOfPrecision: 9,
    formats: LINEAR_FORMATS as Record<string, Format>,
    code: { regExp: Object.assign(linearRegExp, { code: 'linearRegExp' }) },
  });
  let steps = 0;
  ajv.addKeyword({
    keyword: STEP,
    before: '$ref',
    errors: false,
    validate: () => {
      if (++steps > MOST_FOLLOWED) throw new TooManySteps();
      return true;
    },
  });
  const root = 'schema:root';
  ajv.addSchema(compilable(text), root);
  const whole = ajv.getSchema(root);
  if (!whole) throw new Error('the schema could not be compiled');
  const parts = new Map<Schema, ValidateFunction | undefined>([[document.root, whole]]);
  const part = (schema: Schema): ValidateFunction | undefined => {
    if (!parts.has(schema)) {
      const pointer = typeof schema === 'boolean' ? undefined : document.pointers.get(schema);
      const path = pointer?.split('/').map(encodeURIComponent).join('/');
      parts.set(schema, path === undefined ? undefined : ajv.getSchema(`${root}#${path}`));
    }
    return parts.get(schema);
  };
  return (schema, value) => {
    const check = part(schema);
    steps = 0;
    return check === undefined || check(value) ? undefined : (check.errors?.[0] ?? UNTOLD);
  };
}

const UNTOLD: Complaint = { keyword: '', instancePath: '', message: 'does not fit the schema', params: {} };

function linearRegExp(source: string): { test(text: string): boolean; toString(): string } {
  const pattern = linearPattern(source);
  if (typeof pattern === 'string') throw new Error(`pattern ${shown(source)}: ${pattern}`);
  // The compiler takes patterns for the same that read the same.
  return { test: pattern.test, toString: () => source };
}

/** A copy that the validator takes as it is meant: what it would stumble over is left out, references are counted. */
function compilable(text: string): Schema {
  const root = JSON.parse(text) as Schema;
  const read = readDocument(root);
  const nodes: Iterable<SchemaObject> = 'document' in read ? read.document.pointers.keys() : [];
  for (const node of [...nodes]) {
    for (const keyword of ['$schema', '$id', 'id']) delete node[keyword];
    if (node.type === undefined) delete node.nullable;
    if (node.format !== undefined && !Object.hasOwn(LINEAR_FORMATS, node.format)) delete node.format;
    if (node.$ref !== undefined || node.$dynamicRef !== undefined) node[STEP] = true;
  }
  return root;
}

let metaAjv: Ajv2020 | undefined;

/** What keeps a schema from being one of draft 2020-12, by its metaschema. */
export function malformed(schema: Schema): Complaint | undefined {
  // Formats are off: the only one that matters, that of patterns, is checked with the engine that will run them.
  metaAjv ??= new Ajv2020({ strict: false, validateFormats: false, logger: false });
  const plain = typeof schema === 'boolean' ? schema : { ...schema, $schema: undefined };
  return metaAjv.validateSchema(plain) ? undefined : (metaAjv.errors?.[0] ?? UNTOLD);
}
