import { createJsonResponse, TOO_LARGE, type WireRequest, type WireResponse } from '../exchange/wire.js';
import type { McpHandler } from '../options/mock-options.js';
import { findRefusal } from './admin.js';

const MCP_PATH = '/__mcp';
/** Largest body of a request, in bytes. */
export const LARGEST_MCP_BODY = 1024 * 1024;

const HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' } as const;
const METHODS = 'GET, POST, DELETE';

export function isMcp(url: string): boolean {
  return url === MCP_PATH || url.startsWith(`${MCP_PATH}?`);
}

/**
 * The Model Context Protocol over HTTP, under the protection of the admin API. Like that, its requests are in no journal. Never rejects
 * because of a request.
 */
export async function respondToMcp(
  request: WireRequest,
  handler: McpHandler | undefined,
  adminToken: string | undefined,
): Promise<WireResponse> {
  const refused = findRefusal(request, adminToken, 'Model Context Protocol');
  if (refused !== undefined) return refuse(403, refused);
  if (!handler)
    return refuse(
      404,
      'This mock does not serve the Model Context Protocol: the command "taskdouble mock" does.',
    );
  if (!METHODS.split(', ').includes(request.method))
    return refuse(405, `${request.method} is not allowed here, only ${METHODS}.`, { allow: METHODS });
  if (request.body === TOO_LARGE || (request.body?.length ?? 0) > LARGEST_MCP_BODY)
    return refuse(413, `The body is larger than ${LARGEST_MCP_BODY} bytes.`);
  const read = toFetchRequest(request);
  return read
    ? toWireResponse(await handler(read))
    : refuse(400, 'The headers of the request are not valid.');
}

function refuse(status: number, detail: string, more: Record<string, string> = {}): WireResponse {
  return createJsonResponse(status, { detail }, { ...HEADERS, ...more });
}

/** Undefined if the platform accepts no such request. */
function toFetchRequest({ method, url, headers, body, signal }: WireRequest): Request | undefined {
  try {
    const given = Object.entries(headers).filter((each): each is [string, string] => each[1] !== undefined);
    return new Request(`http://mock${url}`, {
      method,
      headers: given,
      ...(method !== 'GET' && body !== null && { body: body as BodyInit }),
      ...(signal && { signal }),
    });
  } catch {
    return undefined;
  }
}

async function toWireResponse(response: Response): Promise<WireResponse> {
  const { status, body } = response;
  const headers: Record<string, string> = { ...HEADERS, ...Object.fromEntries(response.headers) };
  if (!body || !headers['content-type']!.startsWith('text/event-stream'))
    return { status, headers, body: await response.text() };
  return { status, headers, body: '', slow: { stream: body, end: Promise.resolve(), isEndless: true } };
}
