import { LARGEST_RECORDED_BODY } from '../../mock/exchange/recorder.js';
import type { WireResponse } from '../../mock/exchange/wire.js';

/** The beginning of a streamed body, up to a limit. */
class BodyPrefix {
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;
  /** Bytes that were not kept. */
  leftOut = 0;

  add(chunk: Uint8Array): void {
    const room = LARGEST_RECORDED_BODY - this.#bytes;
    if (chunk.length > room) this.leftOut += chunk.length - Math.max(0, room);
    if (room <= 0) return;
    this.#chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    this.#bytes += Math.min(room, chunk.length);
  }

  get bytes(): Uint8Array {
    return this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
  }
}

/** The whole body; if it is too large, a stream of it. */
export async function readWhole(
  body: ReadableStream<Uint8Array>,
): Promise<Uint8Array | ReadableStream<Uint8Array>> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    chunks.push(part.value);
    bytes += part.value.length;
    if (bytes > LARGEST_RECORDED_BODY) {
      return new ReadableStream<Uint8Array>({
        start(writer) {
          for (const chunk of chunks) writer.enqueue(chunk);
        },
        async pull(writer) {
          const next = await reader.read();
          if (next.done) writer.close();
          else writer.enqueue(next.value);
        },
        cancel: (reason) => reader.cancel(reason),
      });
    }
  }
  return Buffer.concat(chunks);
}

/** The same stream. `onEnd` gets the beginning of the body when it has passed, was cancelled by its reader, or broke off. */
export function observeStream(
  body: ReadableStream<Uint8Array>,
  onEnd: (kept: BodyPrefix, end: 'whole' | 'cancelled' | 'broken') => void,
): NonNullable<WireResponse['slow']> {
  const kept = new BodyPrefix();
  const reader = body.getReader();
  let settle: () => void;
  const end = new Promise<void>((resolve) => {
    settle = resolve;
  });
  let isOver = false;
  const finish = (how: 'whole' | 'cancelled' | 'broken') => {
    if (isOver) return;
    isOver = true;
    onEnd(kept, how);
    settle();
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(writer) {
        try {
          const next = await reader.read();
          if (next.done) {
            finish('whole');
            writer.close();
            return;
          }
          kept.add(next.value);
          writer.enqueue(next.value);
        } catch (error) {
          finish('broken');
          writer.error(error);
        }
      },
      cancel(reason) {
        finish('cancelled');
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, end };
}
