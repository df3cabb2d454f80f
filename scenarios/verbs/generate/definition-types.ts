import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { formatText } from './format-text.js';

const TARGET = '#/$defs/target';
const BANNER =
  '/** Types of a scenario file. Generated from scenarios/scenario.schema.json by npm run generate. Do not edit. */\n';

const OTHER_KEYWORDS = ['const', 'enum', '$ref', 'oneOf'];

/** The TypeScript types of what the schema of scenarios accepts. */
export async function generateDefinitionTypes(schema: object): Promise<string> {
  const { $schema: _, ...rest } = simplify(schema) as Record<string, unknown>;
  const source = { ...rest, title: 'ScenarioDefinition' } as JSONSchema;
  const types = await compile(source, 'ScenarioDefinition', {
    bannerComment: BANNER,
    additionalProperties: false,
    // A tuple for each length that a list may have is unreadable: the loader checks lengths.
    ignoreMinAndMaxItems: true,
    format: false,
  });
  return formatText(types, 'x.ts');
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

/** The type of a schema that says nothing of fields: the compiler would write `{}`. Undefined for other schemas. */
function findFieldlessType(schema: Record<string, unknown>): string | undefined {
  if (typeof schema.description !== 'string' || 'properties' in schema) return undefined;
  if (OTHER_KEYWORDS.some((keyword) => keyword in schema)) return undefined;
  if (schema.type === undefined) return 'unknown';
  const types = [schema.type].flat();
  if (!types.every((type) => type === 'object' || type === 'null')) return undefined;
  return types.map((type) => (type === 'object' ? 'Record<string, unknown>' : 'null')).join(' | ');
}
