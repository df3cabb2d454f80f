import { type CheckResult, OUTCOMES } from '../../service/runner/result.js';
import { signOf } from '../palette.js';
import { oneLine, visible } from '../text.js';
import { colophon, nameOf, summaryLine, VERDICTS } from '../verdict.js';
import type { ReportPart, ReportView } from '../view.js';

const BOUNDS = { exchanges: 3, body: 1500 };
const MOST_DETAILED = 40;

/** For a pull request, or the summary of a CI job. */
export function markdownReport(view: ReportView): string {
  const { report, verdict, otherChecks, parts } = view;
  const sections = [
    [`# ${inline(nameOf(report))} ${VERDICTS[verdict].words}`],
    [`${inline(summaryLine(report))}. ${inline(colophon(report))}.`],
    report.stopped === undefined ? [] : [`**The run ended early:** ${inline(report.stopped)}`],
    suiteTable(view),
    failureSection(view),
    ...[...otherChecks, ...parts].map(section),
  ];
  const shown = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n').trimEnd());
  return `${shown.join('\n\n')}\n`;
}

function suiteTable({ report, suites }: ReportView): string[] {
  const columns = OUTCOMES.filter((outcome) => report.summary[outcome] !== undefined);
  const rows = suites.map((suite) => {
    const checks = report.checks.filter((check) => check.suite === suite);
    const cells = columns.map((outcome) => checks.filter((check) => check.outcome === outcome).length);
    return `| ${inline(suite)} | ${cells.join(' | ')} |`;
  });
  return [`| suite | ${columns.join(' | ')} |`, `| --- |${' ---: |'.repeat(columns.length)}`, ...rows];
}

function failureSection(view: ReportView): string[] {
  const { failures } = view;
  if (failures.length === 0) return [];
  const rest = failures.slice(MOST_DETAILED).map(({ id, outcome, message }) => {
    return `- ${signOf(outcome)} ${inline(id)}: ${inline(message)}`;
  });
  const detailed = failures.slice(0, MOST_DETAILED).flatMap((check) => failure(check, view));
  return ['## Failures', '', ...detailed, ...rest];
}

function failure(check: CheckResult, view: ReportView): string[] {
  const { id, title, outcome, message } = check;
  const { requirement, exchanges, again } = view.evidenceOf(check, BOUNDS);
  const lines = [`### ${signOf(outcome)} ${inline(id)}`, '', inline(title), '', inline(message), ''];
  if (requirement) lines.push(`> ${inline(requirement)}`, '');
  if (again !== undefined) lines.push('See it again:', '', ...fenced(again), '');
  if (exchanges.length === 0) return lines;
  const texts = exchanges.map(({ lines: shown, curl }) => [...shown, ...(curl ? [curl] : [])].join('\n'));
  lines.push(
    '<details><summary>Exchanges</summary>',
    '',
    ...fenced(texts.join('\n\n')),
    '',
    '</details>',
    '',
  );
  return lines;
}

function section({ title, note, rows }: ReportPart): string[] {
  const items = rows.map(({ name, text, more }) => {
    const start = name === undefined ? '' : `${inline(name)}: `;
    return `- ${start}${inline(text)}${more ? ` (${inline(more)})` : ''}`;
  });
  return [`## ${title}${note === undefined ? '' : ` (${inline(note)})`}`, '', ...items];
}

/** Text in which nothing is markup, a mention or a named link. */
export function inline(text: string): string {
  return oneLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', '&#64;')
    .replace(/[\\`*_[\]|~#!]/g, '\\$&');
}

/** A block of code whose fence is longer than any in the text. */
function fenced(text: string): string[] {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return [fence, visible(text), fence];
}
