import { appendPointer, findByPointer } from '../json.js';
import { selectKeywords } from './keywords.js';
import { isOfType, type Schema, type SchemaError, type SchemaObject } from './schema.js';

export interface EvaluationOptions {
  /** The schema that a `$ref` names. Called each time one is followed: may throw to end the evaluation. */
  resolve(reference: string): Schema;
  pattern(source: string): { test(text: string): boolean };
  /** Whether a value is of a format; true for unknown formats. */
  isOfFormat(value: string | number, format: string): boolean;
  /** Report every error, not only the first. */
  allErrors: boolean;
}

/**
 * Evaluates a value by a schema of draft 2020-12. It interprets the schema, so it also runs where a content security
 * policy forbids generated code. Empty when the value is valid. Throws what `resolve` throws, and RangeError for values
 * that are nested too deeply.
 */
export function evaluate(schema: Schema, value: unknown, options: EvaluationOptions): SchemaError[] {
  const errors: SchemaError[] = [];
  isValid({ ...options, errors }, schema, value, '');
  return errors;
}

type Evaluation = EvaluationOptions & { errors: SchemaError[] };

/** One value and one schema that applies to it. */
export class Instance {
  constructor(
    readonly evaluation: Evaluation,
    readonly schema: SchemaObject,
    readonly value: unknown,
    /** JSON pointer to the value. */
    readonly pointer: string,
  ) {}

  /** Whether the value, or the name of a property, is valid by another schema; otherwise there are more errors. */
  isValidAgainst(schema: Schema, value = this.value): boolean {
    return isValid(this.evaluation, schema, value, this.pointer);
  }

  /** The same for an item or the value of a property. */
  isChildValid(schema: Schema, key: string | number): boolean {
    const child = (this.value as Record<string | number, unknown>)[key];
    return isValid(this.evaluation, schema, child, appendPointer(this.pointer, key));
  }

  /** Like `Array.every`, but does not stop at the first failure if all errors are wanted. */
  every<T>(list: readonly T[], holds: (one: T) => boolean): boolean {
    if (!this.evaluation.allErrors) return list.every(holds);
    return list.filter((one) => !holds(one)).length === 0;
  }

  /** Adds an error and returns false. `property`: the missing or forbidden one. */
  fail(keyword: string, message: string, property?: string): false {
    const { schema: parentSchema, value: data, pointer: instancePath } = this;
    const about = property === undefined ? {} : { property };
    this.evaluation.errors.push({ keyword, instancePath, message, parentSchema, data, ...about });
    return false;
  }
}

function isValid(evaluation: Evaluation, schema: Schema, value: unknown, pointer: string): boolean {
  if (schema === true) return true;
  if (schema === false)
    return new Instance(evaluation, {}, value, pointer).fail('false schema', 'boolean schema is false');
  const instance = new Instance(evaluation, schema, value, pointer);
  let valid = hasType(schema, value) || instance.fail('type', `must be ${String(schema.type)}`);
  for (const keywords of selectKeywords(value)) {
    for (const [name, keyword] of keywords) {
      if (!valid && !evaluation.allErrors) return false;
      const given = schema[name];
      if (given !== undefined) valid = keyword(instance, given as never) && valid;
    }
  }
  return valid;
}

function hasType({ type, nullable }: SchemaObject, value: unknown): boolean {
  if (type === undefined || (nullable === true && value === null)) return true;
  return Array.isArray(type) ? type.some((each) => isOfType(value, each)) : isOfType(value, type);
}

/** Returns every error; empty if the value is valid. */
export type SchemaValidator = (value: unknown) => SchemaError[];

/**
 * Validates by an internal schema, or by the part of it at `pointer`. Internal schemas are trusted and tested: references and
 * patterns have no limits. Formats are ignored unless `isOfFormat` is given.
 */
export function createValidator(
  root: object,
  pointer = '',
  isOfFormat: EvaluationOptions['isOfFormat'] = () => true,
): SchemaValidator {
  const resolve = (at: string): Schema => {
    const found = findByPointer(root, at);
    if (found === undefined) throw new TypeError(`${JSON.stringify(at)} leads to nothing in the schema`);
    return found as Schema;
  };
  const options: EvaluationOptions = {
    allErrors: true,
    resolve: (reference) => resolve(reference.slice(1)),
    isOfFormat,
    pattern: (source) => new RegExp(source, 'u'),
  };
  return (value) => evaluate(resolve(pointer), value, options);
}
