import type { SlowBody } from '../pipeline/wire.js';

/** Most parts of a slow body. */
const MOST_PARTS = 20;

/** A part of a body: when it leaves, ms after the first byte, and the bytes that have left by then. */
export interface BodyPart {
  after: number;
  bytes: number;
}

/** When the parts of a body leave. Whatever is left then leaves after `atMostMs`. */
export function partsOf(length: number, bytesPerSecond: number, atMostMs: number): BodyPart[] {
  const whole = (length * 1000) / bytesPerSecond;
  const time = Math.min(whole, atMostMs);
  const count = Math.min(MOST_PARTS, length);
  return Array.from({ length: count }, (_, index) => {
    const after = Math.ceil((time * (index + 1)) / count);
    const isLast = index === count - 1;
    return { after, bytes: isLast ? length : Math.floor((after * bytesPerSecond) / 1000) };
  });
}

/** Buffers the parts that have left until a transport reads them. */
export class BodyInParts implements SlowBody {
  #left = 0;
  #read = 0;
  #isOver = false;
  #write: ((part: Uint8Array) => void) | undefined;
  readonly #onEnd: (() => void)[] = [];

  /** `cancel` is called when the client stops reading. */
  constructor(
    readonly bytes: Uint8Array,
    readonly cancel: () => void,
  ) {}

  /** Releases the first `bytes` bytes of the body. */
  leave(bytes: number): void {
    this.#left = bytes;
    if (!this.#write) return;
    if (this.#left > this.#read) this.#write(this.bytes.subarray(this.#read, this.#left));
    this.#read = this.#left;
  }

  /** Closes the body. */
  end(): void {
    this.#isOver = true;
    for (const callback of this.#onEnd) callback();
  }

  send(write: (part: Uint8Array) => void, end: () => void): void {
    this.#write = write;
    this.leave(this.#left);
    this.whenOver(end);
  }

  whenOver(callback: () => void): void {
    if (this.#isOver) callback();
    else this.#onEnd.push(callback);
  }
}
