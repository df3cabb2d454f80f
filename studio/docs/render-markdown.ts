import { Marked, type Tokens } from 'marked';
import { escapeHtml } from '../../mock/pages/studio-page.js';
import { formatAnchor } from '../../spec/heading-anchor.js';
import { DOCS_PREFIX } from '../parts/docs-prefix.js';

/** Renders a page of `docs/` as the content of an HTML document. */
export function renderMarkdown(markdown: string): { title: string; html: string } {
  const anchors = new Anchors();
  let tables = 0;
  const marked = new Marked({
    renderer: {
      heading: (html, level, raw) =>
        `<h${level} id="${anchors.reserve(formatAnchor(raw))}">${html}</h${level}>\n`,
      tablerow: (cells) => {
        // Rules, requirements and flags are rows: their name is the anchor.
        const [, name] = /^<td[^>]*><code>([\w./-]+)<\/code>/.exec(cells) ?? [];
        return `<tr${name === undefined ? '' : ` id="${anchors.reserve(name)}"`}>${cells}</tr>\n`;
      },
      table: (header, body) =>
        `<div class="table" tabindex="0" role="region" aria-label="Table ${++tables}"><table><thead>${header}</thead><tbody>${body}</tbody></table></div>\n`,
      code: (text, info) =>
        `<pre tabindex="0"${info ? ` class="${escapeHtml(info.split(' ')[0]!)}"` : ''}><code>${escapeHtml(text)}\n</code></pre>\n`,
      link: (href, _title, text) => renderLink(href, text),
      image: (href, _title, text) =>
        `<img src="${DOCS_PREFIX}/${escapeHtml(href)}" alt="${escapeHtml(text)}">`,
      // Comments for tests and generators.
      html: () => '',
    },
  });
  const [heading] = marked
    .lexer(markdown)
    .filter((token): token is Tokens.Heading => token.type === 'heading');
  return { title: heading?.text ?? '', html: marked.parse(markdown) as string };
}

/** A page links to other pages and into itself; files of the package have no address. */
function renderLink(href: string, text: string): string {
  if (/^https?:/.test(href)) return `<a href="${escapeHtml(href)}" rel="noopener noreferrer">${text}</a>`;
  if (href.startsWith('#')) return `<a href="${escapeHtml(href)}">${text}</a>`;
  const [, page, anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (page === undefined) return `<span title="${escapeHtml(href)}">${text}</span>`;
  return `<a href="${DOCS_PREFIX}/${page}${escapeHtml(anchor)}">${text}</a>`;
}

class Anchors {
  readonly #used = new Map<string, number>();

  reserve(name: string): string {
    const count = this.#used.get(name) ?? 0;
    this.#used.set(name, count + 1);
    return count === 0 ? name : `${name}-${count}`;
  }
}
