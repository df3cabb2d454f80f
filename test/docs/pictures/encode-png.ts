import UPNG from 'upng-js';

/** A screenshot, and how long it is shown, ms. */
export interface AnimationFrame {
  png: Uint8Array;
  delay: number;
}

const COLORS = 96;

/** One PNG of all frames, which repeats without end, with a reduced palette; of one frame a still picture. */
export function encodePng(frames: readonly AnimationFrame[]): Uint8Array {
  const decoded = frames.map(({ png }) => UPNG.decode(png));
  const { width, height } = decoded[0]!;
  const pixels = decoded.map((each) => UPNG.toRGBA8(each)[0]!);
  const delays = frames.map(({ delay }) => delay);
  return new Uint8Array(UPNG.encode(pixels, width, height, COLORS, delays));
}
