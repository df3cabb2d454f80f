import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

const DECODERS: Readonly<
  Record<string, (bytes: Uint8Array, options: { maxOutputLength: number }) => Uint8Array>
> = { gzip: gunzipSync, 'x-gzip': gunzipSync, deflate: inflateSync, br: brotliDecompressSync };

/** The bytes without their `content-encoding`, up to a bound. Bytes that cannot be decompressed stay as they are. */
export function decompress(bytes: Uint8Array, encoding: string, maxOutputLength: number): Uint8Array {
  let plain = bytes;
  try {
    for (const each of encoding.split(',').reverse()) {
      const name = each.trim().toLowerCase();
      if (name !== 'identity') plain = DECODERS[name]!(plain, { maxOutputLength });
    }
    return plain;
  } catch {
    return bytes;
  }
}
