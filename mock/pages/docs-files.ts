import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
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

/** A page of the documentation or the API reference, by its name. Rejects with an Error if there is none, or if it is not built. */
export async function readDocsPage(name: string, target: 'mock' | 'proxy'): Promise<string> {
  if (name === 'api-reference')
    return readBuilt('api-reference.html').replace('<body ', `<body data-target="${target}" `);
  const markdown = readDocsSource(name);
  const module = pathToFileURL(join(findPackageRoot(), 'dist/docs/render-page.js')).href;
  const { renderDocsPage } = (await import(module)) as { renderDocsPage: (markdown: string) => string };
  return renderDocsPage(markdown);
}

/** The same as Markdown. Throws an Error if there is none. */
export function readDocsSource(name: string): string {
  return readShipped(join('docs', `${name}.md`)).toString('utf8');
}

/** The overview for coding agents, with the addresses that pages of the documentation have below `prefix`. */
export function readOverview(prefix: string): string {
  return readShipped('llms.txt').toString('utf8').replaceAll('](docs/', `](${prefix}`);
}

/** The style sheet or the script of these pages. Throws an Error if it is not built. */
export function readDocsAsset(name: string): string {
  return readBuilt(name);
}

/** A picture in the documentation. Throws an Error if there is none. */
export function readDocsPicture(name: string): Uint8Array {
  return readShipped(join('docs', name));
}

function readShipped(path: string): Buffer {
  try {
    return readFileSync(join(findPackageRoot(), path));
  } catch (cause) {
    throw new Error(`The documentation has no ${path}.`, { cause });
  }
}

function readBuilt(name: string): string {
  try {
    return readFileSync(join(findPackageRoot(), 'dist/docs', name), 'utf8');
  } catch (cause) {
    throw new Error(
      'The API reference has not been built. Run "npm ci" and "npm run build" in the directory of taskdouble.',
      { cause },
    );
  }
}
