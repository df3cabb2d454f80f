import { valueAt } from '../../spec/json-pointer.js';
import { malformed } from './compiled.js';
import { readDocument, type SchemaDocument } from './document.js';
import { checkInPlace } from './in-place.js';
import { linearPattern, MOST_STEPS } from './patterns.js';
import { below, isObject, type Schema, type SchemaProblem, shown } from './schema.js';
import { boundedText, SCHEMA_LIMITS, type SchemaLimits } from './size.js';

/** Dialects whose usual keywords mean the same in draft 2020-12. Nothing is ever fetched. */
const KNOWN_DIALECT =
  /^https?:\/\/json-schema\.org\/(?:draft-0[4-7]\/schema|draft\/20(?:19-09|20-12)\/schema|schema)#?$/;
/** Keywords of other drafts that would change what a schema means and that draft 2020-12 no longer knows. */
const FOREIGN = ['$recursiveRef', '$vocabulary'] as const;

/**
 * What makes a schema unusable, or undefined. Bounded in time and memory for every input: size, depth, well-formed by
 * the metaschema of draft 2020-12, references inside the schema that exist and end, patterns of linear time.
 * Section "Task creation request" (`response_model`) and "Custom tool definition" (`inputs`).
 */
export function checkSchema(schema: unknown, limits: Partial<SchemaLimits> = {}): SchemaProblem | undefined {
  const read = guardedDocument(schema, limits);
  return 'problem' in read ? read.problem : undefined;
}

/** The same as `checkSchema`, with the schema's JSON text and its subschemas when it is usable. */
export function guardedDocument(
  schema: unknown,
  limits: Partial<SchemaLimits> = {},
): { problem: SchemaProblem } | { text: string; document: SchemaDocument } {
  const bounded = boundedText(schema, { ...SCHEMA_LIMITS, ...limits });
  return 'problem' in bounded ? bounded : guardedText(bounded.text);
}

/** Checks a schema whose size was found to be bounded. */
export function guardedText(
  text: string,
): { problem: SchemaProblem } | { text: string; document: SchemaDocument } {
  const root: unknown = JSON.parse(text);
  if (typeof root !== 'boolean' && !isObject(root)) {
    return {
      problem: { pointer: '', expected: 'a JSON Schema (an object, true or false)', got: shown(root) },
    };
  }
  const malformed = checkForm(root as Schema, '');
  if (malformed) return { problem: malformed };
  const read = readDocument(root as Schema);
  if ('problem' in read) return read;
  const problem = checkNodes(read.document) ?? checkInPlace(read.document);
  return problem ? { problem } : { text, document: read.document };
}

function checkNodes(document: SchemaDocument): SchemaProblem | undefined {
  for (const extra of document.extraRoots) {
    const malformed = checkForm(extra.schema, extra.pointer);
    if (malformed) return malformed;
  }
  let steps = 0;
  for (const [schema, pointer] of document.pointers) {
    const dialect = schema['$schema'];
    if (dialect !== undefined && !(typeof dialect === 'string' && KNOWN_DIALECT.test(dialect))) {
      return {
        pointer: below(pointer, '$schema'),
        expected: 'JSON Schema draft 2020-12',
        got: shown(dialect),
      };
    }
    if (schema['$id'] !== undefined && schema !== document.root) {
      return { pointer: below(pointer, '$id'), expected: '$id at the root only', got: shown(schema['$id']) };
    }
    for (const keyword of FOREIGN) {
      if (schema[keyword] !== undefined) {
        return { pointer: below(pointer, keyword), expected: 'keywords of draft 2020-12', got: keyword };
      }
    }
    const patterns = Object.keys(schema.patternProperties ?? {}).map((key): [string, string] => [
      key,
      below(below(pointer, 'patternProperties'), key),
    ]);
    if (schema.pattern !== undefined) patterns.push([schema.pattern, below(pointer, 'pattern')]);
    for (const [source, where] of patterns) {
      const pattern = linearPattern(source);
      const name = `${shown(source)}: `;
      const expected = 'a pattern that an engine of linear time (RE2) can run';
      if (typeof pattern === 'string') return { pointer: where, expected, got: name + pattern };
      steps += pattern.steps;
      if (steps > MOST_STEPS) {
        return {
          pointer: where,
          expected: `patterns of at most ${MOST_STEPS} steps in all`,
          got: `${name}more`,
        };
      }
    }
  }
  return undefined;
}

/** Holds a schema against the metaschema of draft 2020-12. */
function checkForm(schema: Schema, pointer: string): SchemaProblem | undefined {
  const complaint = malformed(schema);
  if (!complaint) return undefined;
  const { instancePath: path, keyword, message = 'valid', params } = complaint;
  const at = valueAt(schema, path);
  const allowed =
    keyword === 'enum' ? ` (${shown((params as { allowedValues?: unknown }).allowedValues)})` : '';
  const expected = `a keyword as in draft 2020-12: ${message}${allowed}`;
  return { pointer: pointer + path, expected, got: shown(at) };
}
