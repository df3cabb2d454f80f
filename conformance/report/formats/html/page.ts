import { renderSelfContainedPage } from '../../../../mock/pages/studio-files.js';
import { SIGNS } from '../../../../spec/signs.js';
import { toOneLine } from '../../../../spec/visible.js';
import { escapeHtml, formatCount } from '../../../common/text.js';
import { listParts, type ReportPart } from '../../parts.js';

import { formatColophon, formatSummary } from '../../verdict.js';
import type { ReportView, ShownCause } from '../../view.js';
import { createReportPage, formatTitle } from './report-page.js';

/** Limits in characters of HTML: beyond the lower one failures are listed without exchanges, beyond the upper one left out. */
const MOST_CHARACTERS = 300_000;
const MOST_WITH_EXCHANGES = 150_000;
const EVIDENCE = { exchanges: 2, body: 400 };
const NO_EVIDENCE = { exchanges: 0, body: 0 };

/**
 * A self-contained file: causes, checks and exchanges in the viewer of studio, and a summary for printing and without
 * JavaScript.
 */
export function formatHtmlReport(view: ReportView): string {
  return renderSelfContainedPage(
    toOneLine(formatTitle(view)),
    createReportPage(view),
    formatStaticReport(view),
  );
}

/** The report as plain HTML for printing and for users without JavaScript: causes, failures, essential sections. */
export function formatStaticReport(view: ReportView): string {
  const { report, causes, verdict } = view;
  const parts = listParts(report);
  return `<main class="static">
<h1>${escapeHtml(formatTitle(view))}</h1>
<p>${escapeHtml(formatSummary(report))}.</p>
${report.stopped === undefined ? '' : `<p>The run ended early: ${escapeHtml(report.stopped)}</p>`}
${causes.length === 0 ? '' : `<h2>Causes</h2>\n<ol>${causes.map(formatCause).join('\n')}</ol>`}
${verdict === 'conforms' ? '' : formatFailures(view)}
${parts
  .filter(({ isEssential }) => isEssential)
  .map(formatPart)
  .join('\n')}
<p class="soft">${escapeHtml(formatColophon(report))}, started ${escapeHtml(report.started)}. The page with all checks needs JavaScript.</p>
</main>`;
}

function formatCause({ cause, head }: ShownCause): string {
  return `<li><strong>${escapeHtml(head)}</strong><br><span class="soft">e.g. <code>${escapeHtml(cause.example)}</code></span></li>`;
}

function formatFailures(view: ReportView): string {
  const examples = view.causes.map(({ example }) => example);
  const crashed = view.report.checks.filter(({ outcome }) => outcome === 'error');
  const all = [...new Set([...examples, ...view.failures, ...crashed])];
  if (all.length === 0) return '';
  let html = '';
  let shown = 0;
  for (const { id, title, message, outcome } of all) {
    if (html.length > MOST_CHARACTERS) break;
    const evidence = html.length > MOST_WITH_EXCHANGES ? NO_EVIDENCE : EVIDENCE;
    const text = view.formatEvidence(view.report.checks.find((check) => check.id === id)!, evidence);
    const isExample = examples.some((example) => example.id === id);
    html += `<section${isExample ? ' class="example"' : ''}><h3>${SIGNS[outcome]} <code>${escapeHtml(id)}</code></h3>
<p class="soft">${escapeHtml(title)}</p><p>${escapeHtml(message)}</p>${text && `<pre>${escapeHtml(text)}</pre>`}</section>\n`;
    shown++;
  }
  const left = all.length - shown;
  const more =
    left === 0 ? '' : `<p>And ${formatCount(left, 'more failed check')}: see the page on a screen.</p>`;
  return `<h2>Failed checks</h2>\n${html}${more}`;
}

function formatPart({ title, rows }: ReportPart): string {
  return `<h2>${escapeHtml(title)}</h2><ul>${rows.map(({ text }) => `<li>${escapeHtml(text)}</li>`).join('')}</ul>`;
}
