/**
 * Writes the definitions of the network verbs into the JSON Schemas of scenarios and network files, and the TypeScript types of
 * a scenario file from its JSON Schema.
 *
 *   npx tsx scenarios/verbs/generate-schemas.ts           write what has changed
 *   npx tsx scenarios/verbs/generate-schemas.ts --check   change nothing, exit 1 when a schema has drifted
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { readText, runGenerator } from '../../spec/generate/write-files.js';
import { RULE_FIELDS } from './verb.js';
import { type AnyVerb, VERBS } from './verbs.js';

const TARGET = '#/$defs/target';
const BANNER =
  '/** Types of a scenario file. Generated from scenarios/scenario.schema.json by npm run generate. Do not edit. */\n';

const OTHER_KEYWORDS = ['const', 'enum', '$ref', 'oneOf'];
const BIOME = fileURLToPath(new URL('../../node_modules/.bin/biome', import.meta.url));

type Json = Readonly<Record<string, unknown>>;

/** The fields that every step of a timeline may have. */
const STEP_FIELDS = Object.fromEntries(
  ['id', 'after', 'if', 'meanwhile'].map((name) => [name, { $ref: `#/$defs/${name}` }]),
);

/** The text of both schemas and of the types, by their paths in the repository. */
async function generateSchemas(): Promise<Map<string, string>> {
  const paths = ['scenarios/scenario.schema.json', 'scenarios/network.schema.json'] as const;
  const [scenario, network] = paths.map((path) => JSON.parse(readText(path)) as Json);
  const written = buildScenarioSchema(scenario!);
  return new Map([
    [paths[0], formatJson(written)],
    [paths[1], formatJson(buildNetworkSchema(network!))],
    ['scenarios/generated/scenario-definition.ts', await generateDefinitionTypes(written)],
  ]);
}

/** Inserts the verbs after the steps of the service and the client. */
function buildScenarioSchema(schema: Json): Json {
  const definitions = Object.entries(schema.$defs as Json).filter(([name]) => !name.startsWith('network.'));
  const first = definitions.findLastIndex(([name]) => /^(service|client)\./.test(name)) + 1;
  const verbs = VERBS.map((verb): [string, unknown] => [`network.${verb.name}`, buildDefinition(verb)]);
  const defs = Object.fromEntries(definitions.toSpliced(first, 0, ...verbs));
  const steps = Object.keys(defs).filter((name) => /^(service|client|network)\./.test(name));
  const oneOf = steps.map((name) => ({ $ref: `#/$defs/${name}` }));
  return { ...schema, $defs: { ...defs, step: { ...(defs.step as Json), oneOf } } };
}

function buildNetworkSchema(schema: Json): Json {
  const { rule } = schema.$defs as { rule: Json };
  const verbs = VERBS.filter(({ phase }) => phase !== 'step');
  const oneOf = verbs.map(({ name }) => ({ $ref: `scenario.schema.json#/$defs/network.${name}` }));
  return { ...schema, $defs: { rule: { ...rule, oneOf } } };
}

function buildDefinition({
  name,
  description,
  fields = {},
  required = [],
  requests,
  examples,
}: AnyVerb): Json {
  const own = Object.entries<Json>(fields).map(([field, { unit: _, ...schema }]) => [field, schema]);
  return {
    description,
    type: 'object',
    required: ['network', ...required, ...(requests === 'none' ? ['of'] : [])],
    properties: {
      network: { const: name, description },
      ...Object.fromEntries(own),
      ...RULE_FIELDS,
      ...STEP_FIELDS,
    },
    additionalProperties: false,
    examples,
    'x-expected': `a step \`network: ${name}\``,
  };
}

function formatJson(value: Json): string {
  return formatText(JSON.stringify(value, null, 2), 'x.json');
}

/** The TypeScript types of what the schema of scenarios accepts. */
async function generateDefinitionTypes(schema: object): Promise<string> {
  const { $schema: _, ...rest } = simplify(schema) as Record<string, unknown>;
  const source = { ...rest, title: 'ScenarioDefinition' } as JSONSchema;
  const types = await compile(source, 'ScenarioDefinition', {
    bannerComment: BANNER,
    additionalProperties: false,
    // A tuple for each length that a list may have is unreadable: the loader checks lengths.
    ignoreMinAndMaxItems: true,
    format: false,
  });
  // Only the whole is for others: its parts would share names with the types of loaded scenarios.
  return formatText(types.replace(/^export (?!interface ScenarioDefinition\b)/gm, ''), 'x.ts');
}

/**
 * Without examples, whose `$ref` the compiler would resolve, and without a description beside the reference to a target, which
 * would make a type of its own.
 */
function simplify(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(simplify);
  if (typeof value !== 'object' || value === null) return value;
  const given = value as Record<string, unknown>;
  if (given.$ref === TARGET) return { $ref: TARGET };
  const type = findFieldlessType(given);
  if (type !== undefined) return { description: given.description, tsType: type };
  const kept = Object.entries(given).filter(([key, each]) => key !== 'examples' || !Array.isArray(each));
  return Object.fromEntries(kept.map(([key, each]) => [key, simplify(each)]));
}

/** The type of a schema without properties: the compiler would write `{}`. Undefined for other schemas. */
function findFieldlessType(schema: Record<string, unknown>): string | undefined {
  if (typeof schema.description !== 'string' || 'properties' in schema) return undefined;
  if (OTHER_KEYWORDS.some((keyword) => keyword in schema)) return undefined;
  if (schema.type === undefined) return 'unknown';
  const types = [schema.type].flat();
  if (!types.every((type) => type === 'object' || type === 'null')) return undefined;
  return types.map((type) => (type === 'object' ? 'Record<string, unknown>' : 'null')).join(' | ');
}

/** Formats with biome. The extension of `name` selects the language. */
function formatText(text: string, name: string): string {
  return execFileSync(BIOME, ['format', `--stdin-file-path=${name}`], { input: text, encoding: 'utf8' });
}

await runGenerator(import.meta.url, generateSchemas);
