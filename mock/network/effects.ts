import type { Effect } from '../../scenarios/verbs/verb.js';
import type { NetworkEffect } from '../../spec/vocabulary.js';
import { API_HEADERS, json, type WireResponse } from '../pipeline/wire.js';

const NOTHING: WireResponse = { status: 502, headers: {}, body: '' };

/**
 * The response that an effect leaves: the service's own (undefined on the way to the service), changed or replaced, or
 * one in its place. Undefined where the effect leaves things as they are.
 */
export function applyEffect(
  { error, page, body, fault }: Effect,
  response: WireResponse | undefined,
): WireResponse | undefined {
  if (error) {
    const { status, detail, retryAfterS } = error;
    if (retryAfterS === undefined) return json(status, { detail });
    return json(status, { detail }, { ...API_HEADERS, 'retry-after': String(Math.ceil(retryAfterS)) });
  }
  if (page) {
    const headers = { ...API_HEADERS, 'content-type': page.contentType };
    return { status: page.status, headers, body: page.body };
  }
  if (body !== undefined) return { ...response!, body };
  return fault && { ...(response ?? NOTHING), fault };
}

/** For the journal: what becomes of the exchange. */
export function effectKind({ error, page, body, fault, twice }: Effect): NetworkEffect['effect'] {
  if (error || page) return 'replaced';
  if (fault) return fault.kind === 'drop' ? 'lost' : 'cut';
  if (body !== undefined) return 'changed';
  return twice ? 'duplicated' : 'delayed';
}
