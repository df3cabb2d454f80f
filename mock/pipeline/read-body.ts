import type { Call } from './call.js';
import { parseJson, readText } from './validate.js';
import { TOO_LARGE, type WireRequest } from './wire.js';

/** The body as text; undefined when there is none, or when it is no UTF-8 (the service says so when it gets there). */
export function textOf(body: WireRequest['body']): string | undefined {
  if (body === TOO_LARGE || body === null) return undefined;
  if (typeof body === 'string') return body;
  try {
    return readText(body);
  } catch {
    return undefined;
  }
}

/** Parses a JSON body for whoever asks on the way what the request is about. */
export function parseQuietly(call: Call): void {
  if (call.parsed || call.operation.body?.kind !== 'json' || call.wire.body === TOO_LARGE) return;
  try {
    call.parsed = { value: parseJson(call.text ?? '') };
  } catch {
    // The service says what is wrong with it when the request gets there.
  }
}
