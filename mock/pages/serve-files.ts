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
  read(): MaybePromise<string>;
  /** Content security policy. */
  policy?: string;
  cache?: string;
}

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

/** The library writes `style` attributes. Scripts and requests are limited to the mock. */
const REFERENCE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const REFERENCE_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference: taskdouble mock</title>
<script type="module" src="/docs/openapi-explorer.js"></script>
</head>
<body>
<openapi-explorer spec-url="/openapi.json"></openapi-explorer>
<noscript>This page needs JavaScript. The API description is at /openapi.yaml.</noscript>
</body>
</html>
`;

const STUDIO_FILES: ReadonlyMap<string, ServedFile> = new Map([
  [`${STUDIO_PREFIX}/studio.js`, { type: SCRIPT, read: async () => (await readStudio()).script }],
  [
    `${STUDIO_PREFIX}/studio.css`,
    { type: 'text/css; charset=utf-8', read: async () => (await readStudio()).style },
  ],
]);

const REFERENCE_FILES: ReadonlyMap<string, ServedFile> = new Map([
  ['/docs', { type: HTML, read: () => REFERENCE_PAGE, policy: REFERENCE_POLICY }],
  ['/docs/openapi-explorer.js', { type: SCRIPT, read: async () => (await loadReference()).readExplorer() }],
  [
    '/openapi.yaml',
    { type: 'application/yaml', read: async () => (await loadReference()).readDescription('yaml') },
  ],
  [
    '/openapi.json',
    { type: 'application/json', read: async () => (await loadReference()).readDescription('json') },
  ],
]);

const readStudio = async () => (await import('./studio-files.js')).readStudioFiles();
const loadReference = () => import('./reference-files.js');

/**
 * Serves studio's page and files below `/__studio`. A mock also serves the page at `/` to browsers, the API reference at `/docs`, and the
 * API description at `/openapi.yaml` and `/openapi.json`. Undefined for other paths, and in a browser, which has no files.
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
  const file = isPage ? page : (STUDIO_FILES.get(path) ?? (isMock ? REFERENCE_FILES.get(path) : undefined));
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
