/** A JSON Schema of draft 2020-12, with the keywords that are read here. Well-formed: others have seen to that. */
export type Schema = boolean | SchemaNode;

export interface SchemaNode {
  readonly [keyword: string]: unknown;
}

/** What one keyword complains of; the shape is that of ajv, so that both are told in the same words. */
export interface SchemaError {
  keyword: string;
  /** JSON pointer to the value. */
  instancePath: string;
  message: string;
  params: Record<string, unknown>;
  parentSchema: SchemaNode;
  data: unknown;
}

export interface WalkOptions {
  /** The schema that a `$ref` or `$dynamicRef` names. Called each time one is followed: may throw to end the walk. */
  resolve(reference: string): Schema;
  pattern(source: string): { test(text: string): boolean };
  /** Whether a value is of a format; true for formats that are not known. */
  isOfFormat(value: string | number, format: string): boolean;
  /** Everything that is wrong, not the first alone. */
  all: boolean;
}

/** What keywords have looked at so far: what is left is `unevaluatedProperties` and `unevaluatedItems`. */
export class Evaluated {
  readonly properties = new Set<string>();
  /** Items from the front. */
  items = 0;
  /** Items further back, which `contains` has found. */
  readonly contained = new Set<number>();

  add(other: Evaluated | undefined): void {
    if (!other) return;
    for (const name of other.properties) this.properties.add(name);
    for (const index of other.contained) this.contained.add(index);
    this.items = Math.max(this.items, other.items);
  }
}

/** One value that is held against one schema. */
export interface Place {
  node: SchemaNode;
  value: unknown;
  /** JSON pointer to the value. */
  at: string;
  /** Undefined where nobody asks. */
  evaluated: Evaluated | undefined;
}

/** One walk through a value and its schema side by side. */
export interface Walk extends WalkOptions {
  readonly errors: SchemaError[];
  /** True where the value fits; otherwise `errors` has grown. */
  check(schema: Schema, value: unknown, at: string, evaluated?: Evaluated): boolean;
  /** Adds a complaint. Always false. */
  fail(place: Place, keyword: string, message: string, params?: Record<string, unknown>): false;
}

/** Looks at one keyword that is there: true where the value fits. */
export type Keyword = (walk: Walk, place: Place, given: never) => boolean;
/** In the order in which they are looked at: the first complaint is the one that is told. */
export type Keywords = readonly (readonly [name: string, look: Keyword])[];

/** True for a JSON object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The pointer one step further down. */
export function below(at: string, key: string | number): string {
  return `${at}/${typeof key === 'number' ? key : key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Whether two JSON values are the same, whatever the order of keys. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((each, index) => isEqual(each, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key], b[key]))
  );
}

/** Whether an object has a property of its own that is not undefined. */
export function has(value: unknown, name: string): boolean {
  return Object.hasOwn(value as object, name) && (value as Record<string, unknown>)[name] !== undefined;
}
