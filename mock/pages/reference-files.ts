import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPackageRoot } from '../../scenarios/format/library/package-root.js';
import { openapi } from '../../spec/generated/documents.js';

/** Relative to the address of the document, so that it works with every port and host name. */
const SERVER = { url: '/api/v1', description: 'This mock.' };

/** The API description, with the mock as the server. */
export function readDescription(format: 'yaml' | 'json'): string {
  if (format === 'json') return JSON.stringify({ ...openapi, servers: [SERVER] });
  const [{ url, description } = SERVER] = openapi.servers;
  return readFileSync(join(findPackageRoot(), 'spec/openapi.yaml'), 'utf8')
    .replace(`url: ${url}\n`, `url: ${SERVER.url}\n`)
    .replace(`description: ${description}\n`, `description: ${SERVER.description}\n`);
}

/** The library that displays the API description. Throws an Error if the package is not built. */
export function readExplorer(): string {
  try {
    return readFileSync(join(findPackageRoot(), 'dist/reference/openapi-explorer.js'), 'utf8');
  } catch (cause) {
    throw new Error(
      'The API reference has not been built. Run "npm ci" and "npm run build" in the directory of taskdouble.',
      { cause },
    );
  }
}
