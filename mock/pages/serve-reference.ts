import type { WireRequest, WireResponse } from '../exchange/wire.js';
import { isNode } from '../options/needs-node.js';
import { createTextResponse, FILE_HEADERS } from './serve-studio.js';

/** The library writes `style` attributes. Scripts and requests are limited to the mock. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE = `<!doctype html>
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

type ReferenceFiles = typeof import('./reference-files.js');

const RESOURCES: Readonly<
  Record<string, { type: string; read(files: ReferenceFiles): string; policy?: string }>
> = {
  '/docs': { type: 'text/html; charset=utf-8', read: () => PAGE, policy: POLICY },
  '/docs/openapi-explorer.js': {
    type: 'text/javascript; charset=utf-8',
    read: (files) => files.readExplorer(),
  },
  '/openapi.yaml': { type: 'application/yaml', read: (files) => files.readDescription('yaml') },
  '/openapi.json': { type: 'application/json', read: (files) => files.readDescription('json') },
};

/**
 * Serves the API reference at `/docs`, and the API description at `/openapi.yaml` and `/openapi.json`. Undefined for other paths, and in a
 * browser, which has no files.
 */
export function serveReference({ method, url }: WireRequest): Promise<WireResponse> | undefined {
  const path = url.split('?', 1)[0]!;
  return Object.hasOwn(RESOURCES, path) && isNode() ? serve(method, RESOURCES[path]!) : undefined;
}

async function serve(
  method: string,
  { type, read, policy }: (typeof RESOURCES)[string],
): Promise<WireResponse> {
  if (method !== 'GET' && method !== 'HEAD')
    return createTextResponse(405, 'Only GET is allowed here.', { allow: 'GET, HEAD' });
  const headers: Record<string, string> = {
    ...FILE_HEADERS,
    'content-type': type,
    'cache-control': 'no-cache',
  };
  if (policy) headers['content-security-policy'] = policy;
  try {
    return { status: 200, headers, body: read(await import('./reference-files.js')) };
  } catch (error) {
    return createTextResponse(404, (error as Error).message);
  }
}
