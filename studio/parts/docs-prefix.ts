/** A mock or proxy serves the page and, below this path, the pages of the documentation. */
export const DOCS_PREFIX = '/__studio/docs';
