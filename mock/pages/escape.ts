/** Text from outside for HTML, also for a value in double quotes. */
export function escapeHtml(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escaped.replaceAll('"', '&quot;');
}

/** JSON that ends no `<script>` element, starts no comment in it, and moves no cursor where the file is printed, whatever texts it holds. */
export function escapeJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<>\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, (sign) => {
    return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
