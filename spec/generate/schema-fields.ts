import { Document, isCollection } from 'yaml';
import { code, toHeading } from './page-text.js';

/** A node of the schemas in scenarios/; `x-expected` says in words what fits it. */
export interface FieldNode {
  readonly $ref?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  /** What is required unless `if` holds. */
  readonly else?: { readonly required: readonly string[] };
  readonly properties?: Readonly<Record<string, FieldNode>>;
  readonly 'x-expected'?: string;
}

export type Definitions = Readonly<Record<string, FieldNode>>;

/** What stands in a description about a field that is not there. */
const LEFT_OUT = /\s*Left out: ([\s\S]*?)\.?$/;

/**
 * The row of a field: its name, type, default, example and meaning. `own` are examples of what it belongs to.
 * Throws for a field that has no example or no description: a reference without is none.
 */
export function fieldRow(
  name: string,
  node: FieldNode,
  required: boolean,
  definitions: Definitions,
  own: readonly unknown[] = [],
): string[] {
  const shared = node.$ref === undefined ? undefined : definitions[referenced(node.$ref)];
  const description = node.description ?? shared?.description;
  const example = exampleOf([node.examples, own.flatMap((each) => valueIn(each, name)), shared?.examples]);
  if (description === undefined || example === undefined) {
    throw new Error(`${name}: expected a description and an example in the schema; add what is missing`);
  }
  return [
    code(name),
    typeOf(node),
    required ? '*required*' : defaultOf(node.default ?? shared?.default, description),
    code(flow(example.value)),
    description.replace(LEFT_OUT, ''),
  ];
}

/** A value on one line of YAML. */
export function flow(value: unknown): string {
  const document = new Document(value, { version: '1.2' });
  if (isCollection(document.contents)) document.contents.flow = true;
  return document.toString({ lineWidth: 0, flowCollectionPadding: true }).trim();
}

/** `#/$defs/duration` and `scenario.schema.json#/$defs/duration` name `duration`. */
export function referenced($ref: string): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}

function typeOf({ $ref, enum: values, 'x-expected': expected }: FieldNode): string {
  if ($ref !== undefined) return toHeading(referenced($ref));
  if (values !== undefined) return values.map((value) => code(flow(value))).join(', ');
  return expected ?? 'any value';
}

function defaultOf(value: unknown, description: string): string {
  if (value !== undefined) return code(flow(value));
  return LEFT_OUT.exec(description)?.[1] ?? 'none';
}

/** The first that there is, in a wrapper: an example may be null. */
function exampleOf(lists: readonly (readonly unknown[] | undefined)[]): { value: unknown } | undefined {
  const list = lists.find((each) => each !== undefined && each.length > 0);
  return list && { value: list[0] };
}

function valueIn(example: unknown, name: string): unknown[] {
  const fields = example as Readonly<Record<string, unknown>>;
  return name in fields ? [fields[name]] : [];
}
