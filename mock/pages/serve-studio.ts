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
const ASSETS: Readonly<Record<string, { name: 'script' | 'style'; type: string }>> = {
  '/studio.js': { name: 'script', type: 'text/javascript; charset=utf-8' },
  '/studio.css': { name: 'style', type: 'text/css; charset=utf-8' },
};

/**
 * Serves studio's page and files below `/__studio`; with `isRoot`, browsers also get the page at `/`. Undefined for other paths, and in a
 * browser, which opens no port.
 */
export function serveStudio(
  { method, url, headers: { accept = '' } }: WireRequest,
  target: LivePage,
  isRoot: boolean,
): MaybePromise<WireResponse> | undefined {
  const path = url.split('?', 1)[0]!;
  const below = path.startsWith(STUDIO_PREFIX) ? path.slice(STUDIO_PREFIX.length) : undefined;
  const isPage = below === '' || below === '/' || (isRoot && path === '/' && accept.includes('text/html'));
  const asset = below === undefined ? undefined : ASSETS[below];
  if (!isPage && !asset) return below?.startsWith('/') ? createNotFound() : undefined;
  if (!isNode()) return undefined;
  if (method !== 'GET' && method !== 'HEAD')
    return createTextResponse(405, 'Only GET is allowed here.', { allow: 'GET, HEAD' });
  if (asset) return serveAsset(asset);
  const headers = {
    ...FILE_HEADERS,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': LINKED_POLICY,
    'cache-control': 'no-store',
  };
  return { status: 200, headers, body: renderLinkedPage('taskdouble studio', target) };
}

async function serveAsset({ name, type }: (typeof ASSETS)[string]): Promise<WireResponse> {
  const { readStudioFiles: studioFiles } = await import('./studio-files.js');
  try {
    const headers = { ...FILE_HEADERS, 'content-type': type, 'cache-control': 'no-cache' };
    return { status: 200, headers, body: studioFiles()[name] };
  } catch (error) {
    return createTextResponse(404, (error as Error).message);
  }
}

function createNotFound(): WireResponse {
  return createTextResponse(404, `There is nothing here. Studio is at ${STUDIO_PREFIX}.`);
}

export function createTextResponse(
  status: number,
  body: string,
  more: Record<string, string> = {},
): WireResponse {
  return { status, headers: { ...FILE_HEADERS, 'content-type': 'text/plain; charset=utf-8', ...more }, body };
}
