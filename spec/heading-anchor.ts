/** The anchor of a heading, as code hosts form it: letters, digits, dashes and underscores stay. Pages link to each other by it. */
export function formatAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
