import { stringify } from 'yaml';
import { code, pageText, table, toHeading } from './page-text.js';
import { textOf } from './write-files.js';

/** A node of the schemas in scenarios/; `x-expected` says in words what fits it. */
interface FieldNode {
  readonly $ref?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  /** What is required unless `if` holds. */
  readonly else?: { readonly required: readonly string[] };
  readonly oneOf?: readonly { readonly $ref: string }[];
  readonly properties?: Readonly<Record<string, FieldNode>>;
  readonly $defs?: Readonly<Record<string, FieldNode>>;
  readonly 'x-expected'?: string;
}

const schema = JSON.parse(textOf('scenarios/scenario.schema.json')) as FieldNode;
const network = JSON.parse(textOf('scenarios/network.schema.json')) as FieldNode;
const definitions = schema.$defs!;
const inNetworkFiles = network.$defs!.rule!.oneOf!.map(({ $ref }) => referenced($ref));

const HEAD = ['Field', 'Type', 'Default', 'Example', 'Meaning'];
/** Fields that every step may have, and those of every network step: listed once. */
const OF_ALL = ['id', 'after', 'if', 'meanwhile'];
const OF_NETWORK = ['of', 'times', 'skip', 'probability', 'expires'];
/** In the order of the page; each is the type of some field. */
const PARTS = ['request', 'tool', 'match'];
const TYPES = ['duration', 'after', 'if', 'meanwhile', 'id', 'target', 'until', 'side', 'code', 'address'];
const ACTORS = {
  service: 'What the service does',
  client: 'What the client does',
  network: 'What the network does',
};

/** docs/scenario-reference.md: the format of scenarios and network files, from their schemas. */
export function scenarioPage(): string {
  const { properties, examples } = definitions['network.delay']!;
  const shared = (names: readonly string[]) =>
    table(
      HEAD,
      names.map((name) => fieldRow(name, properties![name]!, false, examples)),
    );
  const actors = Object.entries(ACTORS).flatMap(([actor, heading]) => [
    `## ${heading}`,
    ...(actor === 'network' ? [`All of these steps have:\n\n${shared(OF_NETWORK)}`] : []),
    ...Object.keys(definitions)
      .filter((name) => name.startsWith(`${actor}.`))
      .map(stepText),
  ]);
  return pageText('docs/scenario-reference.md', 'scenarios/scenario.schema.json and network.schema.json', [
    `## The file\n\n${fieldsOf(schema)}`,
    ...PARTS.map(partText),
    `## What every step may have\n\n${shared(OF_ALL)}`,
    ...actors,
    ...TYPES.map(partText),
  ]);
}

/** Steps in the form of a file, each field on one line. */
function stepsAsYaml(steps: readonly unknown[]): string {
  const lines = steps.map((step) => {
    const fields = Object.entries(step as object).map(([name, value]) => `${name}: ${flow(value)}`);
    return `- ${fields.join('\n  ')}`;
  });
  return lines.join('\n');
}

function stepText(verb: string): string {
  const { description, required = [], properties, examples } = definitions[verb]!;
  const actor = verb.split('.')[0]!;
  const isRule = actor === 'network';
  const listed = [actor, ...OF_ALL, ...(isRule ? OF_NETWORK : [])];
  const own = Object.entries(properties!).filter(
    ([name]) => !listed.includes(name) || (name === 'of' && required.includes('of')),
  );
  const rows = own.map(([name, field]) => fieldRow(name, field, required.includes(name), examples));
  const limit = isRule && !inNetworkFiles.includes(verb) ? ' Not in network files.' : '';
  const steps = `\`\`\`yaml step\n${stepsAsYaml(examples!)}\n\`\`\``;
  const fields = rows.length > 0 ? `\n\n${table(HEAD, rows)}` : '';
  return `### ${verb.replace('.', ': ')}\n\n${description}${limit}\n\n${steps}${fields}`;
}

/** A part of the file, or a type of fields. */
function partText(name: string): string {
  const node = definitions[name]!;
  const fields = node.properties === undefined ? '' : `\n\n${fieldsOf(node)}`;
  const values = (node.enum ?? node.examples ?? []).map((value) => `- ${code(flow(value))}`);
  const intro = node.enum === undefined ? 'For example' : 'One of';
  return `## ${name}\n\n${node.description}${fields}\n\n${intro}:\n\n${values.join('\n')}`;
}

function fieldsOf({ required, else: otherwise, properties }: FieldNode): string {
  const names = required ?? otherwise?.required ?? [];
  const rows = Object.entries(properties!).map(([name, field]) =>
    fieldRow(name, field, names.includes(name)),
  );
  return table(HEAD, rows);
}

/** The part of a description about a field that is left out. */
const LEFT_OUT = /\s*Left out: ([\s\S]*?)\.?$/;

/** A row of HEAD. `examples`: of what the field belongs to. Throws for a field without an example or a description. */
function fieldRow(
  name: string,
  node: FieldNode,
  isRequired: boolean,
  examples: readonly unknown[] = [],
): string[] {
  const shared = node.$ref === undefined ? undefined : definitions[referenced(node.$ref)];
  const description = node.description ?? shared?.description;
  const owned = (examples as Record<string, unknown>[]).filter((each) => name in each);
  const [example] = [
    ...(node.examples ?? []),
    ...owned.map((each) => each[name]),
    ...(shared?.examples ?? []),
  ].map(flow);
  if (description === undefined || example === undefined)
    throw new Error(`${name}: expected a description and an example in the schema; add what is missing`);
  const standard = node.default ?? shared?.default;
  const unless = standard === undefined ? LEFT_OUT.exec(description)?.[1] : code(flow(standard));
  const meaning = description.replace(LEFT_OUT, '');
  return [code(name), typeOf(node), isRequired ? '*required*' : (unless ?? 'none'), code(example), meaning];
}

/** A value on one line of YAML. */
function flow(value: unknown): string {
  return stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trim();
}

/** `#/$defs/duration` and `scenario.schema.json#/$defs/duration` name `duration`. */
function referenced($ref: string): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}

function typeOf({ $ref, enum: values, 'x-expected': expected }: FieldNode): string {
  if ($ref !== undefined) return toHeading(referenced($ref));
  if (values !== undefined) return values.map((value) => code(flow(value))).join(', ');
  return expected ?? 'any value';
}
