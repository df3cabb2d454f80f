import { childPointer, valueAt } from '../../../spec/json-pointer.js';
import { evaluate } from '../../../spec/json-schema/evaluate.js';
import { isObject, type Schema } from '../../../spec/json-schema/schema.js';
import { readDocument, type SchemaDocument } from './document.js';
import { METASCHEMA } from './metaschema.js';
import { linearPattern, MOST_STEPS } from './patterns.js';
import { type SchemaProblem, shown } from './problem.js';
import { checkReferences } from './reference-limits.js';
import { boundedText, SCHEMA_LIMITS, type SchemaLimits } from './size.js';
import { pattern } from './validate.js';

/** Dialects whose usual keywords mean the same in draft 2020-12. Nothing is ever fetched. */
const KNOWN_DIALECT =
  /^https?:\/\/json-schema\.org\/(?:draft-0[4-7]\/schema|draft\/20(?:19-09|20-12)\/schema|schema)#?$/;
/** Keywords of other drafts that would change what a schema means and that draft 2020-12 no longer knows. */
const FOREIGN = ['$recursiveRef', '$vocabulary'] as const;

type ReadSchema = { document: SchemaDocument } | { problem: SchemaProblem };

const CACHED_SCHEMAS = 500;
const CACHED_CHARACTERS = 4 * 1024 * 1024;

const cache = new Map<string, ReadSchema>();
let cachedCharacters = 0;

/**
 * A schema from outside, ready to validate and to generate values; or what makes it unusable. Bounded in time and memory
 * for every input: size, depth, valid by the metaschema of draft 2020-12, references that exist inside the schema and
 * end, patterns of linear time. Section "Task creation request" (`response_model`) and "Custom tool definition" (`inputs`).
 * Equal schemas are read once: the least recently used are dropped.
 */
export function readSchema(schema: unknown, limits: Partial<SchemaLimits> = {}): ReadSchema {
  const bounded = boundedText(schema, { ...SCHEMA_LIMITS, ...limits });
  if ('problem' in bounded) return bounded;
  const { text } = bounded;
  const known = cache.get(text);
  const read = known ?? readText(text);
  if (known) cache.delete(text);
  else cachedCharacters += text.length;
  cache.set(text, read);
  for (const oldest of cache.keys()) {
    if (cache.size <= CACHED_SCHEMAS && cachedCharacters <= CACHED_CHARACTERS) break;
    cache.delete(oldest);
    cachedCharacters -= oldest.length;
  }
  return read;
}

function readText(text: string): ReadSchema {
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
  const problem = checkNodes(read.document) ?? checkReferences(read.document);
  return problem ? { problem } : read;
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
        pointer: childPointer(pointer, '$schema'),
        expected: 'JSON Schema draft 2020-12',
        got: shown(dialect),
      };
    }
    if (schema['$id'] !== undefined && schema !== document.root) {
      return {
        pointer: childPointer(pointer, '$id'),
        expected: '$id at the root only',
        got: shown(schema['$id']),
      };
    }
    for (const keyword of FOREIGN) {
      if (schema[keyword] !== undefined) {
        return {
          pointer: childPointer(pointer, keyword),
          expected: 'keywords of draft 2020-12',
          got: keyword,
        };
      }
    }
    if (schema.enum?.length === 0)
      return { pointer: childPointer(pointer, 'enum'), expected: 'at least one value', got: '[]' };
    const patterns = Object.keys(schema.patternProperties ?? {}).map((key): [string, string] => [
      key,
      childPointer(childPointer(pointer, 'patternProperties'), key),
    ]);
    if (schema.pattern !== undefined) patterns.push([schema.pattern, childPointer(pointer, 'pattern')]);
    for (const [source, where] of patterns) {
      const compiled = linearPattern(source);
      const name = `${shown(source)}: `;
      const expected = 'a pattern that an engine of linear time (RE2) can run';
      if (typeof compiled === 'string') return { pointer: where, expected, got: name + compiled };
      steps += compiled.steps;
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

/** Validates a schema by the metaschema of draft 2020-12. */
function checkForm(schema: Schema, pointer: string): SchemaProblem | undefined {
  const plain = typeof schema === 'boolean' ? schema : { ...schema, $schema: undefined };
  const options = { resolve: () => METASCHEMA, pattern, isOfFormat: () => true, allErrors: false };
  const [error] = evaluate(METASCHEMA, plain, options);
  if (!error) return undefined;
  const { instancePath: path, keyword, message, params } = error;
  const allowed = keyword === 'enum' ? ` (${shown(params['allowedValues'])})` : '';
  const expected = `a keyword as in draft 2020-12: ${message}${allowed}`;
  return { pointer: pointer + path, expected, got: shown(valueAt(schema, path)) };
}
