import { escapeHtml, STUDIO_PREFIX } from '../../mock/pages/studio-page.js';
import { DOCS_PREFIX } from '../parts/docs-prefix.js';
import { renderMarkdown } from './render-markdown.js';

/** A page of the documentation as an HTML document. The mock and the proxy load this module from the built package. */
export function renderDocsPage(markdown: string): string {
  const { title, html } = renderMarkdown(markdown);
  return renderDocument(title, 'page', `<main>\n${html}</main>`);
}

export function renderDocument(title: string, kind: 'page' | 'reference', content: string): string {
  return `<!doctype html>
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
}
