import type { ConformReport } from '../../service/runner/result.js';
import { count, escapeHtml, toJson } from '../text.js';
import { knownOf, type ReadingOptions, verdictOf } from '../view.js';

const LABEL = 'taskdouble';
const COLOURS = {
  conforms: 'brightgreen',
  incomplete: 'lightgrey',
  violations: 'red',
  untested: 'lightgrey',
  crashed: 'red',
} as const;
/** The same for an SVG. */
const FILLS = { brightgreen: '#3a7d1f', red: '#c0392b', lightgrey: '#6e6e6e' } as const;
/** Width of a letter at 11 px, about. */
const LETTER_PX = 6.6;

/** What shields.io reads from an address (its endpoint form); an SVG of its own where the path ends in `.svg`. */
export function badgeReport(
  report: ConformReport,
  options: ReadingOptions & { path?: string | undefined } = {},
): string {
  const message = messageOf(report, options);
  const color = COLOURS[verdictOf(report, options)];
  if (options.path?.toLowerCase().endsWith('.svg')) return drawBadge(message, FILLS[color]);
  return toJson({ schemaVersion: 1, label: LABEL, message, color });
}

function messageOf(report: ConformReport, options: ReadingOptions): string {
  const { passed, failed, error = 0, inconclusive } = report.summary;
  if (verdictOf(report, options) === 'untested') return 'untested';
  const known = knownOf(report).length;
  const parts = [`${passed} passed`];
  if (error > 0) parts.unshift(count(error, 'error'));
  if (failed > known) parts.unshift(`${failed - known} failed`);
  if (known > 0) parts.push(`${known} known`);
  if (options.strict && inconclusive > 0) parts.push(`${inconclusive} inconclusive`);
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
