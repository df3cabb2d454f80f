/**
 * The source of all randomness in the engine: sfc32, seeded from text, with a state that fits into a
 * snapshot. Imports nothing, so that code with a short start-up time can load it.
 */

/** A stream of random numbers that depends only on its seed. */
export interface Random {
  /** A number in [0, 1) with 32 random bits. */
  next(): number;
  /** An integer, both ends included. Throws RangeError if a bound is no safe integer or the bounds are reversed. */
  int(min: number, max: number): number;
  /** One of the items. Throws RangeError if there are none. */
  pick<T>(items: readonly T[]): T;
  /** 122 random bits in the form of a version 4 UUID (RFC 9562, section 5.4). */
  uuid(): string;
  /**
   * An independent stream. It depends only on the name, not on the numbers already drawn, so that the draws
   * of one task never affect another.
   */
  fork(name: string): Random;
  /** The complete state as unsigned 32-bit integers: for snapshots. */
  saveState(): number[];
  /** Restores a saved state. Throws RangeError if `state` is not from `saveState()`. */
  restore(state: readonly number[]): void;
}

/** The number 7 and the text "7" are the same seed. */
export function createRandom(seed: string | number): Random {
  return new Sfc32(hash(String(seed), 0, 0, 0, 0));
}

const DIGITS = Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));
/** Character codes of the UUID being written, including the dashes: concatenation would cost four times as much. */
const UUID = Array.from('xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx', (character) => character.charCodeAt(0));

/** Writes the low bytes of `bits`, lowest first, as hexadecimal digits. */
function put(at: number, bits: number, bytes: number): void {
  for (let i = 0; i < bytes; i++) {
    const byte = bits >>> (8 * i);
    UUID[at + 2 * i] = DIGITS[(byte >>> 4) & 15]!;
    UUID[at + 2 * i + 1] = DIGITS[byte & 15]!;
  }
}

const STATE_LENGTH = 8;
const TWO_32 = 2 ** 32;
/** Rounds after which the states of similar seeds are unrelated. */
const WARM_UP = 12;

type RandomKey = readonly [number, number, number, number];

/** cyrb128 over UTF-16 units, salted with the key of the parent stream. */
function hash(text: string, s0: number, s1: number, s2: number, s3: number): RandomKey {
  let h0 = 1779033703 ^ s0;
  let h1 = 3144134277 ^ s1;
  let h2 = 1013904242 ^ s2;
  let h3 = 2773480762 ^ s3;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    h0 = h1 ^ Math.imul(h0 ^ unit, 597399067);
    h1 = h2 ^ Math.imul(h1 ^ unit, 2869860233);
    h2 = h3 ^ Math.imul(h2 ^ unit, 951274213);
    h3 = h0 ^ Math.imul(h3 ^ unit, 2716044179);
  }
  h0 = Math.imul(h2 ^ (h0 >>> 18), 597399067);
  h1 = Math.imul(h3 ^ (h1 >>> 22), 2869860233);
  h2 = Math.imul(h0 ^ (h2 >>> 17), 951274213);
  h3 = Math.imul(h1 ^ (h3 >>> 19), 2716044179);
  return [(h0 ^ h1 ^ h2 ^ h3) >>> 0, (h1 ^ h0) >>> 0, (h2 ^ h0) >>> 0, (h3 ^ h0) >>> 0];
}

class Sfc32 implements Random {
  private a: number;
  private b: number;
  private c: number;
  private d: number;
  private key: RandomKey;

  constructor(key: RandomKey) {
    this.key = key;
    [this.a, this.b, this.c, this.d] = key;
    for (let i = 0; i < WARM_UP; i++) this.nextBits();
  }

  /** 32 random bits, signed. */
  private nextBits(): number {
    const t = (((this.a + this.b) | 0) + this.d) | 0;
    this.d = (this.d + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + t) | 0;
    return t;
  }

  next(): number {
    return (this.nextBits() >>> 0) / TWO_32;
  }

  int(min: number, max: number): number {
    if (!Number.isSafeInteger(min) || !Number.isSafeInteger(max) || max < min) {
      throw new RangeError(`expected safe integers min <= max, got ${min} and ${max}`);
    }
    const span = max - min + 1;
    if (span <= TWO_32) return min + Math.floor(this.next() * span);
    const wide = ((this.nextBits() >>> 5) * 2 ** 26 + (this.nextBits() >>> 6)) / 2 ** 53;
    return Math.min(max, min + Math.floor(wide * span));
  }

  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError('expected at least one item to pick from, got none');
    return items[this.int(0, items.length - 1)] as T;
  }

  uuid(): string {
    const a = this.nextBits();
    const b = this.nextBits();
    const c = this.nextBits();
    const d = this.nextBits();
    const version = ((b >>> 8) & 0x0f) | 0x40;
    const variant = (c & 0x3f) | 0x80;
    put(0, a, 4);
    put(9, (b & 0xff) | ((b >>> 24) << 8), 2);
    put(14, version | (((b >>> 16) & 0xff) << 8), 2);
    put(19, variant | (((c >>> 8) & 0xff) << 8), 2);
    put(24, c >>> 16, 2);
    put(28, d, 4);
    return String.fromCharCode.apply(null, UUID);
  }

  fork(name: string): Random {
    const [k0, k1, k2, k3] = this.key;
    return new Sfc32(hash(name, k0, k1, k2, k3));
  }

  saveState(): number[] {
    return [this.a >>> 0, this.b >>> 0, this.c >>> 0, this.d >>> 0, ...this.key];
  }

  restore(state: readonly number[]): void {
    const sound =
      state.length === STATE_LENGTH && state.every((n) => Number.isInteger(n) && n >= 0 && n < TWO_32);
    if (!sound)
      throw new RangeError(`expected ${STATE_LENGTH} unsigned 32-bit integers as the state of a stream`);
    const [a, b, c, d, k0, k1, k2, k3] = state as unknown as [...RandomKey, ...RandomKey];
    this.a = a | 0;
    this.b = b | 0;
    this.c = c | 0;
    this.d = d | 0;
    this.key = [k0, k1, k2, k3];
  }
}
