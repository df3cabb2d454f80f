import type { Schema, SchemaError, SchemaObject } from './schema.js';

export interface EvaluationOptions {
  /** The schema that a `$ref` or `$dynamicRef` names. Called each time one is followed: may throw to end the evaluation. */
  resolve(reference: string): Schema;
  pattern(source: string): { test(text: string): boolean };
  /** Whether a value is of a format; true for unknown formats. */
  isOfFormat(value: string | number, format: string): boolean;
  /** Report every error, not only the first. */
  allErrors: boolean;
}

/** What keywords have evaluated so far: the rest is for `unevaluatedProperties` and `unevaluatedItems`. */
export class Evaluated {
  readonly properties = new Set<string>();
  /** Number of items from the front. */
  items = 0;
  /** Indexes of items that `contains` matched. */
  readonly contained = new Set<number>();

  add(other: Evaluated | undefined): void {
    if (!other) return;
    for (const name of other.properties) this.properties.add(name);
    for (const index of other.contained) this.contained.add(index);
    this.items = Math.max(this.items, other.items);
  }
}

/** One value and one schema that applies to it. */
export interface Instance {
  schema: SchemaObject;
  value: unknown;
  /** JSON pointer to the value. */
  pointer: string;
  /** Undefined where no `unevaluated…` keyword asks for it. */
  evaluated: Evaluated | undefined;
}

/** One evaluation of a value by a schema. */
export interface Evaluation extends EvaluationOptions {
  readonly errors: SchemaError[];
  /** True where the value is valid; otherwise `errors` has grown. */
  isValid(schema: Schema, value: unknown, pointer: string, evaluated?: Evaluated): boolean;
  /** Adds an error. Always false. */
  fail(instance: Instance, keyword: string, message: string, params?: Record<string, unknown>): false;
}

/** Evaluates one keyword that is present: true where the value is valid. */
export type Keyword = (evaluation: Evaluation, instance: Instance, given: never) => boolean;
/** In the order of evaluation: the first error is the one that is reported. */
export type Keywords = readonly (readonly [name: string, evaluate: Keyword])[];

/** Whether something holds for each of a list, up to the first for which it does not unless all errors are wanted. */
export function every<T>({ allErrors }: Evaluation, list: Iterable<T>, holds: (one: T) => boolean): boolean {
  let valid = true;
  for (const one of list) {
    if (holds(one)) continue;
    valid = false;
    if (!allErrors) return false;
  }
  return valid;
}
