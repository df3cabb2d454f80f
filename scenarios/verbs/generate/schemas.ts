/**
 * Writes the definitions of the network verbs into the JSON Schemas of scenarios and network files.
 *
 *   npx tsx scenarios/verbs/generate/schemas.ts           write what has changed
 *   npx tsx scenarios/verbs/generate/schemas.ts --check   change nothing, exit 1 when a schema has drifted
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { runGenerator, textOf } from '../../../spec/generate/write-files.js';
import { RULE_FIELDS } from '../verb.js';
import { type AnyVerb, VERBS } from '../verbs.js';

type Json = Readonly<Record<string, unknown>>;

/** The fields that every step of a timeline may have. */
const STEP_FIELDS = Object.fromEntries(
  ['id', 'after', 'if', 'meanwhile'].map((name) => [name, { $ref: `#/$defs/${name}` }]),
);

/** The text of both schemas, by their paths in the repository. */
async function generateSchemas(): Promise<Map<string, string>> {
  return new Map([
    ['scenarios/scenario.schema.json', write(scenarioSchema(read('scenario.schema.json')))],
    ['scenarios/network.schema.json', write(networkSchema(read('network.schema.json')))],
  ]);
}

function scenarioSchema(schema: Json): Json {
  const definitions = Object.entries(schema.$defs as Json).filter(([name]) => !name.startsWith('network.'));
  const steps = definitions.flatMap(([name]) => (/^(service|client)\./.test(name) ? [name] : []));
  const verbs = VERBS.map((verb): [string, unknown] => [nameOf(verb), definitionOf(verb)]);
  const first = definitions.findIndex(([name]) => name === steps.at(-1)) + 1;
  const defs = Object.fromEntries(definitions.toSpliced(first, 0, ...verbs));
  const oneOf = [...steps, ...verbs.map(([name]) => name)].map((name) => ({ $ref: `#/$defs/${name}` }));
  return { ...schema, $defs: { ...defs, step: { ...(defs.step as Json), oneOf } } };
}

function networkSchema(schema: Json): Json {
  const { rule } = schema.$defs as { rule: Json };
  const oneOf = VERBS.filter(({ phase }) => phase !== 'step').map((verb) => ({
    $ref: `scenario.schema.json#/$defs/${nameOf(verb)}`,
  }));
  return { ...schema, $defs: { rule: { ...rule, oneOf } } };
}

function nameOf({ name }: AnyVerb): string {
  return `network.${name}`;
}

function definitionOf({ name, description, fields = {}, required = [], requests, examples }: AnyVerb): Json {
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

function read(name: string): Json {
  return JSON.parse(textOf(`scenarios/${name}`)) as Json;
}

/** As the formatter of the repository writes it. */
function write(value: Json): string {
  const biome = fileURLToPath(new URL('../../../node_modules/.bin/biome', import.meta.url));
  const input = JSON.stringify(value, null, 2);
  return execFileSync(biome, ['format', '--stdin-file-path=x.json'], { input, encoding: 'utf8' });
}

await runGenerator(import.meta.url, generateSchemas);
