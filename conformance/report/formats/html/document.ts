import { createHash } from 'node:crypto';
import { escapeHtml } from '../../text.js';

/**
 * A whole page around `body`. Its policy lets nothing in but our own style and script, by their hashes: whatever a
 * service has put into its answers neither runs nor loads anything.
 */
export function documentOf(title: string, body: string): string {
  const policy = [
    "default-src 'none'",
    `style-src ${hashOf(STYLE)}`,
    `script-src ${hashOf(SCRIPT)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
${body}
<script>${SCRIPT}</script>
</body>
</html>
`;
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** Light and dark by the reader's setting; one column that fits a phone. */
const STYLE = `
:root { color-scheme: light dark; --bg:#fff; --fg:#1d2430; --soft:#5a6472; --line:#d9dee5; --card:#f6f8fa;
  --passed:#1a7f37; --failed:#c62828; --inconclusive:#8a5a00; --skipped:#5a6472; --known:#7b3fa0; }
@media (prefers-color-scheme: dark) { :root { --bg:#12161c; --fg:#e4e8ee; --soft:#9aa5b3; --line:#313a46; --card:#1a2029;
  --passed:#57c974; --failed:#ff8078; --inconclusive:#e0b040; --skipped:#9aa5b3; --known:#c79be6; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1rem; background: var(--bg); color: var(--fg);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; margin: 0 0 .25rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
p { margin: .4rem 0; } .soft { color: var(--soft); }
.passed { --mark: var(--passed); } .failed, .error { --mark: var(--failed); } .inconclusive { --mark: var(--inconclusive); }
.skipped { --mark: var(--skipped); } .known { --mark: var(--known); } .advice, .unusual { --mark: var(--inconclusive); }
.outcome { color: var(--mark); font-weight: 600; }
.filters { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin: .75rem 0; }
.filters button, .filters select, .filters input { font: inherit; min-height: 2.75rem; padding: .25rem .75rem; border: 1px solid var(--line);
  border-radius: .5rem; background: var(--card); color: var(--fg); max-width: 100%; }
.filters button { border-color: var(--mark); } .filters button[aria-pressed=false] { opacity: .5; text-decoration: line-through; }
.filters input { flex: 1 1 10rem; min-width: 0; }
.check { border: 1px solid var(--line); border-left: 4px solid var(--mark); border-radius: .375rem; margin: .4rem 0; background: var(--card); }
.check > summary { padding: .5rem .75rem; cursor: pointer; min-height: 2.75rem; } .check .id { font-family: ui-monospace, monospace; font-size: .85rem; }
.check .body { padding: 0 .75rem .75rem; } .check blockquote { margin: .5rem 0; padding-left: .75rem; border-left: 3px solid var(--line); color: var(--soft); }
pre { margin: .25rem 0; padding: .5rem; background: var(--bg); border: 1px solid var(--line); border-radius: .375rem; font-size: .8rem;
  white-space: pre-wrap; overflow-wrap: anywhere; max-height: 24rem; overflow-y: auto; }
.exchange > summary { cursor: pointer; font-family: ui-monospace, monospace; font-size: .85rem; padding: .3rem 0; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; } th, td { text-align: left; vertical-align: top; padding: .35rem .5rem; border-bottom: 1px solid var(--line); }
.diagram { display: block; width: 100%; max-width: 34rem; margin: .5rem 0; }
.diagram text { fill: var(--fg); font: 11px ui-monospace, monospace; } .diagram .side { text-anchor: middle; font-weight: 600; }
.diagram .time { fill: var(--soft); font-size: 9px; } .diagram .life { stroke: var(--line); stroke-width: 2; }
.diagram path { fill: none; stroke: var(--fg); stroke-width: 1.2; } .diagram .back { stroke-dasharray: 4 2; } .diagram .refused { stroke: var(--inconclusive); }
.diagram .lost { stroke: var(--failed); stroke-width: 2; } .diagram .around { opacity: .55; } .diagram .shown text.label { font-weight: 600; }
[hidden] { display: none !important; }
@media (max-width: 40rem) { body { padding: .75rem; } .wide tr { display: block; border-bottom: 1px solid var(--line); padding: .4rem 0; }
  .wide td { display: block; border: 0; padding: .1rem 0; text-align: left; } }
`;

/** The filter. Without a script everything is shown. */
const SCRIPT = `
(() => {
  const checks = [...document.querySelectorAll('.check')];
  const buttons = [...document.querySelectorAll('.filters button')];
  const suite = document.querySelector('#suite');
  const text = document.querySelector('#text');
  const shown = document.querySelector('#shown');
  const apply = () => {
    const on = new Set(buttons.filter((each) => each.getAttribute('aria-pressed') === 'true').map((each) => each.value));
    const wanted = text.value.trim().toLowerCase();
    let count = 0;
    for (const check of checks) {
      const { outcome, suite: its } = check.dataset;
      const fits = on.has(outcome) && (suite.value === '' || suite.value === its) && (wanted === '' || check.textContent.toLowerCase().includes(wanted));
      check.hidden = !fits;
      if (fits) count++;
    }
    shown.textContent = count + ' of ' + checks.length + ' shown';
  };
  for (const button of buttons) button.addEventListener('click', () => {
    button.setAttribute('aria-pressed', button.getAttribute('aria-pressed') === 'true' ? 'false' : 'true');
    apply();
  });
  suite.addEventListener('change', apply);
  text.addEventListener('input', apply);
  document.querySelector('.filters').hidden = false;
  apply();
})();
`;
