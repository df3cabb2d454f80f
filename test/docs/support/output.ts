/** Where pages say that the mock listens. */
export const SHOWN_BASE_URL = 'http://127.0.0.1:4010';

/** What came, as a page would show it: the address of the page, and a line that came several times in a row once. */
export function normalizeOutput(output: string, base_url: string): string {
  const lines = output.replaceAll(base_url, SHOWN_BASE_URL).trimEnd().split('\n');
  return lines.filter((line, index) => line !== lines[index - 1]).join('\n');
}

/** Without what differs from run to run: ids and times. */
export function maskRandom(output: string): string {
  return output
    .replaceAll(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<id>')
    .replaceAll(/([?&]b=)[\w-]+/g, '$1<id>')
    .replaceAll(/\b\d{13}(\.\d+)?\b/g, '<ms>')
    .replaceAll(/("created_at":)\d{10}\b/g, '$1<s>');
}

/** True when `output` is what a page shows; `…` there stands for anything. */
export function isShown(output: string, shown: string): boolean {
  const parts = maskRandom(shown).split('…').map(escapePattern);
  return new RegExp(`^${parts.join('[^]*')}$`).test(maskRandom(output));
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
