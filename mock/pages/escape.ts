/** Also safe within a value in double quotes. */
export function escapeHtml(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escaped.replaceAll('"', '&quot;');
}

/** Escapes JSON for a `<script>` element: the texts can neither end it nor start a comment, and contain no terminal escape sequences. */
export function escapeJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<>\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, (sign) => {
    return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
