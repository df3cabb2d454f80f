/** Most characters in one call of `String.fromCharCode`. */
const CHUNK = 8192;

/** One character for each byte. */
export function toLatin1(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += CHUNK) text += String.fromCharCode(...bytes.subarray(i, i + CHUNK));
  return text;
}

/** Also works without Buffer. */
export function toBase64(bytes: Uint8Array): string {
  return btoa(toLatin1(bytes));
}

/** Throws DOMException for invalid base64. */
export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
