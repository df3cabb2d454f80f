import type { WireResponse } from '../pipeline/wire.js';

/** HTML that is safe to put into a page. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | string | number | null | undefined | readonly Html[];

/** Builds HTML: everything that is put in is escaped, unless it is HTML made here. */
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

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign]!);
}

/** Characters of one value that a page shows. */
const LONGEST_SHOWN = 2000;

/** A value as a person reads it: text as it is, anything else as JSON; long ones cut. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 1) ?? '');
  return text.length > LONGEST_SHOWN
    ? `${text.slice(0, LONGEST_SHOWN)}… (${text.length - LONGEST_SHOWN} more characters)`
    : text;
}

/** No scripts and nothing from elsewhere. Any page may embed these: that is what live views are for. */
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

/** A whole page. `refresh_s`: the browser asks again after so many seconds. */
export function page(
  title: string,
  body: Html,
  options: { status?: number; refresh_s?: number } = {},
): WireResponse {
  const { status = 200, refresh_s } = options;
  const refresh = refresh_s === undefined ? null : html`<meta http-equiv="refresh" content="${refresh_s}">`;
  const whole = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${refresh}
<title>${title}</title><style>${new Html(STYLE)}</style></head>
<body><main>${body}</main></body></html>
`;
  return { status, headers: { ...HEADERS }, body: whole.text };
}
