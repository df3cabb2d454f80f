import type { Effect } from '../../scenarios/verbs/verb.js';
import type { NetworkEffect } from '../../spec/vocabulary.js';
import { API_HEADERS, createJsonResponse, type WireResponse } from '../exchange/wire.js';

/** Most parts of a slow body. */
const MOST_PARTS = 20;

const NOTHING: WireResponse = { status: 502, headers: {}, body: '' };

/**
 * The response after an effect: the service's response (undefined before the service handled the request), changed or replaced. Undefined
 * if the effect changes nothing.
 */
export function applyEffect(
  { error, page, body, fault, compress }: Effect,
  response: WireResponse | undefined,
): WireResponse | undefined {
  if (error) {
    const { status, detail, retryAfter } = error;
    if (retryAfter === undefined) return createJsonResponse(status, { detail });
    return createJsonResponse(status, { detail }, { ...API_HEADERS, 'retry-after': retryAfter });
  }
  if (page) {
    const headers = { ...API_HEADERS, 'content-type': page.contentType };
    return { status: page.status, headers, body: page.body };
  }
  if (body !== undefined) return { ...response!, body };
  if (compress) return { ...response!, compress };
  return fault && { ...(response ?? NOTHING), fault };
}

export function classifyEffect({
  error,
  page,
  body,
  fault,
  twice,
  compress,
}: Effect): NetworkEffect['effect'] {
  if (error || page) return 'replaced';
  if (fault) return fault.kind === 'drop' ? 'lost' : 'cut';
  if (body !== undefined || compress) return 'changed';
  return twice ? 'duplicated' : 'delayed';
}

/** A part of a body: when it leaves, ms after the first byte, and the bytes that have left by then. */
interface BodyPart {
  after: number;
  bytes: number;
}

/** Schedules the parts of a body. The rest leaves after `atMostMs`. */
export function planParts(length: number, bytesPerSecond: number, atMostMs: number): BodyPart[] {
  const whole = (length * 1000) / bytesPerSecond;
  const time = Math.min(whole, atMostMs);
  const count = Math.min(MOST_PARTS, length);
  return Array.from({ length: count }, (_, index) => {
    const after = Math.ceil((time * (index + 1)) / count);
    const isLast = index === count - 1;
    return { after, bytes: isLast ? length : Math.floor((after * bytesPerSecond) / 1000) };
  });
}
