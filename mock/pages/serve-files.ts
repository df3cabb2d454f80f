import type { MaybePromise, WireRequest, WireResponse } from '../exchange/wire.js';
import { isNode } from '../options/needs-node.js';
import { LINKED_POLICY, renderLinkedPage, STUDIO_PREFIX } from './studio-page.js';

/** The mock or proxy at the origin of the page; the page requests all other data from its admin API. */
export interface LivePage {
  kind: 'live';
  target: 'mock' | 'proxy';
  /** Where clients reach it: `http://127.0.0.1:4010`. */
  baseUrl: string;
  /** The admin API requires a token: the page asks the user for it. */
  needsToken: boolean;
}

/** Headers of every file that a mock or proxy serves besides the API. */
export const FILE_HEADERS = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

interface ServedFile {
  type: string;
  /** Throws an Error if the package is not built. */
  read(): MaybePromise<string | Uint8Array>;
  /** Content security policy. */
  policy?: string;
  cache?: string;
}

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

/** Scripts, pictures and requests are limited to the mock or proxy. */
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
const DOCS_PREFIX = `${STUDIO_PREFIX}/docs/`;
const PICTURES: Readonly<Record<string, string>> = { svg: 'image/svg+xml', png: 'image/png' };

const STUDIO_FILES: ReadonlyMap<string, ServedFile> = new Map([
  [`${STUDIO_PREFIX}/studio.js`, { type: SCRIPT, read: async () => (await readStudio()).script }],
  [`${STUDIO_PREFIX}/studio.css`, { type: STYLE, read: async () => (await readStudio()).style }],
]);

/** What programs read. */
const DESCRIPTION_FILES: ReadonlyMap<string, ServedFile> = new Map([
  [
    '/openapi.yaml',
    { type: 'application/yaml', read: async () => (await loadDocs()).readDescription('yaml') },
  ],
  [
    '/openapi.json',
    { type: 'application/json', read: async () => (await loadDocs()).readDescription('json') },
  ],
  [
    '/llms.txt',
    {
      type: 'text/plain; charset=utf-8',
      read: async () => (await loadDocs()).readOverview(DOCS_PREFIX),
    },
  ],
]);

const readStudio = async () => (await import('./studio-files.js')).readStudioFiles();
const loadDocs = () => import('./docs-files.js');

/** Pages of the documentation, without their ending or as Markdown, and what they use. `/docs` of a mock is the API reference. */
function findDocsFile(path: string, { target }: LivePage): ServedFile | undefined {
  const isReference = target === 'mock' && path === '/docs';
  const name = isReference
    ? 'api-reference'
    : path.startsWith(DOCS_PREFIX)
      ? path.slice(DOCS_PREFIX.length)
      : undefined;
  if (name === undefined) return undefined;
  if (/^[\w-]+$/.test(name))
    return {
      type: HTML,
      read: async () => (await loadDocs()).readDocsPage(name, target),
      policy: DOCS_POLICY,
    };
  if (name === 'docs.css' || name === 'reference.js')
    return {
      type: name === 'docs.css' ? STYLE : SCRIPT,
      read: async () => (await loadDocs()).readDocsAsset(name),
    };
  const [, source] = /^([\w-]+)\.md$/.exec(name) ?? [];
  if (source !== undefined)
    return {
      type: 'text/markdown; charset=utf-8',
      read: async () => (await loadDocs()).readDocsSource(source),
    };
  const [, ending] = /^(?:pictures\/)?[\w-]+\.(svg|png)$/.exec(name) ?? [];
  if (ending === undefined) return undefined;
  return {
    type: PICTURES[ending]!,
    read: async () => (await loadDocs()).readDocsPicture(name),
    policy: DOCS_POLICY,
  };
}

/**
 * Serves studio's page and files below `/__studio`, the documentation too. A mock also serves the page at `/` to browsers, the API reference
 * at `/docs`, the API description at `/openapi.yaml` and `/openapi.json`, and an overview for coding agents at `/llms.txt`. Undefined for other paths, and in a browser, which has no files.
 */
export function serveFile(
  { method, url, headers: { accept = '' } }: WireRequest,
  live: LivePage,
): MaybePromise<WireResponse> | undefined {
  const path = url.split('?', 1)[0]!;
  const isMock = live.target === 'mock';
  const isPage =
    [STUDIO_PREFIX, `${STUDIO_PREFIX}/`].includes(path) ||
    (isMock && path === '/' && accept.includes('text/html'));
  const page: ServedFile = {
    type: HTML,
    read: () => renderLinkedPage('taskdouble studio', live),
    policy: LINKED_POLICY,
    cache: 'no-store',
  };
  const file = isPage
    ? page
    : (STUDIO_FILES.get(path) ??
      findDocsFile(path, live) ??
      (isMock ? DESCRIPTION_FILES.get(path) : undefined));
  if (file) return isNode() ? respond(method, file) : undefined;
  return path.startsWith(`${STUDIO_PREFIX}/`)
    ? createTextResponse(404, `There is nothing here. Studio is at ${STUDIO_PREFIX}.`)
    : undefined;
}

async function respond(
  method: string,
  { type, read, policy, cache = 'no-cache' }: ServedFile,
): Promise<WireResponse> {
  if (method !== 'GET' && method !== 'HEAD')
    return createTextResponse(405, 'Only GET is allowed here.', { allow: 'GET, HEAD' });
  const headers: Record<string, string> = { ...FILE_HEADERS, 'content-type': type, 'cache-control': cache };
  if (policy) headers['content-security-policy'] = policy;
  try {
    return { status: 200, headers, body: await read() };
  } catch (error) {
    return createTextResponse(404, (error as Error).message);
  }
}

function createTextResponse(status: number, body: string, more: Record<string, string> = {}): WireResponse {
  return { status, headers: { ...FILE_HEADERS, 'content-type': 'text/plain; charset=utf-8', ...more }, body };
}
