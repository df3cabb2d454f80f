import { escapeHtml, formatCount, toJson } from '../../common/text.js';
import { VERDICTS } from '../verdict.js';
import type { ReportView } from '../view.js';

const LABEL = 'taskdouble';
/** Colours for shields.io and for an SVG. */
const COLOURS = {
  passed: { name: 'brightgreen', fill: '#3a7d1f' },
  failed: { name: 'red', fill: '#c0392b' },
  error: { name: 'red', fill: '#c0392b' },
  inconclusive: { name: 'lightgrey', fill: '#6e6e6e' },
};
/** Approximate width of a letter at 11 px. */
const LETTER_PX = 6.6;

/** The endpoint format of shields.io; an SVG if the path ends in `.svg`. */
export function formatBadgeReport(view: ReportView, path?: string): string {
  const message = formatMessage(view);
  const { name, fill } = COLOURS[VERDICTS[view.verdict].mark];
  if (path?.toLowerCase().endsWith('.svg')) return drawBadge(message, fill);
  return toJson({ schemaVersion: 1, label: LABEL, message, color: name });
}

function formatMessage({ report, verdict, failures, known }: ReportView): string {
  const { passed, failed, flaky = 0, error = 0 } = report.summary;
  if (verdict === 'untested') return 'untested';
  const inconclusive = failures.filter(({ outcome }) => outcome === 'inconclusive').length;
  const parts = [`${passed} passed`];
  if (error > 0) parts.unshift(formatCount(error, 'error'));
  if (failed > known.length) parts.unshift(`${failed - known.length} failed`);
  if (known.length > 0) parts.push(`${known.length} known`);
  if (flaky > 0) parts.push(`${flaky} flaky`);
  if (inconclusive > 0) parts.push(`${inconclusive} inconclusive`);
  if (report.stopped !== undefined) parts.push('ended early');
  if (report.baseline?.problems.length) parts.push('stale baseline');
  return parts.join(', ');
}

function drawBadge(message: string, fill: string): string {
  const left = Math.round(LABEL.length * LETTER_PX + 12);
  const right = Math.round(message.length * LETTER_PX + 12);
  const text = escapeHtml(message);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${LABEL}: ${text}">
  <title>${LABEL}: ${text}</title>
  <clipPath id="r"><rect width="${left + right}" height="20" rx="3"/></clipPath>
  <g clip-path="url(#r)">
    <rect width="${left}" height="20" fill="#444"/>
    <rect x="${left}" width="${right}" height="20" fill="${fill}"/>
  </g>
  <g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
    <text x="${left / 2}" y="14" textLength="${left - 12}">${LABEL}</text>
    <text x="${left + right / 2}" y="14" textLength="${right - 12}">${text}</text>
  </g>
</svg>
`;
}
