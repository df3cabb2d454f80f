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

/** A page of the documentation or of the API reference, by its name. Throws an Error if there is none, or if it is not built. */
export function readDocsPage(name: string, target: 'mock' | 'proxy'): string {
  return readBuilt(`${name}.html`).replace('<body ', `<body data-target="${target}" `);
}

/** The style sheet or the script of these pages. Throws an Error if it is not built. */
export function readDocsAsset(name: string): string {
  return readBuilt(name);
}

/** A picture in the documentation. Throws an Error if there is none. */
export function readDocsPicture(name: string): Uint8Array {
  const path = join(findPackageRoot(), 'docs', name);
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new Error(`The documentation has no picture ${name}.`, { cause });
  }
}

function readBuilt(name: string): string {
  try {
    return readFileSync(join(findPackageRoot(), 'dist/docs', name), 'utf8');
  } catch (cause) {
    throw new Error(
      `There is no ${name} in the documentation. In a clone, "npm ci" and "npm run build" build its pages.`,
      { cause },
    );
  }
}
