export const STUDIO_PREFIX = '/__studio';

/** Studio as the view of a client of the Model Context Protocol, which sends what it shows: a MCP App. */
export interface HostedPage {
  kind: 'hosted';
  /** Of taskdouble. */
  version: string;
}

/** Field of `_meta` of the result of a tool: the data of its page, or the address of a resource with them. */
export const PAGE_FIELD = 'taskdouble/page';

export interface StudioFiles {
  script: string;
  style: string;
}

/** Headers of a page of studio. The page may load only studio's own script and style sheet. */
export const LINKED_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data: blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page as a server sends it: it links to the script and the style sheet below `STUDIO_PREFIX`. */
export function renderLinkedPage(title: string, data: unknown): string {
  return renderDocument(
    title,
    data,
    `<link rel="stylesheet" href="${STUDIO_PREFIX}/studio.css">`,
    `<script src="${STUDIO_PREFIX}/studio.js"></script>`,
  );
}

/**
 * Renders one self-contained file. `hashes`: those of script and style, in the form of a content security policy (`sha256-…`). `plain`:
 * HTML for printing and for readers without JavaScript.
 */
export function renderEmbeddedPage(
  title: string,
  data: unknown,
  { script, style }: StudioFiles,
  hashes: StudioFiles,
  plain?: string,
): string {
  const policy = [
    "default-src 'none'",
    `script-src '${hashes.script}'`,
    `style-src '${hashes.style}'`,
    'img-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return renderDocument(
    title,
    data,
    `<meta http-equiv="Content-Security-Policy" content="${policy}">\n<style>${style}</style>`,
    `<script>${script}</script>`,
    plain,
  );
}

const NO_SCRIPT = '<noscript>This page needs JavaScript.</noscript>';

function renderDocument(
  title: string,
  data: unknown,
  head: string,
  script: string,
  plain = NO_SCRIPT,
): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
${head}
</head>
<body>
<div id="studio"></div>
${plain}
<script type="application/json" id="page-data">${escapeJson(data)}</script>
${script}
</body>
</html>
`;
}

/** Also safe within a value in double quotes. */
export function escapeHtml(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escaped.replaceAll('"', '&quot;');
}

/** Escapes JSON for a `<script>` element: the texts can neither end it nor start a comment, and contain no terminal escape sequences. */
function escapeJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<>\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, (sign) => {
    return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
