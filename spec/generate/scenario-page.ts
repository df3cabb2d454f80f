import { Document, visit } from 'yaml';
import { code, pageBanner, table, toHeading } from './page-text.js';
import { type Definitions, type FieldNode, fieldRow, flow, referenced } from './schema-fields.js';
import { textOf } from './write-files.js';

interface ScenarioSchema extends FieldNode {
  readonly $defs: Definitions;
}

interface NetworkSchema {
  readonly $defs: { readonly rule: { readonly oneOf: readonly { readonly $ref: string }[] } };
}

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
  const schema = JSON.parse(textOf('scenarios/scenario.schema.json')) as ScenarioSchema;
  const network = JSON.parse(textOf('scenarios/network.schema.json')) as NetworkSchema;
  const definitions = schema.$defs;
  const verbs = (actor: string) => Object.keys(definitions).filter((name) => name.startsWith(`${actor}.`));
  const standing = network.$defs.rule.oneOf.map(({ $ref }) => referenced($ref));
  const delay = definitions['network.delay']!;
  return `${pageBanner('scenarios/scenario.schema.json and network.schema.json')}
# Scenario reference

Every field of a scenario file and of a network file. [Write a scenario](write-a-scenario.md) shows how they are used;
[script a race](script-a-race.md) is about the network. Editors complete and check as you type when the first line of the file is
\`# yaml-language-server: $schema=PATH\`, with the path of \`scenarios/scenario.schema.json\` of the package
(\`taskdouble/scenarios/schema.json\`, \`taskdouble/scenarios/network.schema.json\`).

${contents(Object.entries(ACTORS).map(([actor, heading]) => [heading, verbs(actor)]))}

## The file

${fieldsOf(schema, definitions)}

${PARTS.map((name) => partText(name, definitions)).join('\n\n')}

## What every step may have

${table(
  HEAD,
  OF_ALL.map((name) => fieldRow(name, delay.properties![name]!, false, definitions)),
)}

${Object.entries(ACTORS)
  .map(([actor, heading]) =>
    actorText(heading, verbs(actor), definitions, actor === 'network' ? standing : undefined),
  )
  .join('\n\n')}

## Network files

A file for \`--network\` is a list of network steps, or a mapping with such a list as \`rules\`. They hold from the start, until they
have fired \`times\` often. They have none of the fields of every step.

\`\`\`yaml network network.yaml
${stepsAsYaml([definitions['network.fail']!.examples![0], definitions['network.quota']!.examples![0]])}
\`\`\`

\`\`\`sh mock
npx taskdouble mock --network network.yaml
\`\`\`

Instead of the list, a text with rules in shorthand is allowed: [simulate network faults](build-a-client.md#simulate-network-faults).

${TYPES.map((name) => partText(name, definitions)).join('\n\n')}
`;
}

/** Steps in the form of a file, with small values on one line. */
function stepsAsYaml(steps: unknown): string {
  const document = new Document(steps);
  visit(document, {
    Collection: (_, node, path) => {
      if (path.length > 3) node.flow = true;
    },
  });
  return document.toString({ lineWidth: 0 }).trim();
}

function contents(actors: readonly (readonly [string, readonly string[]])[]): string {
  const steps = actors.map(
    ([heading, verbs]) =>
      `- ${toHeading(heading)}: ${verbs.map((verb) => toHeading(headingOf(verb), code(wordOf(verb)))).join(', ')}`,
  );
  const parts = ['The file', ...PARTS, 'What every step may have'].map((each) => toHeading(each));
  const types = TYPES.map((each) => toHeading(each));
  return [
    `- ${parts.join(', ')}`,
    ...steps,
    `- ${toHeading('Network files')}`,
    `- Types: ${types.join(', ')}`,
  ].join('\n');
}

function actorText(
  heading: string,
  verbs: readonly string[],
  definitions: Definitions,
  standing: readonly string[] | undefined,
): string {
  const steps = verbs.map((verb) => stepText(verb, definitions, standing));
  if (standing === undefined) return `## ${heading}\n\n${steps.join('\n\n')}`;
  const { properties, examples } = definitions['network.delay']!;
  const rows = OF_NETWORK.map((name) => fieldRow(name, properties![name]!, false, definitions, examples));
  return `## ${heading}\n\nAll of these steps have:\n\n${table(HEAD, rows)}\n\n${steps.join('\n\n')}`;
}

function stepText(verb: string, definitions: Definitions, standing: readonly string[] | undefined): string {
  const node = definitions[verb]!;
  const [actor] = verb.split('.') as [string];
  const listed = [actor, ...OF_ALL, ...(standing === undefined ? [] : OF_NETWORK)];
  const rows = Object.entries(node.properties!)
    .filter(([name]) => !listed.includes(name) || (name === 'of' && node.required?.includes('of')))
    .map(([name, field]) =>
      fieldRow(name, field, node.required?.includes(name) ?? false, definitions, node.examples),
    );
  return [
    `### ${headingOf(verb)}\n`,
    `${node.description}${standing?.includes(verb) ? '' : standing ? ' Not in network files.' : ''}\n`,
    '```yaml step',
    stepsAsYaml(node.examples),
    '```',
    ...(rows.length > 0 ? ['', table(HEAD, rows)] : []),
  ].join('\n');
}

function headingOf(verb: string): string {
  return verb.replace('.', ': ');
}

function wordOf(verb: string): string {
  return verb.slice(verb.indexOf('.') + 1);
}

/** A part of the file, or a type of fields. */
function partText(name: string, definitions: Definitions): string {
  const node = definitions[name]!;
  const values = node.enum ?? node.examples ?? [];
  return [
    `## ${name}\n`,
    node.description!,
    ...(node.properties === undefined ? [] : ['', fieldsOf(node, definitions)]),
    `\n${node.enum === undefined ? 'For example' : 'One of'}:\n`,
    ...values.map((value) => `- ${code(flow(value))}`),
  ].join('\n');
}

function fieldsOf(node: FieldNode, definitions: Definitions): string {
  const required = node.required ?? node.else?.required ?? [];
  const rows = Object.entries(node.properties!).map(([name, field]) =>
    fieldRow(name, field, required.includes(name), definitions),
  );
  return table(HEAD, rows);
}
