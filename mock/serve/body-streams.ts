import type { SlowBody, WireResponse } from '../pipeline/wire.js';

export function brokenOff(): TypeError {
  return new TypeError('terminated: the connection was closed in the middle of the body');
}

/** A body that arrives as time passes on the mock's clock; aborted by the signal, as on a real connection. */
export function slowly(
  { status, headers, fault }: WireResponse,
  slow: SlowBody,
  signal: AbortSignal | null | undefined,
): Response {
  let isOpen = true;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      const close = (how: () => void) => {
        if (isOpen) how();
        isOpen = false;
        signal?.removeEventListener('abort', abort);
      };
      const abort = () => close(() => controller.error(signal!.reason));
      signal?.addEventListener('abort', abort, { once: true });
      slow.send(
        (part) => isOpen && controller.enqueue(part),
        () => close(() => (fault ? controller.error(brokenOff()) : controller.close())),
      );
    },
    cancel() {
      isOpen = false;
      slow.cancel();
    },
  });
  return new Response(stream, { status, headers });
}

/** A body that ends too soon, after `bytes`: reading it fails, as it does on a broken connection. */
export function truncated({ status, body }: WireResponse, bytes: number, headers: HeadersInit): Response {
  const whole = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(whole.slice(0, Math.min(bytes, whole.length - 1)));
    },
    pull(controller) {
      controller.error(brokenOff());
    },
  });
  return new Response(stream, { status, headers });
}
