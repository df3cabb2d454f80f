import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { escapeHtml, STUDIO_PREFIX } from '../../mock/pages/studio-page.js';
import { DOCS_PREFIX } from '../parts/docs-link.js';
import { renderMarkdown } from './render-markdown.js';
import { renderReference } from './render-reference.js';

// Writes the pages of `docs/` and the API reference as HTML: the mock and the proxy serve them.

const ROOT = join(import.meta.dirname, '../..');
const TARGET = join(ROOT, 'dist/docs');

function writePage(
  name: string,
  { title, html }: { title: string; html: string },
  kind: 'page' | 'reference',
): void {
  const content = kind === 'page' ? `<main>\n${html}</main>` : html;
  const text = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title.replaceAll('`', ''))} – taskdouble</title>
<link rel="stylesheet" href="${DOCS_PREFIX}/docs.css">
</head>
<body class="${kind}">
<header class="bar"><a href="${STUDIO_PREFIX}">Studio</a> <a href="${DOCS_PREFIX}/README">Pages</a> <a href="${DOCS_PREFIX}/api-reference">API reference</a></header>
${content}
</body>
</html>
`;
  writeFileSync(join(TARGET, `${name}.html`), text);
}

rmSync(TARGET, { recursive: true, force: true });
mkdirSync(TARGET, { recursive: true });
for (const file of readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md')))
  writePage(file.slice(0, -3), renderMarkdown(readFileSync(join(ROOT, 'docs', file), 'utf8')), 'page');
writePage('api-reference', renderReference(), 'reference');

// The colors of studio.
const [colors = ''] = /:root \{.*?\n\}\n/s.exec(readFileSync(join(ROOT, 'studio/style.css'), 'utf8')) ?? [];
writeFileSync(join(TARGET, 'docs.css'), colors + readFileSync(join(import.meta.dirname, 'docs.css'), 'utf8'));
buildSync({
  entryPoints: [join(import.meta.dirname, 'reference.ts')],
  outfile: join(TARGET, 'reference.js'),
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
});
