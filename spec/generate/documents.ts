import { BANNER, type Document, readYaml } from './document.js';

/** The YAML files as data, so that nothing is read or parsed at run time. */
export function generateDocuments(document: Document): string {
  const constant = (name: string, value: unknown) =>
    `export const ${name}: unknown = ${JSON.stringify(value ?? null, null, 1)};\n`;
  return [
    BANNER,
    constant('openapi', document),
    constant('requirements', readYaml('requirements.yaml')),
    constant('openPoints', readYaml('open-points.yaml')),
  ].join('\n');
}
