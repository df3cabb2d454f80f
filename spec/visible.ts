/**
 * Characters that are invisible or that change the display of other text: control characters, direction marks, zero-width characters,
 * line ends of other systems, and code points that XML does not allow.
 */
const INVISIBLE =
  /(?![\t\n])[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\u00ad\u180e\u200b-\u200f\u2060-\u206f\ufeff\ufffe\uffff]/gu;
const LONE_SURROGATE = /[\ud800-\udfff]/gu;

/**
 * Makes external text safe to display, at most `most` characters of it: invisible characters are escaped. Lines and columns stay.
 */
export function toVisible(text: string, most = Number.POSITIVE_INFINITY): string {
  const cut = text.length > most ? `${text.slice(0, most - 1)}…` : text;
  return escapeInvisible(cut.replace(/\r\n/g, '\n')).replace(LONE_SURROGATE, '\ufffd');
}

/** Writes each invisible character as its code, `\u001b`, which is valid in JSON strings too. */
export function escapeInvisible(text: string): string {
  return text.replace(INVISIBLE, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Like `toVisible`, on one line. */
export function toOneLine(text: string): string {
  return toVisible(text).replace(/\s*\n\s*/g, ' ');
}
