import type { WireResponse } from '../pipeline/wire.js';

/** Escaped HTML. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | string | number | null | undefined | readonly Html[];

/** Builds HTML; escapes every part that is not `Html`. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(
    strings.map((text, index) => (index === 0 ? text : render(parts[index - 1]) + text)).join(''),
  );
}

function render(part: Part): string {
  if (part === null || part === undefined) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map((each) => each.text).join('');
  return escapeHtml(String(part));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign]!);
}

/** A value as text or as JSON, shortened to `most` characters. */
export function shown(value: unknown, most = 2000): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 1) ?? '');
  return text.length > most ? `${text.slice(0, most)}… (${text.length - most} more characters)` : text;
}

/** `at` in ms. */
export function clockTime(at: number): Html {
  const date = new Date(at);
  // A scripted event may carry any timestamp.
  return html`<time>${Number.isNaN(date.getTime()) ? at : date.toISOString()}</time>`;
}

/** No scripts, no external resources. Any page may embed a live view. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const;

const STYLE = `
:root{color-scheme:light dark;--line:#8884;--dim:#888;--good:#1a7f37;--bad:#cf222e;--busy:#9a6700}
@media(prefers-color-scheme:dark){:root{--good:#3fb950;--bad:#f85149;--busy:#d29922}}
body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:0 auto;padding:1rem}
h1{font-size:1.3rem;overflow-wrap:anywhere}h2{font-size:1.05rem;margin-top:2rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem}dt,small,time{color:var(--dim)}dd{margin:0;overflow-wrap:anywhere}
pre{white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid var(--line);border-radius:.4rem;padding:.6rem;margin:.3rem 0;font-size:.85rem}
ol{list-style:none;padding:0}li{border-left:3px solid var(--line);padding:.1rem 0 .6rem .8rem}
li.client{border-color:var(--busy)}li.service{border-color:var(--good)}
.done{color:var(--good)}.failed,.cancelled{color:var(--bad)}.running,.waiting{color:var(--busy)}`;

export interface PageContent {
  title: string;
  /** Default: the title. */
  heading?: string;
  /** Name and value; one that is null is left out. */
  facts?: Readonly<Record<string, Part>>;
  body?: Html;
  /** The browser reloads the page after so many seconds. */
  refresh_s?: number;
}

export function renderPage(content: PageContent, status = 200): WireResponse {
  const { title, heading = title, facts, body, refresh_s } = content;
  const refresh = refresh_s === undefined ? null : html`<meta http-equiv="refresh" content="${refresh_s}">`;
  const rows = Object.entries(facts ?? {}).flatMap(([name, value]) =>
    value === null ? [] : [html`<dt>${name}</dt><dd>${value}</dd>`],
  );
  const whole = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${refresh}
<title>${title}</title><style>${new Html(STYLE)}</style></head>
<body><main><h1>${heading}</h1>${facts ? html`<dl>${rows}</dl>` : null}${body}</main></body></html>
`;
  return { status, headers: { ...HEADERS }, body: whole.text };
}
