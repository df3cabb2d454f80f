import { signal } from '@preact/signals';
import { DOCS_PREFIX } from './docs-prefix.js';

/** The page is served by a mock or proxy; a file has no documentation beside it. */
export const hasDocs = signal(false);

/** Address of a page of `docs/`, without its ending, at an anchor: `docsUrl('requirements', 'CLIENT-02')`. Undefined in a file. */
export function docsUrl(page: string, anchor = ''): string | undefined {
  if (!hasDocs.value) return undefined;
  return `${DOCS_PREFIX}/${page}${anchor === '' ? '' : `#${encodeURIComponent(anchor)}`}`;
}

/** The anchor of a rule on the page of its side: its heading in lower case, without the slash. */
export function formatRuleAnchor(rule: string): string {
  return rule.replace('/', '').toLowerCase();
}

/** `about`: what the page explains, for the accessible name. */
export function DocsLink({ page, anchor, about }: { page: string; anchor?: string; about: string }) {
  const url = docsUrl(page, anchor);
  if (url === undefined) return null;
  return (
    <a
      class="docs-link"
      href={url}
      target="_blank"
      rel="noopener"
      aria-label={`About ${about}`}
      title={`About ${about}`}
    >
      ?
    </a>
  );
}
