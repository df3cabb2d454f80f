import { stringify } from 'yaml';
import { formatCode, formatHeadingLink, formatPage, formatTable } from './section-pages.js';
import { readText } from './write-files.js';

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

const schema = JSON.parse(readText('scenarios/scenario.schema.json')) as FieldNode;
const network = JSON.parse(readText('scenarios/network.schema.json')) as FieldNode;
const definitions = schema.$defs!;
const inNetworkFiles = network.$defs!.rule!.oneOf!.map(({ $ref }) => readReferenceName($ref));

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
export function generateScenarioPage(): string {
  const { properties, examples } = definitions['network.delay']!;
  const formatShared = (names: readonly string[]) =>
    formatTable(
      HEAD,
      names.map((name) => formatFieldRow(name, properties![name]!, false, examples)),
    );
  const actors = Object.entries(ACTORS).flatMap(([actor, heading]) => [
    `## ${heading}`,
    ...(actor === 'network' ? [`All of these steps have:\n\n${formatShared(OF_NETWORK)}`] : []),
    ...Object.keys(definitions)
      .filter((name) => name.startsWith(`${actor}.`))
      .map(formatStep),
  ]);
  return formatPage('docs/scenario-reference.md', 'scenarios/scenario.schema.json and network.schema.json', [
    `## The file\n\n${formatFields(schema)}`,
    ...PARTS.map(formatPart),
    `## What every step may have\n\n${formatShared(OF_ALL)}`,
    ...actors,
    ...TYPES.map(formatPart),
  ]);
}

/** Steps in the form of a file, each field on one line. */
function formatSteps(steps: readonly unknown[]): string {
  const lines = steps.map((step) => {
    const fields = Object.entries(step as object).map(([name, value]) => `${name}: ${formatFlow(value)}`);
    return `- ${fields.join('\n  ')}`;
  });
  return lines.join('\n');
}

function formatStep(verb: string): string {
  const { description, required = [], properties, examples } = definitions[verb]!;
  const actor = verb.split('.')[0]!;
  const isRule = actor === 'network';
  const listed = [actor, ...OF_ALL, ...(isRule ? OF_NETWORK : [])];
  const own = Object.entries(properties!).filter(
    ([name]) => !listed.includes(name) || (name === 'of' && required.includes('of')),
  );
  const rows = own.map(([name, field]) => formatFieldRow(name, field, required.includes(name), examples));
  const limit = isRule && !inNetworkFiles.includes(verb) ? ' Not in network files.' : '';
  const steps = `\`\`\`yaml step\n${formatSteps(examples!)}\n\`\`\``;
  const fields = rows.length > 0 ? `\n\n${formatTable(HEAD, rows)}` : '';
  return `### ${verb.replace('.', ': ')}\n\n${description}${limit}\n\n${steps}${fields}`;
}

/** A part of the file, or a type of fields. */
function formatPart(name: string): string {
  const node = definitions[name]!;
  const fields = node.properties === undefined ? '' : `\n\n${formatFields(node)}`;
  const values = (node.enum ?? node.examples ?? []).map((value) => `- ${formatCode(formatFlow(value))}`);
  const intro = node.enum === undefined ? 'For example' : 'One of';
  return `## ${name}\n\n${node.description}${fields}\n\n${intro}:\n\n${values.join('\n')}`;
}

function formatFields({ required, else: otherwise, properties }: FieldNode): string {
  const names = required ?? otherwise?.required ?? [];
  const rows = Object.entries(properties!).map(([name, field]) =>
    formatFieldRow(name, field, names.includes(name)),
  );
  return formatTable(HEAD, rows);
}

/** The part of a description about a field that is left out. */
const LEFT_OUT = /\s*Left out: ([\s\S]*?)\.?$/;

/** A row of HEAD. `examples`: of what the field belongs to. Throws for a field without an example or a description. */
function formatFieldRow(
  name: string,
  node: FieldNode,
  isRequired: boolean,
  examples: readonly unknown[] = [],
): string[] {
  const shared = node.$ref === undefined ? undefined : definitions[readReferenceName(node.$ref)];
  const description = node.description ?? shared?.description;
  const owned = (examples as Record<string, unknown>[]).filter((each) => name in each);
  const [example] = [
    ...(node.examples ?? []),
    ...owned.map((each) => each[name]),
    ...(shared?.examples ?? []),
  ].map(formatFlow);
  if (description === undefined || example === undefined)
    throw new Error(`${name}: expected a description and an example in the schema; add what is missing`);
  const standard = node.default ?? shared?.default;
  const unless = standard === undefined ? LEFT_OUT.exec(description)?.[1] : formatCode(formatFlow(standard));
  const meaning = description.replace(LEFT_OUT, '');
  return [
    formatCode(name),
    formatType(node),
    isRequired ? '*required*' : (unless ?? 'none'),
    formatCode(example),
    meaning,
  ];
}

/** A value on one line of YAML. */
function formatFlow(value: unknown): string {
  return stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trim();
}

/** `#/$defs/duration` and `scenario.schema.json#/$defs/duration` name `duration`. */
function readReferenceName($ref: string): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}

function formatType({ $ref, enum: values, 'x-expected': expected }: FieldNode): string {
  if ($ref !== undefined) return formatHeadingLink(readReferenceName($ref));
  if (values !== undefined) return values.map((value) => formatCode(formatFlow(value))).join(', ');
  return expected ?? 'any value';
}
