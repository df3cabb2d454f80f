import type { NetworkRule } from '../../scenarios/format/types.js';
import { API_HEADERS, json, type WireResponse } from '../pipeline/wire.js';

type Of<Verb extends NetworkRule['network']> = Extract<NetworkRule, { network: Verb }>;

/** Nothing at all reaches the client. */
export function dropped(response?: WireResponse): WireResponse {
  const nothing: WireResponse = response ?? { status: 502, headers: {}, body: '' };
  return { ...nothing, fault: { kind: 'drop' } };
}

/** An error in the form of the API. Section "Errors". */
export function failed({ status, detail, retry_after_s }: Of<'fail'>): WireResponse {
  return error(status, detail ?? `Made to fail with status ${status} by a network rule.`, retry_after_s);
}

/** `retry_after_s`: whole seconds until the next window. */
export function overQuota({ requests, per_ms }: Of<'quota'>, retry_after_s: number): WireResponse {
  const detail = `Too many requests: a network rule allows ${requests} in ${per_ms} ms. Try again in ${retry_after_s} s.`;
  return error(429, detail, retry_after_s);
}

/** What a gateway says that knows nothing of the API. */
export function garbled({ status, body, content_type }: Of<'garble'>): WireResponse {
  const headers = { ...API_HEADERS, 'content-type': content_type ?? 'text/html' };
  return { status: status ?? 502, headers, body: body ?? GATEWAY_PAGE };
}

/** The answer without its end. At least one byte is missing, however many are asked for; an empty body stays whole. */
export function truncated({ bytes }: Of<'truncate'>, response: WireResponse): WireResponse | undefined {
  const length = byteLength(response.body);
  if (length === 0) return undefined;
  const kept = Math.min(bytes ?? length >> 1, length - 1);
  return { ...response, fault: { kind: 'truncate', bytes: kept } };
}

const GATEWAY_PAGE = `<html>
<head><title>502 Bad Gateway</title></head>
<body><center><h1>502 Bad Gateway</h1></center></body>
</html>
`;

function error(status: number, detail: string, retry_after_s: number | undefined): WireResponse {
  if (retry_after_s === undefined) return json(status, { detail });
  return json(status, { detail }, { ...API_HEADERS, 'retry-after': String(Math.ceil(retry_after_s)) });
}

function byteLength(body: string | Uint8Array): number {
  return typeof body === 'string' ? new TextEncoder().encode(body).length : body.length;
}
