import type { Exchange } from '../../../spec/vocabulary.js';
import type { WireResponse } from '../../pipeline/wire.js';
import { fromBase64 } from '../base64.js';
import type { ClientIds } from './client-ids.js';

/** A recorded response, ready to be sent. */
export interface ReplayedResponse {
  response: WireResponse;
  /** The body as a journal keeps it. */
  body: string;
  /** What differs from the recorded bytes, in words. */
  changes: string[];
}

const LOST: WireResponse = { status: 500, headers: {}, body: '', fault: { kind: 'drop' } };
/** Paths of the pages that responses link to. */
const PAGE = '(?=/(?:live|recordings|downloads|billing|invite)/)';

/** The response of a recorded exchange; or a text that says why it cannot be sent. */
export function replayResponse(
  { response: recorded }: Exchange,
  ids: ClientIds,
  origin: string | undefined,
): ReplayedResponse | string {
  if (!recorded) return { response: { ...LOST }, body: '', changes: [] };
  const { status, headers, body, body_base64, left_out, cut_at } = recorded;
  if (left_out !== undefined)
    return `its response was not recorded whole (${left_out} characters or bytes are missing), and cannot be replayed.`;
  const moved = withOrigin(recorded, origin);
  const renamed = ids.isEmpty ? moved : ids.toClient(moved);
  const response: WireResponse = {
    status,
    headers,
    body: body_base64 === undefined ? renamed : fromBase64(body_base64),
  };
  if (cut_at !== undefined) response.fault = { kind: 'truncate', bytes: cut_at };
  const changes: string[] = [];
  if (renamed !== moved) changes.push('ids of this client');
  if (moved !== body) changes.push('addresses of this replay');
  return { response, body: renamed, changes };
}

/** The body with links to pages of the recorded mock changed to `origin`: the replay serves them. */
function withOrigin({ body, origin: recorded }: NonNullable<Exchange['response']>, origin?: string): string {
  if (recorded === undefined || origin === undefined || origin === recorded) return body;
  const literal = recorded.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  return body.replace(new RegExp(literal + PAGE, 'g'), () => origin);
}
