declare module 'upng-js' {
  interface DecodedPng {
    width: number;
    height: number;
  }
  /** Frames as RGBA, 8 bits; `colors`: how many the palette gets; `delays` in ms. */
  function encode(
    frames: ArrayBuffer[],
    width: number,
    height: number,
    colors: number,
    delays?: number[],
  ): ArrayBuffer;
  function decode(png: Uint8Array): DecodedPng;
  function toRGBA8(png: DecodedPng): ArrayBuffer[];
}
