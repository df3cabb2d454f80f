type Decoder = (bytes: Uint8Array, options: { maxOutputLength: number }) => Uint8Array;

const { process } = globalThis as { process?: NodeJS.Process };
/** Absent in browsers: compressed bodies are not decoded there. */
const zlib: Partial<typeof import('node:zlib')> = process?.getBuiltinModule?.('node:zlib') ?? {};

/** Some services send `deflate` without the zlib header. */
const inflate: Decoder = (bytes, options) => {
  const isZlib = bytes.length > 1 && (bytes[0]! & 15) === 8 && ((bytes[0]! << 8) | bytes[1]!) % 31 === 0;
  return (isZlib ? zlib.inflateSync! : zlib.inflateRawSync!)(bytes, options);
};

const DECODERS: ReadonlyMap<string, Decoder | undefined> = new Map<string, Decoder | undefined>([
  ['gzip', zlib.gunzipSync],
  ['x-gzip', zlib.gunzipSync],
  ['deflate', zlib.inflateSync && inflate],
  ['br', zlib.brotliDecompressSync],
  // Node.js 22.15 and later.
  ['zstd', (zlib as { zstdDecompressSync?: Decoder }).zstdDecompressSync],
  ['identity', (bytes) => bytes],
]);

/** The bytes without their `content-encoding`; undefined if they cannot be decompressed within the limit. */
export function decompress(
  bytes: Uint8Array,
  encoding: string,
  maxOutputLength: number,
): Uint8Array | undefined {
  let plain = bytes;
  try {
    for (const each of encoding.split(',').reverse()) {
      const decode = DECODERS.get(each.trim().toLowerCase());
      if (!decode) return undefined;
      plain = decode(plain, { maxOutputLength });
    }
    return plain;
  } catch {
    return undefined;
  }
}
