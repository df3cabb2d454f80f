/**
 * Characters that cannot be seen or that change how the text around them is shown: control characters, marks that turn the direction of
 * writing, those without a width, line ends of other systems, and what is no character in XML.
 */
const INVISIBLE =
  /(?![\t\n])[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\u00ad\u180e\u200b-\u200f\u2060-\u206f\ufeff\ufffe\uffff]/gu;
const LONE_SURROGATE = /[\ud800-\udfff]/gu;

/**
 * Text from outside as it may be shown anywhere, at most `most` characters of it: nothing in it moves a cursor, hides, or is no character at
 * all. Lines and columns stay.
 */
export function toVisible(text: string, most = Number.POSITIVE_INFINITY): string {
  const cut = text.length > most ? `${text.slice(0, most - 1)}…` : text;
  return escapeInvisible(cut.replace(/\r\n/g, '\n')).replace(LONE_SURROGATE, '\ufffd');
}

/** Each such character as its code, `\u001b`, which JSON understands too. */
export function escapeInvisible(text: string): string {
  return text.replace(INVISIBLE, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** What `visible` gives, on one line. */
export function toOneLine(text: string): string {
  return toVisible(text).replace(/\s*\n\s*/g, ' ');
}
