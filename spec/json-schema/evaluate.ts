import { ARRAY_KEYWORDS } from './array-keywords.js';
import {
  Evaluated,
  type Evaluation,
  type EvaluationOptions,
  every,
  type Instance,
  type Keyword,
  type Keywords,
} from './evaluation.js';
import { OBJECT_KEYWORDS } from './object-keywords.js';
import { ANY_KEYWORDS, NUMBER_KEYWORDS, STRING_KEYWORDS } from './scalar-keywords.js';
import { isObject, isOfType, type Schema, type SchemaError, type SchemaObject } from './schema.js';

/**
 * Evaluates a value by a schema of draft 2020-12. It interprets the schema, so it also runs where a content security
 * policy forbids generated code. Empty when the value is valid. Throws what `resolve` throws, and RangeError for values
 * that are nested too deeply.
 */
export function evaluate(schema: Schema, value: unknown, options: EvaluationOptions): SchemaError[] {
  const errors: SchemaError[] = [];
  const evaluation: Evaluation = {
    ...options,
    errors,
    isValid: (inner, part, pointer, evaluated) => isValid(evaluation, inner, part, pointer, evaluated),
    fail({ schema: parentSchema, value: data, pointer }, keyword, message, params = {}) {
      errors.push({ keyword, instancePath: pointer, message, params, parentSchema, data });
      return false;
    },
  };
  evaluation.isValid(schema, value, '');
  return errors;
}

function isValid(
  evaluation: Evaluation,
  given: Schema,
  value: unknown,
  pointer: string,
  outer?: Evaluated,
): boolean {
  if (given === true) return true;
  const schema: SchemaObject = given === false ? {} : given;
  // What an outer schema has evaluated does not count here: evaluation starts anew and hands on what it has seen.
  const isOwn = schema.unevaluatedProperties !== undefined || schema.unevaluatedItems !== undefined;
  const evaluated = isOwn ? new Evaluated() : outer;
  const instance: Instance = { schema, value, pointer, evaluated };
  if (given === false) return evaluation.fail(instance, 'false schema', 'boolean schema is false');
  let valid = hasType(evaluation, instance);
  if (!valid && !evaluation.allErrors) return false;
  valid = evaluateKeywords(evaluation, instance, IN_PLACE_KEYWORDS) && valid;
  if (valid || evaluation.allErrors)
    valid = evaluateKeywords(evaluation, instance, keywordsFor(value)) && valid;
  if (isOwn && valid) outer?.add(evaluated);
  return valid;
}

function hasType(evaluation: Evaluation, instance: Instance): boolean {
  const { type, nullable } = instance.schema;
  if (type === undefined || (nullable === true && instance.value === null)) return true;
  const types = Array.isArray(type) ? type : [type];
  return (
    types.some((each) => isOfType(instance.value, each)) ||
    evaluation.fail(instance, 'type', `must be ${String(type)}`, { type })
  );
}

function keywordsFor(value: unknown): Keywords {
  if (typeof value === 'string') return STRING_KEYWORDS;
  if (Number.isFinite(value)) return NUMBER_KEYWORDS;
  if (Array.isArray(value)) return ARRAY_KEYWORDS;
  return isObject(value) ? OBJECT_KEYWORDS : [];
}

function evaluateKeywords(evaluation: Evaluation, instance: Instance, keywords: Keywords): boolean {
  let valid = true;
  for (const [name, keyword] of keywords) {
    const given = instance.schema[name];
    if (given === undefined || keyword(evaluation, instance, given as never)) continue;
    valid = false;
    if (!evaluation.allErrors) return false;
  }
  return valid;
}

const reference: Keyword = (evaluation, { value, pointer, evaluated }, to: string) =>
  evaluation.isValid(evaluation.resolve(to), value, pointer, evaluated);

const allOf: Keyword = (evaluation, { value, pointer, evaluated }, schemas: Schema[]) =>
  every(evaluation, schemas, (schema) => evaluation.isValid(schema, value, pointer, evaluated));

/** Indexes of the schemas by which a value is valid. What these have evaluated counts. */
function matching(
  evaluation: Evaluation,
  { value, pointer, evaluated }: Instance,
  schemas: readonly Schema[],
  most: number,
): number[] {
  const found: number[] = [];
  for (const [index, schema] of schemas.entries()) {
    const seen = evaluated && new Evaluated();
    if (!evaluation.isValid(schema, value, pointer, seen)) continue;
    evaluated?.add(seen);
    found.push(index);
    if (found.length === most && !evaluated) break;
  }
  return found;
}

const anyOf: Keyword = (evaluation, instance, schemas: Schema[]) => {
  const before = evaluation.errors.length;
  if (matching(evaluation, instance, schemas, 1).length === 0)
    return evaluation.fail(instance, 'anyOf', 'must match a schema in anyOf');
  evaluation.errors.length = before;
  return true;
};

const oneOf: Keyword = (evaluation, instance, schemas: Schema[]) => {
  const before = evaluation.errors.length;
  const found = matching(evaluation, instance, schemas, 2);
  if (found.length !== 1) {
    const params = { passingSchemas: found.length === 0 ? null : found.slice(0, 2) };
    return evaluation.fail(instance, 'oneOf', 'must match exactly one schema in oneOf', params);
  }
  evaluation.errors.length = before;
  return true;
};

const not: Keyword = (evaluation, instance, schema: Schema) => {
  const before = evaluation.errors.length;
  const valid = evaluation.isValid(schema, instance.value, instance.pointer);
  evaluation.errors.length = before;
  return !valid || evaluation.fail(instance, 'not', 'must NOT be valid');
};

const condition: Keyword = (evaluation, instance, schema: Schema) => {
  const { value, pointer, evaluated } = instance;
  const before = evaluation.errors.length;
  const seen = evaluated && new Evaluated();
  const holds = evaluation.isValid(schema, value, pointer, seen);
  evaluation.errors.length = before;
  if (holds) evaluated?.add(seen);
  const clause = holds ? 'then' : 'else';
  const next = instance.schema[clause];
  if (next === undefined || evaluation.isValid(next, value, pointer, evaluated)) return true;
  return evaluation.fail(instance, 'if', `must match "${clause}" schema`, { failingKeyword: clause });
};

/** Keywords that apply to values of every type. */
const IN_PLACE_KEYWORDS: Keywords = [
  ['$dynamicRef', reference],
  ['$ref', reference],
  ...ANY_KEYWORDS,
  ['not', not],
  ['anyOf', anyOf],
  ['oneOf', oneOf],
  ['allOf', allOf],
  ['if', condition],
];
