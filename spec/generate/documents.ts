import openapiTS, { astToString } from 'openapi-typescript';
import type { OpenPoint, Requirement } from '../requirement-types.js';
import { type ApiDescription, BANNER, readYaml } from './document.js';

/**
 * The YAML files as data, so that nothing is read or parsed at run time, and the types that follow from them. One file
 * each, so that a module loads only what it needs.
 */
export function generateDocuments(document: ApiDescription): string {
  return [
    BANNER,
    "import type { OpenApiDocument } from '../openapi-document.js';\n",
    "export * from './open-points.js';",
    "export * from './requirements.js';\n",
    formatConstant('openapi', 'OpenApiDocument', document),
  ].join('\n');
}

/** The types of every path, operation and schema. Requests keep defaulted fields optional. */
export async function generateTypes(document: ApiDescription): Promise<string> {
  const nodes = await openapiTS(structuredClone(document) as never, {
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
    silent: true,
  });
  return BANNER + astToString(nodes);
}

export function generateRequirements(): string {
  const requirements = readYaml('requirements.yaml') as Requirement[];
  return [
    BANNER,
    "import type { Requirement } from '../requirement-types.js';\n",
    formatConstant('requirements', 'readonly Requirement[]', requirements),
    `/** The id of a requirement. */\nexport type RequirementId =\n${requirements.map(({ id }) => `  | ${quote(id)}`).join('\n')};\n`,
  ].join('\n');
}

export function generateOpenPoints(): string {
  const openPoints = readYaml('open-points.yaml') as OpenPoint[];
  return [
    BANNER,
    "import type { OpenPoint } from '../requirement-types.js';\n",
    formatConstant('openPoints', 'readonly OpenPoint[]', openPoints),
    '/** A choice for every open point. */\nexport interface DialectChoices {',
    ...openPoints.map(
      (point) => `  /** ${point.question} */\n  ${quote(point.id)}: ${formatChoiceType(point)};`,
    ),
    '}\n',
  ].join('\n');
}

function formatConstant(name: string, type: string, value: unknown): string {
  return `export const ${name}: ${type} = ${JSON.stringify(value, null, 1)};\n`;
}

function formatChoiceType(point: OpenPoint): string {
  return point.kind === 'number' ? 'number' : Object.keys(point.choices).map(quote).join(' | ');
}

function quote(text: string): string {
  return JSON.stringify(text);
}
