import { type CheckResult, OUTCOMES } from '../../service/runner/result.js';
import { signOf } from '../palette.js';
import { count, oneLine, visible } from '../text.js';
import { colophon, nameOf, summaryLine, VERDICTS } from '../verdict.js';
import type { ReportPart, ReportView } from '../view.js';

const BOUNDS = { exchanges: 2, body: 600 };
/** Causes with their example, and names of other failures of a cause: the summary of a CI job has a limit. */
const MOST_DETAILED = 10;
const MOST_NAMES = 20;

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

/** Causes with one example each, then what else failed in a line each, as far as there is room. */
function failureSection(view: ReportView): string[] {
  const { causes, otherFailures } = view;
  if (causes.length + otherFailures.length === 0) return [];
  const lines = ['## Causes', ''];
  for (const { cause, example, head } of causes.slice(0, MOST_DETAILED)) {
    lines.push(`### ${signOf('failed')} ${inline(head)}`, '', ...failure(example, view));
    const others = cause.checks.filter((id) => id !== example.id).map(inline);
    if (others.length > 0) lines.push(...details(count(others.length, 'more failure'), [shortList(others)]));
  }
  const rest = [
    ...causes.slice(MOST_DETAILED).map(({ cause, head }) => `- ${inline(head)}: ${inline(cause.title)}`),
  ];
  const detailed = otherFailures
    .slice(0, MOST_DETAILED)
    .flatMap((check) => [`### ${signOf(check.outcome)} ${inline(check.id)}`, '', ...failure(check, view)]);
  return [...lines, ...detailed, ...rest];
}

/** The first of many names. */
function shortList(names: readonly string[]): string {
  const left = names.length - MOST_NAMES;
  return names.slice(0, MOST_NAMES).join(', ') + (left > 0 ? ` and ${left} more` : '');
}

function failure(check: CheckResult, view: ReportView): string[] {
  const { id, title, message } = check;
  const { requirement, exchanges, again } = view.evidenceOf(check, BOUNDS);
  const lines = [inline(message), '', `In ${inline(id)}: ${inline(title)}`, ''];
  if (requirement) lines.push(`> ${inline(requirement)}`, '');
  if (again !== undefined) lines.push('See it again:', '', ...fenced(again), '');
  if (exchanges.length === 0) return lines;
  const texts = exchanges.map(({ lines: shown, curl }) => [...shown, ...(curl ? [curl] : [])].join('\n'));
  return [...lines, ...details('Exchanges', fenced(texts.join('\n\n')))];
}

function details(summary: string, lines: readonly string[]): string[] {
  return [`<details><summary>${summary}</summary>`, '', ...lines, '', '</details>', ''];
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
