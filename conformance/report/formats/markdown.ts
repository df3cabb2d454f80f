import { SIGNS } from '../../../spec/signs.js';
import { toOneLine, toVisible } from '../../../spec/visible.js';
import { type CheckResult, OUTCOMES } from '../../causes/check-result.js';
import { formatCount, shorten } from '../../common/text.js';
import { formatRowName, listOtherChecks, listParts, type ReportPart } from '../parts.js';
import { formatColophon, formatSummary, formatTargetName, VERDICTS } from '../verdict.js';
import { formatRequirement, type ReportView } from '../view.js';
import { formatExplainCommand } from './run-again.js';

const BOUNDS = { exchanges: 2, body: 600 };
/** Most causes with an example, and most names of other failures of a cause: the summary of a CI job has a limit. */
const MOST_DETAILED = 10;
const MOST_NAMES = 20;
/** Most rows of a list; most characters of a row, and of the names in it. */
const MOST_ROWS = 60;
const LONGEST_ROW = 400;
const LONGEST_NAMES = 160;
/** Limit of GitHub comments and summaries with several reports, in bytes, less the last line. */
const MOST_BYTES = 60_000 - 200;

/** For a pull request or the summary of a CI job. */
export function formatMarkdownReport(view: ReportView): string {
  const { report, verdict } = view;
  const blocks = [
    [`# ${escapeInline(shorten(formatTargetName(report), LONGEST_ROW))} ${VERDICTS[verdict].words}`],
    [`${escapeInline(formatSummary(report))}. ${escapeInline(formatColophon(report))}.`],
    report.stopped === undefined ? [] : [`**The run ended early:** ${clipText(report.stopped)}`],
    formatSuites(view),
    ...formatFailures(view),
    ...[...listOtherChecks(view), ...listParts(report)].map(formatSection),
  ];
  const shown = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join('\n').trimEnd());
  let bytes = 0;
  const fitting = shown.filter((text) => {
    const size = Buffer.byteLength(text) + 2;
    const fits = bytes + size < MOST_BYTES;
    if (fits) bytes += size;
    return fits;
  });
  const left = shown.length - fitting.length;
  if (left > 0)
    fitting.push(`${formatCount(left, 'more part')} did not fit: the JSON and HTML reports have everything.`);
  return `${fitting.join('\n\n')}\n`;
}

/** The start of a long text, with markup escaped. */
function clipText(text: string): string {
  return escapeInline(shorten(toOneLine(text), LONGEST_ROW));
}

function formatSuites({ report, suites }: ReportView): string[] {
  const columns = OUTCOMES.filter((outcome) => report.summary[outcome] !== undefined);
  const rows = suites.map((suite) => {
    const checks = report.checks.filter((check) => check.suite === suite);
    const cells = columns.map((outcome) => checks.filter((check) => check.outcome === outcome).length);
    return `| ${escapeInline(suite)} | ${cells.join(' | ')} |`;
  });
  return [`| suite | ${columns.join(' | ')} |`, `| --- |${' ---: |'.repeat(columns.length)}`, ...rows];
}

/** Causes with one example each, then other failures in a line each. A block is shown completely or left out. */
function formatFailures(view: ReportView): string[][] {
  const { causes, otherFailures } = view;
  if (causes.length + otherFailures.length === 0) return [];
  const detailed = causes.slice(0, MOST_DETAILED).map(({ cause, example, head }) => {
    const lines = [`### ${SIGNS.failed} ${clipText(head)}`, '', ...formatFailure(example, view)];
    const others = cause.checks.filter((id) => id !== example.id).map(escapeInline);
    if (others.length > 0)
      lines.push(...formatDetails(formatCount(others.length, 'more failure'), [limitNames(others)]));
    return lines;
  });
  const rest = causes.slice(MOST_DETAILED).map(({ head }) => `- ${clipText(head)}`);
  const others = otherFailures
    .slice(0, MOST_DETAILED)
    .map((check) => [
      `### ${SIGNS[check.outcome]} ${escapeInline(check.id)}`,
      '',
      ...formatFailure(check, view),
    ]);
  const command = formatExplainCommand(view);
  const explained = command === undefined ? [] : [`What a rule means: ${escapeInline(command)}`];
  return [['## Causes'], ...detailed, ...others, limitRows(rest), explained];
}

function limitRows(rows: readonly string[]): string[] {
  const left = rows.length - MOST_ROWS;
  return left > 0 ? [...rows.slice(0, MOST_ROWS), `- and ${left} more`] : [...rows];
}

function limitNames(names: readonly string[]): string {
  const left = names.length - MOST_NAMES;
  return names.slice(0, MOST_NAMES).join(', ') + (left > 0 ? ` and ${left} more` : '');
}

function formatFailure(check: CheckResult, view: ReportView): string[] {
  const { id, title, message } = check;
  const { requirement, exchanges, again } = view.readEvidence(check, BOUNDS);
  const lines = [escapeInline(message), '', `In ${escapeInline(id)}: ${escapeInline(title)}`, ''];
  if (requirement) lines.push(`> ${escapeInline(formatRequirement(requirement))}`, '');
  if (again !== undefined) lines.push('See it again:', '', ...fenceText(again), '');
  if (exchanges.length === 0) return lines;
  const texts = exchanges.map(({ lines: shown, curl }) => [...shown, ...(curl ? [curl] : [])].join('\n'));
  return [...lines, ...formatDetails('Exchanges', fenceText(texts.join('\n\n')))];
}

function formatDetails(summary: string, lines: readonly string[]): string[] {
  return [`<details><summary>${summary}</summary>`, '', ...lines, '', '</details>', ''];
}

function formatSection({ title, note, rows }: ReportPart): string[] {
  const items = rows.map((row) => {
    const name = formatRowName(row, LONGEST_NAMES);
    const start = name === undefined ? '' : `${clipText(name)}: `;
    return `- ${start}${clipText(row.text)}${row.more ? ` (${clipText(row.more)})` : ''}`;
  });
  return [`## ${title}${note === undefined ? '' : ` (${escapeInline(note)})`}`, '', ...limitRows(items)];
}

/** Escapes markup, mentions and links. */
export function escapeInline(text: string): string {
  return toOneLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', '&#64;')
    .replace(/[\\`*_[\]|~#!]/g, '\\$&');
}

/** A code block with a fence longer than any in the text. */
function fenceText(text: string): string[] {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return [fence, toVisible(text), fence];
}
