/**
 * Writes the definitions of the network verbs into the JSON Schemas of scenarios and network files, and the TypeScript types of
 * a scenario file from its JSON Schema.
 *
 *   npx tsx scenarios/verbs/generate/schemas.ts           write what has changed
 *   npx tsx scenarios/verbs/generate/schemas.ts --check   change nothing, exit 1 when a schema has drifted
 */
import { readText, runGenerator } from '../../../spec/generate/write-files.js';
import { RULE_FIELDS } from '../verb.js';
import { type AnyVerb, VERBS } from '../verbs.js';
import { generateDefinitionTypes } from './definition-types.js';
import { formatText } from './format-text.js';

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

/** The verbs stand behind the steps of the service and the client. */
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

await runGenerator(import.meta.url, generateSchemas);
