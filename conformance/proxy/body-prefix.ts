import { LARGEST_RECORDED_BODY } from '../../mock/exchange/recorder.js';

/** Largest body that is kept for rules and journals, in bytes, also after decompression. */
export const LARGEST_KEPT = LARGEST_RECORDED_BODY;

/** The beginning of a streamed body, up to a limit. */
export class BodyPrefix {
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;
  /** Bytes that were not kept. */
  leftOut = 0;

  add(chunk: Uint8Array): void {
    const room = LARGEST_KEPT - this.#bytes;
    if (chunk.length > room) this.leftOut += chunk.length - Math.max(0, room);
    if (room <= 0) return;
    this.#chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    this.#bytes += Math.min(room, chunk.length);
  }

  get bytes(): Uint8Array {
    return this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
  }
}
