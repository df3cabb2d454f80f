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
