import { createTerminatedError, type WireResponse } from '../exchange/wire.js';

/** Creates a response whose body ends after `bytes`: reading it fails, as on a broken connection. */
export function createTruncatedResponse(
  { status, body }: WireResponse,
  bytes: number,
  headers: HeadersInit,
): Response {
  const whole = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(whole.slice(0, Math.min(bytes, whole.length - 1)));
    },
    pull(controller) {
      controller.error(createTerminatedError());
    },
  });
  return new Response(stream, { status, headers });
}
