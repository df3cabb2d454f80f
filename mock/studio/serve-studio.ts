import { isNode } from '../options/needs-node.js';
import type { MaybePromise, WireRequest, WireResponse } from '../pipeline/wire.js';
import { LINKED_POLICY, linkedPage, STUDIO_PREFIX } from './page.js';

/** What the page is told of the mock or proxy that serves it; everything else it asks from the admin API. */
export interface StudioTarget {
  kind: 'live';
  target: 'mock' | 'proxy';
  /** Where clients reach it. */
  baseUrl: string;
}

/** Headers of every file that a mock or proxy serves beside the API. */
export const COMMON = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };
const ASSETS: Readonly<Record<string, { name: 'script' | 'style'; type: string }>> = {
  '/studio.js': { name: 'script', type: 'text/javascript; charset=utf-8' },
  '/studio.css': { name: 'style', type: 'text/css; charset=utf-8' },
};

/**
 * Studio's page and files below `/__studio`; where `isRoot`, the page is also what browsers get at `/`. Undefined for other paths, and in a browser,
 * where no port is open that a page could come from.
 */
export function serveStudio(
  { method, url, headers: { accept = '' } }: WireRequest,
  target: StudioTarget,
  isRoot: boolean,
): MaybePromise<WireResponse> | undefined {
  const path = url.split('?', 1)[0]!;
  const below = path.startsWith(STUDIO_PREFIX) ? path.slice(STUDIO_PREFIX.length) : undefined;
  const isPage = below === '' || below === '/' || (isRoot && path === '/' && accept.includes('text/html'));
  const asset = below === undefined ? undefined : ASSETS[below];
  if (!isPage && !asset) return below?.startsWith('/') ? notFound() : undefined;
  if (!isNode()) return undefined;
  if (method !== 'GET' && method !== 'HEAD')
    return text(405, 'Only GET is allowed here.', { allow: 'GET, HEAD' });
  if (asset) return serveAsset(asset);
  const headers = {
    ...COMMON,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': LINKED_POLICY,
    'cache-control': 'no-store',
  };
  return { status: 200, headers, body: linkedPage('taskdouble studio', target) };
}

async function serveAsset({ name, type }: (typeof ASSETS)[string]): Promise<WireResponse> {
  const { studioFiles } = await import('./files.js');
  try {
    const headers = { ...COMMON, 'content-type': type, 'cache-control': 'no-cache' };
    return { status: 200, headers, body: studioFiles()[name] };
  } catch (error) {
    return text(404, (error as Error).message);
  }
}

function notFound(): WireResponse {
  return text(404, `There is nothing here. Studio is at ${STUDIO_PREFIX}.`);
}

export function text(status: number, body: string, more: Record<string, string> = {}): WireResponse {
  return { status, headers: { ...COMMON, 'content-type': 'text/plain; charset=utf-8', ...more }, body };
}
