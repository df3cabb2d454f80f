import type { OpenPoint, Requirement } from '../requirement-types.js';
import { BANNER, type Document, readYaml } from './document.js';

/** The YAML files as data, so that nothing is read or parsed at run time, and the types that follow from them. */
export function generateDocuments(document: Document): string {
  const requirements = readYaml('requirements.yaml') as Requirement[];
  const openPoints = readYaml('open-points.yaml') as OpenPoint[];
  return [
    BANNER,
    "import type { OpenApiDocument } from '../openapi-document.js';",
    "import type { OpenPoint, Requirement } from '../requirement-types.js';\n",
    constant('openapi', 'OpenApiDocument', document),
    constant('requirements', 'readonly Requirement[]', requirements),
    constant('openPoints', 'readonly OpenPoint[]', openPoints),
    `/** The id of a requirement. */\nexport type RequirementId =\n${requirements.map(({ id }) => `  | ${quote(id)}`).join('\n')};\n`,
    '/** A choice for every open point. */\nexport interface DialectChoices {',
    ...openPoints.map((point) => `  /** ${point.question} */\n  ${quote(point.id)}: ${choiceType(point)};`),
    '}\n',
  ].join('\n');
}

function constant(name: string, type: string, value: unknown): string {
  return `export const ${name}: ${type} = ${JSON.stringify(value, null, 1)};\n`;
}

function choiceType(point: OpenPoint): string {
  return point.kind === 'number' ? 'number' : Object.keys(point.choices).map(quote).join(' | ');
}

function quote(text: string): string {
  return JSON.stringify(text);
}
