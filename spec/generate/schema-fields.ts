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

type Fields = Readonly<Record<string, unknown>>;
export type Definitions = Readonly<Record<string, FieldNode>>;

/** The part of a description about a field that is left out. */
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
  const owned = own.map((each) => each as Fields).filter((each) => name in each);
  const examples = [
    ...(node.examples ?? []),
    ...owned.map((each) => each[name]),
    ...(shared?.examples ?? []),
  ];
  if (description === undefined || examples.length === 0) {
    throw new Error(`${name}: expected a description and an example in the schema; add what is missing`);
  }
  const standard = node.default ?? shared?.default;
  const unless = standard === undefined ? LEFT_OUT.exec(description)?.[1] : code(flow(standard));
  return [
    code(name),
    typeOf(node),
    required ? '*required*' : (unless ?? 'none'),
    code(flow(examples[0])),
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
